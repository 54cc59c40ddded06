// Progress of long work: one line on stderr that is overwritten, where stderr is a terminal.

/** How often the line is written, in milliseconds. */
const REFRESH_INTERVAL_MS = 250;

const ERASE_LINE = '\r\u001b[K';

/** The line while the work goes on. */
export type Progress = {
  /** Erases the line, so that something else can be printed in its place; it is written again below. */
  clear(): void;
};

/**
 * Shows progress until the work is done or has failed.
 *
 * @param line what to show now
 */
export async function withProgress<Result>(
  line: () => string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  if (stderr.isTTY !== true) return work({ clear: () => {} });
  const clear = () => {
    stderr.write(ERASE_LINE);
  };
  const timer = setInterval(() => {
    // A line that wraps could not be overwritten.
    stderr.write(`${ERASE_LINE}${line().slice(0, (stderr.columns || 80) - 1)}`);
  }, REFRESH_INTERVAL_MS).unref();
  try {
    return await work({ clear });
  } finally {
    clearInterval(timer);
    clear();
  }
}

/** From now on, how many there were in a second, such as `1,250`. */
export function startRate(): (count: number) => string {
  const started = performance.now();
  return (count) => grouped(Math.round((count * 1000) / (performance.now() - started)));
}

/** A number with its thousands apart. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}
