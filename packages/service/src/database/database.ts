// The one database behind everything: PostgreSQL, or the embedded one that speaks the same protocol and SQL.
import type { BatchMetrics } from '../metrics/batch-metrics.js';
import type { Measure } from '../metrics/measure.js';

/**
 * One SQL statement with its values. Statements of the same name have the same text: they are prepared once.
 *
 * `Result` is a row that the text returns: bigint as number, timestamps as Date, json parsed. It is stated where the text
 * is, so that nobody who runs it has to.
 */
export type Statement<Result extends object = object> = {
  name: string;
  text: string;
  values: readonly unknown[];
  /** Never set: it only carries the type. */
  row?: Result;
};

/** The rows of each of several statements. */
export type RowsOf<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Statement<infer Result>
    ? Result[]
    : never;
};

/** Runs statements. */
export type Queryable = {
  query<Result extends object>(statement: Statement<Result>): Promise<Result[]>;
};

/** An open transaction. A function that takes one needs one. */
export type Transaction = Queryable & {
  /** Runs a script of several statements without values: migrations. */
  run(script: string): Promise<void>;
};

/**
 * Which sessions a transaction goes through, so that none waits for one of another kind. `small`: commits of many small
 * requests, none of which waits for a lock. `levels`: presentations that may reach very many house consignments,
 * LEVEL_SESSIONS at a time. `large`: imports. `writes`: what one request changes, such as a declaration, an organisation
 * or a block of decisions, WRITE_SESSIONS at a time. `stream`: the stream of goods items, which has one order and so one
 * commit at a time. `probe`: a commit that only shows whether standbys confirm commits; it may wait without limit.
 * `maintenance`: work on whole tables in the background; it takes as long as it takes.
 */
export type Lane = 'small' | 'levels' | 'large' | 'writes' | 'stream' | 'probe' | 'maintenance';

/** Presentations above the house level that run at once, each in a session. */
export const LEVEL_SESSIONS = 4;

/** Changes of single requests that run at once, each in a session. */
export const WRITE_SESSIONS = 4;

/** Reads that standbys take instead of the primary. */
export type StandbyReads = {
  /** Whether any can be read from; otherwise reads cost what they cost without standbys. */
  readonly isUsable: boolean;

  /**
   * Reads from a standby that has the history of the primary. What it has may be older than what the primary has, and it
   * may have what the primary has not acknowledged yet.
   *
   * @param history the token of the primary's timeline
   * @returns `undefined` if no standby can be read from: the primary must
   */
  query<Result extends object>(
    history: string | null,
    statement: Statement<Result>,
  ): Promise<Result[] | undefined>;

  /**
   * Reads from a standby that has everything that was acknowledged before; waits for it for a tenth of a second.
   *
   * @returns `undefined` if no standby can be read from: the primary must
   */
  queryLatest<Result extends object>(statement: Statement<Result>): Promise<Result[] | undefined>;

  /** Counts a read of which a standby did not have everything. */
  countBehind(): void;

  /** Reports every failure of a standby, from now on. */
  onFailure(report: (error: unknown) => void): void;
};

/** Messages between the servers on one database. Each may be lost. */
export type DatabaseAnnouncements = {
  /** Sends a message to the other servers. */
  send(message: string): Promise<void>;

  /** Calls the handler with each message of the other servers, from now on. */
  onMessage(handle: (message: string) => void): void;

  /** Reports every failure to listen, from now on; waiting readers are polled for meanwhile. */
  onFailure(report: (error: unknown) => void): void;
};

/** Reports that data of a database is not what was read of it. */
export type DatabaseReplacements = {
  /** Calls the handler, from now on, after the data was replaced as a whole: what is to be written of it is wrong too. */
  onReplaced(handle: () => void | Promise<void>): void;

  /**
   * Calls the handler, from now on, when what was read may not be what the database has: the data was replaced as a whole,
   * or another server became the primary, which may lack the last commits.
   */
  onOutdated(handle: () => void): void;

  /** Reports that what is cached may be wrong, such as after a change that was not made by the service. */
  outdated(): void;

  /** Reports that the data was replaced as a whole; resolves when nothing is cached of it. */
  replaced(): Promise<void>;
};

export type Database = Queryable & {
  readonly kind: 'embedded' | 'postgresql';

  /** For short reads by key, which share a session and go to the database together; a long one would hold up others. */
  readonly lookUps: Queryable;

  /** The standbys that are read from; `undefined` if none are configured. */
  readonly standbys?: StandbyReads | undefined;

  /** Runs the work in one transaction, in a lane if one is named; rolls back when it throws. */
  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    lane?: Lane,
  ): Promise<Result>;

  /**
   * Runs the statements in one transaction and one round trip, each seeing what the ones before it waited for
   * and did; gives the rows of each. When one fails, nothing is done.
   *
   * @throws DatabaseUnavailableError when it cannot be known whether it was committed, or could not be begun
   */
  commit<const Statements extends readonly Statement[]>(
    statements: Statements,
    lane?: Lane,
  ): Promise<RowsOf<Statements>>;

  /** What the database refuses to this server whatever a request says; `undefined` for the embedded database. */
  readonly failedWrites?: {
    /** Calls the handler, from now on, when it begins. */
    onBegin(handle: () => void): void;
    /**
     * Runs the statement that failed last once more, and rolls it back.
     *
     * @returns why it fails, as words; `undefined` when it succeeds, or nothing has failed
     * @throws DatabaseUnavailableError when the database does not respond
     */
    retry(): Promise<{ reason: string; cause: unknown } | undefined>;
  };

  /**
   * Takes an exclusive lock that is held by a session of its own: it is released however this process ends.
   *
   * @param number which lock, of SESSION_LOCKS (`locks.ts`)
   * @param whenLost is called once when the session was lost, and with it the lock
   * @returns a function that releases it; `undefined` when another session holds it
   */
  tryLock(number: number, whenLost: () => void): Promise<(() => Promise<void>) | undefined>;

  /** What the servers on this database tell each other. */
  readonly announcements: DatabaseAnnouncements;

  /**
   * The same database over the tables of one of its schemas, with everything else shared: sessions, limits and failures.
   * For the one process that uses the schema: it gets no announcements, reads from no standbys, and closing it closes
   * no session.
   *
   * @param schema an existing one, whose name has only lower-case letters, digits and underscores
   */
  inSchema(schema: string): Database;

  /** When what was read of this database is not what it has. */
  readonly replacements: DatabaseReplacements;

  /**
   * Checks over the sessions that requests use that the database takes reads and writes; ends within 2 s.
   *
   * @throws DatabaseUnavailableError when it does not, or does not respond in time
   */
  checkReady(): Promise<void>;

  readonly measures: readonly Measure[];

  /** The measurements of the group commits on this database. */
  readonly batches: BatchMetrics;

  /** Waits for requests in progress, up to a time limit, and closes all connections. */
  close(): Promise<void>;
};
