// One session with the database, by the driver: it cannot end the process, and leaves a server that takes no writes.
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { isError, messageOf } from '../native-error.js';
import type { Statement } from './database.js';
import {
  DatabaseReplacedError,
  DatabaseUnavailableError,
  ReadOnlyServerError,
  SharedSessionError,
  sqlStateOf,
  translateDatabaseError,
  translateEmbeddedError,
  translateOpeningError,
  UnconfirmedCommitError,
} from './errors.js';
import { type FailedWrites, writeFaults } from './failed-writes.js';
import type { OpenSessions, WatchedSession } from './open-sessions.js';
import type { PrimaryServer } from './primary-server.js';
import { beginSession, requireTransaction, verifySession } from './queries.js';
import { openingTimeout, responseTimeout, type SessionKind, settingsOf } from './session.js';
import { SessionProgress } from './session-progress.js';
import { shortName } from './statement-name.js';

/** Gives bigint as number: positions and counts stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** How a session is opened. */
export type SessionConfig = pg.ClientConfig & {
  kind: SessionKind;
  /** The server of the session, unless `connectionString` or `stream` is given. */
  primary?: PrimaryServer;
  /** Gives the password, in place of that in the address. */
  readPassword?: (() => Promise<string>) | undefined;
  /** The sessions that are watched together. */
  sessions: OpenSessions;
  /** Where it is noted that the database refuses a statement of a request. */
  failedWrites?: FailedWrites;
};

/** The sessions of requests: what they are refused is refused to every request. */
const OF_REQUESTS: readonly SessionKind[] = [
  'pool',
  'lookUps',
  'small',
  'large',
  'imports',
  'writes',
  'stream',
];

/** How many statements of a transaction are kept, to try one that has failed after them again. */
const MAX_KEPT = 20;

/** The SQLSTATEs of errors whose detail is the row that breaks a constraint: not null, and check. */
const ROW_ERRORS: readonly string[] = ['23502', '23514'];

/** Leaves out the row: it may have names and addresses, and errors are logged. */
function leaveOutRow(error: unknown): void {
  if (isError(error) && 'detail' in error) error.detail = undefined;
}

/** A session of the driver. Statements go through `execute`, which records which wait for a response. */
export class SessionClient extends pg.Client implements WatchedSession {
  readonly kind: SessionKind;
  readonly server: string | undefined;
  readonly #sessions: OpenSessions;
  readonly #primary: PrimaryServer | undefined;
  readonly #failedWrites: FailedWrites | undefined;
  #transaction: (Statement | string)[] | undefined;
  /** The server's process; behind a connection pooler, the driver's `processID` is another one. */
  backend: number | undefined;
  history: string | undefined;
  /** Whether a commit on this session was reported as successful without the confirmation of a standby. */
  #hasUnconfirmed = false;
  /** Whether the transaction is read-only, so that a write says nothing of the server. */
  #isReadOnly = false;
  readonly #progress = new SessionProgress();
  /** How often the database had been replaced when the session was begun. */
  readonly #replacements: number;
  /** The schema that `useSchema` has set; `undefined`: the one of the server. */
  #schema: string | undefined;

  constructor({ kind, sessions, primary, readPassword, failedWrites, ...config }: SessionConfig) {
    const server = config.connectionString ?? primary?.address;
    super({ ...config, ...(server !== undefined && { connectionString: server }), types });
    // An address given to the driver overrides the password beside it.
    if (readPassword !== undefined) Object.assign(this, { password: readPassword });
    this.kind = kind;
    this.server = server;
    this.#sessions = sessions;
    this.#replacements = sessions.replacements;
    this.#primary = primary;
    this.#failedWrites = OF_REQUESTS.includes(kind) ? failedWrites : undefined;
    // With TLS the driver replaces the stream, and reads from the one that it has then.
    this.connection.once(this.ssl ? 'sslconnect' : 'connect', () =>
      contain(this.connection.stream, () => this.#progress.note()),
    );
    // A failure is reported to the session's users by their statements, and by 'end'.
    this.on('error', () => undefined);
    // By where PostgreSQL raises it: the warning has no SQLSTATE of its own, and its message is localised.
    this.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.#hasUnconfirmed = true;
    });
    this.once('connect', () => sessions.add(this));
    this.once('end', () => sessions.delete(this));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  /** Connects; the driver's pool calls this, with a callback. */
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    const fail = () => {
      this.#primary?.lose(this.server);
      // The driver leaves a socket behind whose session was refused after it was accepted.
      this.destroy();
    };
    if (callback === undefined) {
      return super.connect().catch((error: unknown) => {
        fail();
        throw error;
      });
    }
    super.connect((error: Error | null) => {
      if (error) fail();
      callback(error);
    });
    return undefined;
  }

  /**
   * Opens the session.
   *
   * @throws UnusableSessionError when the database cannot be reached, or takes no writes
   */
  async open(): Promise<void> {
    try {
      await this.connect();
      await this.verify();
    } catch (error) {
      this.destroy();
      throw translateOpeningError(error);
    }
  }

  /**
   * Reads which process the server has for the session, which history it has, and whether it takes writes; closes it where
   * it does not. The first time, the session gets its settings: as parameters of the start, PgBouncer would refuse them.
   *
   * @throws UnusableSessionError for a standby, a database that was set to be read-only, or a shared session
   * @throws DatabaseReplacedError if the database was replaced since the session was begun: whoever waits for it knows the
   * other one
   */
  async verify(): Promise<void> {
    const isNew = this.backend === undefined;
    const [row] = await this.execute(
      isNew && this.kind !== 'embedded' ? beginSession(settingsOf(this.kind)) : verifySession,
    );
    const isOther = !isNew && row?.pid !== this.backend;
    this.backend = row?.pid;
    if (isOther || this.#sessions.sharesBackend(this)) {
      const error = new SharedSessionError();
      this.destroy(error.message);
      throw error;
    }
    // Of several servers, maintenance too needs the one that takes writes.
    const acceptsReadOnly =
      this.kind === 'standby' || (this.kind === 'maintenance' && this.#primary?.isOnly !== false);
    if (row?.readOnly && !acceptsReadOnly) throw this.#leaveServer(new ReadOnlyServerError());
    if (row === undefined || row.history === null) return;
    this.history = row.history;
    this.#sessions.noteHistory(row.history);
    // Nobody else replaces an embedded database. The tables are those that the server means; a schema has others.
    if (row.data !== null && this.kind !== 'embedded' && this.#schema === undefined) {
      this.#sessions.noteData(row.data);
    }
    if (this.#sessions.replacements !== this.#replacements) {
      const error = new DatabaseReplacedError();
      this.destroy(error.message);
      throw error;
    }
  }

  /**
   * Sets the schema whose tables the statements mean that are sent from now on. Not within a transaction: its rollback
   * would take the setting back.
   */
  useSchema(schema: string | undefined): void {
    if (schema === this.#schema) return;
    this.#schema = schema;
    this.execute(schema === undefined ? 'reset search_path' : `set search_path to ${schema}`).catch(
      // What follows would be about other tables.
      () => this.destroy('the schema of the session could not be set'),
    );
  }

  /** Sends one statement, or a script without values, and gives its rows. */
  async execute<Result extends object>(statement: Statement<Result> | string): Promise<Result[]> {
    const transaction = this.#noteTransaction(statement);
    const count = transaction?.length;
    this.#progress.begin();
    try {
      const { rows } = await this.query<Result>(asQuery(statement, this.#schema));
      // The warning comes before the result of the commit. Everything that is pending on the session counts as uncertain.
      if (this.#hasUnconfirmed) throw new UnconfirmedCommitError();
      return rows;
    } catch (error) {
      const state = sqlStateOf(error) ?? '';
      if (ROW_ERRORS.includes(state)) leaveOutRow(error);
      if (this.kind === 'embedded') throw translateEmbeddedError(error);
      if (this.#failedWrites !== undefined && writeFaults[state] !== undefined) {
        const statements = transaction?.slice(0, count) ?? [];
        if (!statements.includes(statement)) statements.push(statement);
        this.#failedWrites.note({ state, statements, schema: this.#schema });
        throw new DatabaseUnavailableError(messageOf(error), { cause: error });
      }
      const translated = translateDatabaseError(error);
      if (!(translated instanceof ReadOnlyServerError)) throw translated;
      if (this.#isReadOnly) throw new DatabaseUnavailableError('no commit is accepted now');
      throw this.#leaveServer(translated);
    } finally {
      this.#progress.end();
    }
  }

  /**
   * The first statements of the transaction that have been sent; `undefined` outside of one. All those of a long one, with
   * their values, would take as much memory as what it writes.
   */
  #noteTransaction(statement: Statement | string): (Statement | string)[] | undefined {
    if (this.#failedWrites === undefined) return undefined;
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text.startsWith('begin')) {
      this.#transaction = [];
      return undefined;
    }
    const transaction = this.#transaction;
    if (text === 'commit' || text === 'rollback') this.#transaction = undefined;
    else if (statement !== requireTransaction && transaction && transaction.length < MAX_KEPT) {
      transaction.push(statement);
    }
    return transaction;
  }

  /** Sends one statement in a read-only transaction. */
  async executeReadOnly<Result extends object>(statement: Statement<Result>): Promise<Result[]> {
    await this.execute('begin read only');
    this.#isReadOnly = true;
    try {
      return await this.execute(statement);
    } finally {
      this.#isReadOnly = false;
      await this.execute('rollback').catch(() => this.destroy());
    }
  }

  /** Closes every session with a server that takes no writes: they would fail as this one did. */
  #leaveServer(error: ReadOnlyServerError): ReadOnlyServerError {
    this.destroy(error.message);
    this.#primary?.lose(this.server);
    this.#sessions.leave(this.server, error.message);
    return error;
  }

  silence(now: number): number {
    // What is still being written has not been received, so there can be no response yet.
    return this.connection.stream.writableLength === 0 ? this.#progress.waited(now) : 0;
  }

  idleness(now: number): number {
    return this.#progress.idled(now);
  }

  ping(): void {
    // A failure ends the session, which its owner observes by 'end'.
    this.execute('select 1').catch(() => undefined);
  }

  isOverdue(now: number): boolean {
    const timeout = this.backend === undefined ? openingTimeout : responseTimeout;
    return this.#progress.waited(now) > timeout(this.kind);
  }

  /** Pending statements fail, and the server rolls back when it notices. */
  destroy(reason = 'the session was closed'): void {
    this.connection.stream.destroy(new DatabaseUnavailableError(reason));
  }
}

/**
 * Opens a session with the primary.
 *
 * @param prepare is called with each session before it is opened: a second one where the first server takes no writes
 */
export async function openSession(
  config: SessionConfig,
  prepare: (session: SessionClient) => void = () => undefined,
): Promise<SessionClient> {
  const open = async () => {
    const session = new SessionClient(config);
    prepare(session);
    await session.open();
    return session;
  };
  return config.primary === undefined ? open() : config.primary.open(open);
}

/**
 * Ends the session when the driver fails on what it reads, such as a text longer than V8 allows: the error would
 * otherwise leave the socket's event handler, and end the process.
 */
function contain(stream: Duplex, noteProgress: () => void): void {
  for (const listener of stream.listeners('data')) {
    // The cast is true because a listener of 'data' takes a chunk.
    const parse = listener as (chunk: Buffer) => void;
    stream.off('data', parse);
    stream.on('data', (chunk: Buffer) => {
      noteProgress();
      try {
        parse.call(stream, chunk);
      } catch (error) {
        stream.destroy(
          new Error('the driver cannot read what the database sent', { cause: error }),
        );
      }
    });
  }
}

/** The driver takes the values as they are; it does not change them, though its type says that it might. */
function asQuery(statement: Statement | string, schema: string | undefined): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement };
  return {
    // Each schema has its own plans: one that is used for several is made anew at each change.
    name: shortName(
      schema === undefined || statement.name === ''
        ? statement.name
        : `${statement.name}@${schema}`,
    ),
    text: statement.text,
    values: statement.values as unknown[],
  };
}
