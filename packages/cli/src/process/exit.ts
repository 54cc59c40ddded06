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

/** The user interrupted the command. */
export class InterruptedError extends CommandFailedError {
  override readonly code = 'INTERRUPTED';
  override name = 'InterruptedError';
  override readonly ending = 'INTERRUPTED';

  constructor() {
    super('interrupted');
  }
}

/**
 * Reports an error on stderr and returns its exit code.
 *
 * @param asJson as one line of JSON, for programs that read it
 */
export function reportError(error: unknown, asJson = false): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { message, ending, details = {} } = describeError(error);
  const { code: exitCode } = exitCodes[ending];
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
