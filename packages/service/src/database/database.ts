// The one database behind everything: PostgreSQL, or the embedded one that speaks the same protocol and SQL.

/** One SQL statement with its values. Statements of the same name have the same text: they are prepared once. */
export type Statement = {
  name: string;
  text: string;
  values: readonly unknown[];
};

/** Rows as the driver gives them: bigint as number, timestamps as Date, json parsed. */
export type Row = Record<string, unknown>;

/** Something that answers a statement. A row's type is the caller's promise, kept by the statement's text. */
export type Queryable = {
  query<Result extends object = Row>(statement: Statement): Promise<Result[]>;
};

/** An open transaction. A function that takes one needs one. */
export type Transaction = Queryable & {
  /** Runs a script of several statements without values: migrations. */
  run(script: string): Promise<void>;
};

/**
 * The session that a commit goes through: one of the small lanes by its number, so that the commits of one lane go on
 * while another's reaches the disk, or the lane of large ones, so that small ones do not wait for them.
 */
export type Lane = number | 'large';

export type Database = Queryable & {
  readonly kind: 'embedded' | 'postgresql';

  /** How many small lanes there are, numbered from 0. */
  readonly lanes: number;

  /** Runs the work in one transaction; rolls back when it throws. */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;

  /**
   * Runs the statements in one transaction and one round trip, each seeing what the ones before it waited for
   * and did; gives the rows of each. When one fails, nothing is done.
   *
   * @throws DatabaseUnavailableError when it cannot be known whether it was committed, or could not be begun
   */
  commit(statements: readonly Statement[], lane?: Lane): Promise<Row[][]>;

  /** Tells the other servers on this database something that may get lost on the way. */
  announce(message: string): Promise<void>;

  /** Is given what other servers announce, from now on. */
  onAnnouncement(handle: (message: string) => void): void;

  /** Waits for what is under way and closes all connections. */
  close(): Promise<void>;
};
