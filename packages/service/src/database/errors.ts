// What can go wrong with the database, in the terms of those who use it.

/** The database cannot be reached, or the connection was lost before the answer came. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
  override name = 'DatabaseUnavailableError';
}

/**
 * The session remembers statements of tables that a migration has changed since. It refuses them from then on: nothing
 * was done, and a new session will do.
 */
export class OutdatedSessionError extends DatabaseUnavailableError {}

/** More waits to be written than can be written in time. */
export class OverloadedError extends Error {
  readonly code = 'OVERLOADED';
  override name = 'OverloadedError';
}

/**
 * SQLSTATEs after which the same transaction may well succeed: serialization failure, deadlock, and a key that
 * somebody else has taken meanwhile. The last comes when goods are registered, or their declarant is changed, between
 * the statement that locks feeds and the one that appends to them; the next time, the first one sees it.
 */
const RETRYABLE = new Set(['40001', '40P01', '23505']);

/** SQLSTATE classes of a server that is not there: connection exceptions, out of resources, being shut down. */
const UNAVAILABLE_CLASSES = ['080', '53', '57P', '58'];

/** Whether the transaction was rolled back for a reason that may be gone at the next try. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && RETRYABLE.has(state);
}

/**
 * An error of the driver in our own terms: what has no SQLSTATE never came from the server, so the connection
 * is what failed.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  if (isOutdated(error)) {
    const message = 'the tables have changed since the session was opened';
    return new OutdatedSessionError(message, { cause: error });
  }
  const state = sqlState(error);
  const unavailable =
    state === undefined
      ? error instanceof Error && !(error instanceof TypeError)
      : UNAVAILABLE_CLASSES.some((start) => state.startsWith(start));
  return unavailable
    ? new DatabaseUnavailableError(error instanceof Error ? error.message : String(error), {
        cause: error,
      })
    : error;
}

/** Told by where PostgreSQL raises it: its SQLSTATE has many meanings, and its message is in the server's language. */
function isOutdated(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

const SQLSTATE_PATTERN = /^[0-9A-Z]{5}$/;

/** Node's own errors also have a `code`, such as EPIPE, which is why the severity is asked for too. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && SQLSTATE_PATTERN.test(code) ? code : undefined;
}
