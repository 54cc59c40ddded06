// Turns errors into a message on stderr and an exit code.
import { CommanderError } from 'commander';
import { report } from '../output/output.js';

/** Exit code: the service refused, or could not be reached. */
const FAILED = 1;

/** Exit code: wrong arguments. */
const WRONG_USAGE = 2;

/** A command failed. Its user sees the message and nothing else. */
export class CommandFailedError extends Error {
  readonly code: string = 'COMMAND_FAILED';
  override name = 'CommandFailedError';
}

/** The arguments of the command are wrong or do not go together. */
export class UsageError extends CommandFailedError {
  override readonly code = 'USAGE';
  override name = 'UsageError';
}

/** The user interrupted the command. */
export class InterruptedError extends CommandFailedError {
  override readonly code = 'INTERRUPTED';
  override name = 'InterruptedError';

  constructor() {
    super('interrupted');
  }
}

/** Reports an error on stderr and returns its exit code. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has already printed the error. It also throws after help and version, with exit code 0.
    return error.exitCode === 0 ? 0 : WRONG_USAGE;
  }
  if (error instanceof CommandFailedError) {
    report(`error: ${error.message}`);
    return error instanceof UsageError ? WRONG_USAGE : FAILED;
  }
  report(`unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  return FAILED;
}

/** The code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
