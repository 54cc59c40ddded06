// Why PostgreSQL cannot be used, in one line; an address is never told whole, because it may hold a password.
import { CommandFailedError, codeOf } from './exit.js';

/** SQLSTATE of what the server itself refuses, such as a wrong password or a database that is not there. */
const sqlState = /^[0-9A-Z]{5}$/;

/** The error in the words of the command; one that is not about the database is given back as it is. */
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
        `the database at DATABASE_URL does not answer (${reasonOf(error)})`,
      );
    default:
      return code !== undefined && sqlState.test(code) && isFromServer(error)
        ? new CommandFailedError(`PostgreSQL refuses: ${message} (${code})`)
        : error;
  }
}

/** Node.js has codes of five letters too, such as EPIPE; only the server tells a severity. */
function isFromServer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

/** Where a name has several addresses the error has no message of its own, and its cause has the code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || codeOf(error.cause) || 'no reason given';
}
