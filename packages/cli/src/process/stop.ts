// Stopping a server: the first signal (Ctrl-C and its relatives) closes it, the second ends the process at once.
import { report } from '../output/output.js';

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

/** Resolves at the first stop signal; the second ends the process. */
export function firstStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const receive = () => {
      const now = performance.now();
      first ??= now;
      if (now - first > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
      resolve();
    };
    for (const signal of signals) process.on(signal, receive);
  });
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
