// The option `--within` of commands that wait: they end when its time is over, also if nobody reads their output.
import { Option } from 'commander';
import { CallFailedError, reportError } from '../process/exit.js';
import { endWithoutReader } from '../process/stop.js';
import { wholeNumber } from './options.js';

/** The longest time that a wait may take, in seconds: a week. */
const MAX_WITHIN_S = 604_800;

/** How much later the command ends if the reader of its output stands still: else it ends in order before, in milliseconds. */
const GRACE_MS = 500;

/**
 * The option.
 *
 * @param meaning what happens after this time, in words
 */
export function withinOption(meaning: string): Option {
  return new Option(
    '--within <seconds>',
    `${meaning} (1 to ${MAX_WITHIN_S}; default: wait until Ctrl-C)`,
  ).argParser(wholeNumber(1, MAX_WITHIN_S));
}

/**
 * Begins the time: ends the process soon after it if the reader of the output stands still.
 *
 * @param within seconds, or `undefined` without the option
 * @returns the time for the client, in milliseconds
 */
export function beginWithin(
  within: number | undefined,
  asJson: boolean | undefined,
): number | undefined {
  if (within === undefined) return undefined;
  const ms = within * 1000;
  endWithoutReader(ms + GRACE_MS, () => {
    const message =
      'the time is over, and the reader of the output has not taken everything that was printed';
    process.exit(reportError(new CallFailedError(message, 'PENDING'), asJson));
  });
  return ms;
}
