// Explains in one line why PostgreSQL cannot be used. Never prints DATABASE_URL, which may contain a password.
import { CommandFailedError, codeOf } from './exit.js';

/** SQLSTATE of an error from the server, such as a wrong password or a missing database. */
const sqlState = /^[0-9A-Z]{5}$/;

/** Explains an error of the database; any other error is returned unchanged. */
export function explainDatabaseFailure(error: unknown): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  switch (code) {
    case 'NO_DATABASE':
    case 'MIGRATION_BLOCKED':
    case 'MIGRATION_MISMATCH':
      return new CommandFailedError(message);
    case 'DATABASE_UNAVAILABLE':
      return new CommandFailedError(
        wasLost(error)
          ? `the connection with the database at DATABASE_URL was lost (${reasonOf(error)}): run the command again`
          : `cannot connect to the database at DATABASE_URL (${reasonOf(error)})`,
      );
    default:
      return code !== undefined && sqlState.test(code) && isFromServer(error)
        ? new CommandFailedError(`PostgreSQL refuses: ${message} (${code})`)
        : error;
  }
}

/** Node.js also has codes of five letters, such as EPIPE; only errors from the server have a severity. */
function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** Whether there was a connection: an administrator has ended it, the server was shut down, or the network has failed. */
function wasLost(error: unknown): boolean {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  // What the driver says of a connection that was lost has no code.
  return LOST.has(codeOf(cause) ?? '') || /^(?:Connection terminated|Client has en)/.test(message);
}

const LOST = new Set(['57P01', '57P02', '57P05', 'ECONNRESET', 'EPIPE']);

/** If a host name has several addresses, the error has no message and its cause has the code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || codeOf(error.cause) || 'unknown reason';
}
