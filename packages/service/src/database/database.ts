// The one database behind everything: PostgreSQL, or the embedded one that speaks the same protocol and SQL.
import type { BatchMetrics } from '../metrics/batch-metrics.js';
import type { Measure } from '../metrics/measure.js';

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
 * Which sessions a transaction goes through, so that none waits for one of another kind. `small`: commits of many small
 * requests, none of which waits for a lock. `levels`: presentations that may reach very many house consignments,
 * LEVEL_SESSIONS at a time. `large`: imports. `stream`: the stream of goods items, which has one order and so one
 * commit at a time.
 */
export type Lane = 'small' | 'levels' | 'large' | 'stream';

/** Sessions of the lane `levels`. */
export const LEVEL_SESSIONS = 4;

export type Database = Queryable & {
  readonly kind: 'embedded' | 'postgresql';

  /** For short reads by key, which share a session and go to the database together; a long one would hold up others. */
  readonly lookUps: Queryable;

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
  commit(statements: readonly Statement[], lane?: Lane): Promise<Row[][]>;

  /**
   * Takes a lock that nobody else has, for as long as its session lives: it is free again however this process ends.
   *
   * @param number which lock, of SESSION_LOCKS (`locks.ts`)
   * @param whenLost is called once when the session was lost, and with it the lock
   * @returns how to give it back; `undefined` when somebody else has it
   */
  tryLock(number: number, whenLost: () => void): Promise<(() => Promise<void>) | undefined>;

  /** Tells the other servers on this database something that may get lost on the way. */
  announce(message: string): Promise<void>;

  /** Is given what other servers announce, from now on. */
  onAnnouncement(handle: (message: string) => void): void;

  /**
   * Asks over the sessions that requests use whether the database takes reads and writes; answers within 2 s.
   *
   * @throws DatabaseUnavailableError when it does not, or does not answer in time
   */
  checkReady(): Promise<void>;

  /** Reports every failure to listen for announcements, from now on; waiting readers are polled for meanwhile. */
  onListenFailure(report: (error: unknown) => void): void;

  readonly measures: readonly Measure[];

  /** The measurements of the group commits on this database. */
  readonly batches: BatchMetrics;

  /** Waits for what is under way, but not for ever, and closes all connections. */
  close(): Promise<void>;
};
