// Stopping: the first signal (Ctrl-C and its relatives) ends the work in order, the second ends the process at once.
import { constants } from 'node:os';
import { commandOnlyReads, isHeldUp, report } from '../output/output.js';
import { InterruptedError } from './exit.js';
import type { Ending } from './exit-codes.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal within this many milliseconds of the first counts as the same one: under npm, one Ctrl-C arrives twice,
 * from the terminal and forwarded by npm.
 */
const SAME_SIGNAL_MS = 400;

/** How long a command that only reads waits for a reader of its output that stands still, once it is to end. */
const READER_MS = 2_000;

/** The exit code that shells use for an interrupted command. */
const INTERRUPTED = 130;

/** The exit code when the server did not close in time. */
const NOT_CLOSED = 1;

type StopSignal = (typeof signals)[number];

const endings: Record<StopSignal, Ending> = {
  SIGINT: 'INTERRUPTED',
  SIGTERM: 'TERMINATED',
  SIGHUP: 'HUNG_UP',
};

/** Resolves at the first stop signal; the second ends the process. */
export function firstStopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const receive = (signal: StopSignal) => {
      const now = performance.now();
      first ??= now;
      if (now - first > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, receive);
  });
}

/** The exit code of a command that a signal ended, as shells report it: 130 for Ctrl-C. */
export function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}

/**
 * Aborts at the first stop signal, with an `InterruptedError`. The exit code is then that of the signal, whatever the
 * command reports about its end.
 */
export function abortOnStop(): AbortController {
  const controller = new AbortController();
  void firstStopSignal().then((signal) => {
    process.exitCode = exitCodeOf(signal);
    controller.abort(new InterruptedError(endings[signal]));
    endWithoutReader(READER_MS, () => process.exit());
  });
  return controller;
}

/**
 * Calls `end` after so many milliseconds if the reader of the output stands still then: what waits for it would never end.
 * A command that changes data does not wait for its reader, and has to come to the end of its work.
 */
export function endWithoutReader(ms: number, end: () => void): void {
  if (!commandOnlyReads()) return;
  setTimeout(() => {
    if (isHeldUp()) end();
  }, ms).unref();
}

/**
 * Closes a server. Ends the process after `limit` seconds, because open connections could delay closing for ever.
 */
export async function stopWithin(limit: number, server: { close(): Promise<void> }): Promise<void> {
  const timer = setTimeout(() => {
    report(`error: the server did not stop within ${limit} s`);
    process.exit(NOT_CLOSED);
  }, limit * 1000);
  await server.close();
  clearTimeout(timer);
}
