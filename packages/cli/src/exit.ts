// How a command ends: errors become one clear message on stderr and an exit code.
import { CommanderError } from 'commander';
import { tell } from './output.js';

/** The service refused, or could not be reached. */
const FAILED = 1;

/** The command was not used as its help says. */
const WRONG_USAGE = 2;

/** What a command could not do. The message is all that its user is told. */
export class CommandFailedError extends Error {
  readonly code: string = 'COMMAND_FAILED';
  override name = 'CommandFailedError';
}

/** The command was called with arguments that do not fit together. */
export class UsageError extends CommandFailedError {
  override readonly code = 'USAGE';
  override name = 'UsageError';
}

/** Tells an error on stderr and gives the exit code that stands for it. */
export function tellError(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has told it already, and ends help and version the same way, with 0.
    return error.exitCode === 0 ? 0 : WRONG_USAGE;
  }
  if (error instanceof CommandFailedError) {
    tell(`error: ${error.message}`);
    return error instanceof UsageError ? WRONG_USAGE : FAILED;
  }
  tell(`unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  return FAILED;
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
