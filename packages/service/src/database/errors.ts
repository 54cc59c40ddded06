// Errors of the database, as its callers see them.
import { isError, messageOf } from '../native-error.js';

/** The database cannot be reached, or the connection was lost before the response came. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
  override name = 'DatabaseUnavailableError';
}

/**
 * The session is lost, or must not be used for another statement; a new session may work. The cause affects
 * every request alike: a server that takes no writes, a statement that was cancelled, tables that have changed.
 */
export class UnusableSessionError extends DatabaseUnavailableError {}

/** The server takes no writes: it is a standby, or set read-only. All sessions with it are of no more use. */
export class ReadOnlyServerError extends UnusableSessionError {
  constructor(cause?: unknown) {
    super('the database takes no writes: it is a standby, or set read-only', { cause });
  }
}

/**
 * PostgreSQL gave up waiting for a synchronous standby and reported the commit as successful, with a warning: it is
 * on the primary, and would be lost with it.
 */
export class UnconfirmedCommitError extends UnusableSessionError {
  constructor() {
    super('no synchronous standby confirmed the commit in time');
  }
}

/**
 * The database is another one than before, such as one that was restored from a backup. What a request has read already, such
 * as the number of its organisation, may mean something else there.
 */
export class DatabaseReplacedError extends UnusableSessionError {
  constructor() {
    super('the database was replaced by another one: send the request again');
  }
}

/** More requests wait to be written than can be written in time. */
export class OverloadedError extends Error {
  readonly code = 'OVERLOADED';
  override name = 'OverloadedError';
}

/**
 * SQLSTATEs after which the same transaction may well succeed: serialization failure, deadlock, and a key that another
 * transaction has taken meanwhile. The last comes when goods are registered, or their declarant is changed, between the
 * statement that locks feeds and the one that appends to them; at the next attempt, the first one sees it.
 */
const RETRYABLE = new Set(['40001', '40P01', '23505']);

/** SQLSTATE classes of a server that is not there: connection exceptions, out of resources, being shut down. */
const UNAVAILABLE_CLASSES = ['080', '25P', '53', '55P03', '57P', '58'];

const SHARED_SESSION =
  'a connection pooler shares the sessions of the database between clients: set pool_mode = session in PgBouncer, and keep its server_reset_query';

/** A connection pooler has given the server process of a session to another client meanwhile. */
export class SharedSessionError extends UnusableSessionError {
  constructor() {
    super(SHARED_SESSION);
  }
}

/** SQLSTATE of a write on a server that takes none, such as a standby after a failover. */
const READ_ONLY = '25006';

/** SQLSTATEs that say that the session is of no more use, each with what it means. */
const UNUSABLE: Readonly<Record<string, string>> = {
  // A prepared statement is missing, or is there already: it is in the session of another client.
  '26000': SHARED_SESSION,
  '42P05': SHARED_SESSION,
  '57014': 'the database took too long, and the statement was cancelled',
};

/** SQLSTATEs whose own message does not say what happened here. */
const EXPLAINED: Readonly<Record<string, string>> = {
  '55P03': 'another transaction holds a lock that this request needs for longer than it may wait',
};

/** SQLSTATE classes of errors that one request of many can cause by what it says: its data, or its size. */
const CAUSED_BY_A_REQUEST = ['21', '22', '23', '40', '42P08', '54', 'P0'];

/** Whether the transaction was rolled back for a reason that may be gone at the next try. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && RETRYABLE.has(state);
}

/** Whether the transaction was rolled back because others waited for it in turn. */
export function isDeadlock(error: unknown): boolean {
  return sqlState(error) === '40P01';
}

/** Whether a lock could not be taken within its time limit. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && sqlState(error.cause) === '55P03';
}

/** Whether an error would fail every request: then retrying the requests of a failed batch separately is useless. */
export function failsEveryRequest(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const state = sqlState(error);
  return state !== undefined && !CAUSED_BY_A_REQUEST.some((start) => state.startsWith(start));
}

/**
 * Translates an error of the driver. One without SQLSTATE did not come from the server, so the connection failed.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  if (isOutdated(error))
    return unusable('the tables have changed since the session was opened', error);
  const state = sqlState(error);
  if (state === undefined) {
    const ofTheConnection = isError(error) && !(error instanceof TypeError);
    return ofTheConnection ? unusable(error.message, error) : error;
  }
  if (state === READ_ONLY) return new ReadOnlyServerError(error);
  const meaning = UNUSABLE[state];
  if (meaning !== undefined) return unusable(meaning, error);
  if (!UNAVAILABLE_CLASSES.some((start) => state.startsWith(start))) return error;
  return new DatabaseUnavailableError(explain(state, error), { cause: error });
}

/**
 * The same for an error of opening a session: what the server refuses then, it refuses to every request, whatever its
 * SQLSTATE. A database that accepts no connections has 55000, a role that may not connect 28000 or 42501.
 */
export function translateOpeningError(error: unknown): unknown {
  const translated = translateDatabaseError(error);
  if (translated instanceof DatabaseUnavailableError || sqlState(translated) === undefined) {
    return translated;
  }
  return new DatabaseUnavailableError(messageOf(error), { cause: error });
}

/**
 * SQLSTATE classes after which the embedded database must be opened anew: a full disk at the wrong moment, and what
 * follows from it. A server would end the session or itself there; PGlite continues in an inconsistent state.
 */
const EMBEDDED_BROKEN = ['24', '53', '58', 'XX'];

/** The same for the embedded database. */
export function translateEmbeddedError(error: unknown): unknown {
  const state = sqlState(error);
  if (state !== undefined && EMBEDDED_BROKEN.some((start) => state.startsWith(start))) {
    return unusable(messageOf(error), error);
  }
  return translateDatabaseError(error);
}

function unusable(message: string, cause: unknown): UnusableSessionError {
  return new UnusableSessionError(message, { cause });
}

function explain(state: string, error: unknown): string {
  const explained = EXPLAINED[state];
  if (explained !== undefined) return explained;
  if (isLockTableFull(state, error)) {
    return 'the request affects more organisations than the database can lock at once: raise max_locks_per_transaction';
  }
  return messageOf(error);
}

/** PostgreSQL has no SQLSTATE of its own for a full lock table; its hint names the setting in every language. */
function isLockTableFull(state: string, error: unknown): boolean {
  return (
    state === '53200' &&
    isError(error) &&
    'hint' in error &&
    String(error.hint).includes('max_locks_per_transaction')
  );
}

/** Detected by where PostgreSQL raises it: its SQLSTATE has many meanings, and its message is localised. */
function isOutdated(error: unknown): boolean {
  return isError(error) && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

const SQLSTATE_PATTERN = /^[0-9A-Z]{5}$/;

/** The SQLSTATE of an error, or of the one that it translates. */
export function sqlStateOf(error: unknown): string | undefined {
  return sqlState(error) ?? (isError(error) ? sqlState(error.cause) : undefined);
}

/** Node's own errors also have a `code`, such as EPIPE; only PostgreSQL's have a severity. */
function sqlState(error: unknown): string | undefined {
  if (!isError(error) || !('code' in error) || !('severity' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && SQLSTATE_PATTERN.test(code) ? code : undefined;
}
