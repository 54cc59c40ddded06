// Turns errors into a message on stderr and an exit code.
import { CommanderError } from 'commander';
import { report, reportJson } from '../output/output.js';
import { type Ending, exitCodes } from './exit-codes.js';

/** A command failed. Its user sees the message and nothing else. */
export class CommandFailedError extends Error {
  readonly code: string = 'COMMAND_FAILED';
  override name = 'CommandFailedError';
  /** How the command ends. */
  readonly ending: Ending = 'FAILED';
  /** What `--json` shows beside the message, such as the status of the service. */
  readonly details: Readonly<Record<string, unknown>> = {};
}

/** A call failed, or its time was over. */
export class CallFailedError extends CommandFailedError {
  override name = 'CallFailedError';
  override readonly ending: Ending;
  override readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    ending: Ending,
    { details = {}, cause }: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.ending = ending;
    this.details = details;
  }
}

/** The arguments of the command are wrong or do not go together. */
export class UsageError extends CommandFailedError {
  override readonly code = 'USAGE';
  override name = 'UsageError';
  override readonly ending = 'USAGE';
}

/** The user, or the system, interrupted the command. */
export class InterruptedError extends CommandFailedError {
  override readonly code = 'INTERRUPTED';
  override name = 'InterruptedError';
  override readonly ending: Ending;

  constructor(ending: Ending = 'INTERRUPTED') {
    super('interrupted');
    this.ending = ending;
  }
}

/**
 * Reports an error on stderr and returns the exit code of the command: that of a signal that ended it, else that of the
 * error. How it ends is determined here once, so that what is printed is what happens.
 *
 * @param asJson as one line of JSON, for programs that read it
 */
export function reportError(error: unknown, asJson = false): number {
  const before = Number(process.exitCode ?? 0);
  if (error instanceof CommanderError && error.exitCode === 0) return before;
  const { message, ending, details = {} } = describeError(error);
  const exitCode = before || exitCodes[ending].code;
  if (asJson) reportJson({ error: { ending, exitCode, message, ...details } });
  // Commander has already printed its errors.
  else if (!(error instanceof CommanderError)) report(`error: ${message}`);
  return exitCode;
}

function describeError(error: unknown): {
  message: string;
  ending: Ending;
  details?: Readonly<Record<string, unknown>>;
} {
  if (error instanceof CommandFailedError) return error;
  if (error instanceof CommanderError) {
    const isWithoutSubcommand = error.code === 'commander.help';
    const message = isWithoutSubcommand ? 'a subcommand is missing' : error.message;
    return { message: message.replace(/^error: /, ''), ending: 'USAGE' };
  }
  // What the system refuses, such as writing on a full disk, is no fault of this program.
  if (error instanceof Error && 'syscall' in error) {
    return { message: error.message, ending: 'FAILED' };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: `unexpected error: ${text}`, ending: 'FAILED' };
}

/** The code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
