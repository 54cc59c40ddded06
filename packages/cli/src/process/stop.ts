// Stopping: the first signal (Ctrl-C and its relatives) ends the work in order, the second ends the process at once.
import { constants } from 'node:os';
import { report } from '../output/output.js';
import { InterruptedError } from './exit.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal within this many milliseconds of the first counts as the same one: under npm, one Ctrl-C arrives twice,
 * from the terminal and forwarded by npm.
 */
const SAME_SIGNAL_MS = 400;

/** The exit code that shells use for an interrupted command. */
const INTERRUPTED = 130;

/** The exit code when the server did not close in time. */
const NOT_CLOSED = 1;

type StopSignal = (typeof signals)[number];

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
    controller.abort(new InterruptedError());
  });
  return controller;
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
