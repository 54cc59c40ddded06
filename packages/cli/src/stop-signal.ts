// Ctrl-C and its relatives: the first asks to stop, the second stops at once.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * How long after the first signal another one is taken for the same, in milliseconds: under npm one Ctrl-C
 * comes twice, from the terminal and passed on by npm.
 */
const SAME_SIGNAL = 400;

/** What a shell calls a command that was interrupted. */
const INTERRUPTED = 130;

/** Resolves at the first signal to stop; at the second the process ends. */
export function firstStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const receive = () => {
      const now = performance.now();
      first ??= now;
      if (now - first > SAME_SIGNAL) process.exit(INTERRUPTED);
      resolve();
    };
    for (const signal of signals) process.on(signal, receive);
  });
}
