// Shows the progress of long work as one line that is overwritten, if stderr is a terminal.
import { forTerminal } from './output.js';

const REFRESH_INTERVAL_MS = 250;

const ERASE_LINE = '\r\u001b[K';

/** The progress line. */
export type Progress = {
  /** Erases the line so that something else can be printed; the line reappears below it. */
  clear(): void;
};

/**
 * Shows progress until the work succeeds or fails.
 *
 * @param line returns the current text of the line
 */
export async function withProgress<Result>(
  line: () => string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  if (stderr.isTTY !== true) return work({ clear: () => {} });
  const timer = setInterval(() => {
    // A line that wraps cannot be overwritten.
    stderr.write(`${ERASE_LINE}${forTerminal(line()).slice(0, (stderr.columns || 80) - 1)}`);
  }, REFRESH_INTERVAL_MS).unref();
  try {
    return await work({ clear: eraseProgress });
  } finally {
    clearInterval(timer);
    eraseProgress();
  }
}

/** Erases the progress line, if there is one, so that something else can be printed. */
export function eraseProgress(): void {
  if (process.stderr.isTTY === true) process.stderr.write(ERASE_LINE);
}

/** Starts measuring; returns a function that formats a count as a rate per second, such as `1,250`. */
export function startRate(): (count: number) => string {
  const started = performance.now();
  return (count) => grouped(Math.round((count * 1000) / (performance.now() - started)));
}

/** Formats a number with thousands separators. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}
