// Explains in one line why PostgreSQL cannot be used. Never prints DATABASE_URL, which may contain a password.
import { CommandFailedError, codeOf, UsageError } from './exit.js';

/** SQLSTATE of an error from the server, such as a wrong password or a missing database. */
const sqlState = /^[0-9A-Z]{5}$/;

/**
 * Explains an error of the database; any other error is returned unchanged.
 *
 * @param setting what has the address of the database
 */
export function explainDatabaseFailure(error: unknown, setting = 'DATABASE_URL'): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  switch (code) {
    case 'NO_DATABASE':
    case 'MIGRATION_BLOCKED':
    case 'MIGRATION_MISMATCH':
      return new CommandFailedError(message);
    case 'DATABASE_ADDRESS':
      return new UsageError(message.replace('DATABASE_URL', setting));
    case 'DATABASE_UNAVAILABLE':
      if (isRefusedSession(error)) return explainDatabaseFailure(error.cause, setting);
      return new CommandFailedError(
        wasLost(error)
          ? `the connection with the database at ${setting} was lost (${reasonOf(error)}): run the command again`
          : `cannot connect to the database at ${setting} (${reasonOf(error)})`,
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

/** SQLSTATE classes of what an operator must change before a session is opened: who may connect, and to what. */
const REFUSED_SESSION = ['28', '3D', '42', '55000'];

function isRefusedSession(error: unknown): error is Error {
  if (!(error instanceof Error) || !isFromServer(error.cause)) return false;
  const code = codeOf(error.cause) ?? '';
  return REFUSED_SESSION.some((start) => code.startsWith(start));
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
