// The longest turn of the event loop of this process, as long as which all its requests wait.
import { existsSync, readFileSync } from 'node:fs';

/** How often the time is read, in milliseconds: a turn is measured with an error of this much. */
const INTERVAL_MS = 5;

/** In Linux, the processor time of the main thread, in nanoseconds, is its first number. */
const SCHEDSTAT = '/proc/self/schedstat';

const hasProcessorTime = existsSync(SCHEDSTAT);

/**
 * Processor time of the main thread in milliseconds, because a turn lasts longer by the clock if other processes use the
 * processors. Where the system does not report it, the clock.
 */
export function readProcessorTime(): number {
  return hasProcessorTime
    ? Number(readFileSync(SCHEDSTAT, 'latin1').split(' ')[0]) / 1e6
    : performance.now();
}

/** Measures from now on; each call of the result returns the longest turn since the last call, in milliseconds. */
export function measureLongestTurn(): () => number {
  let longest = 0;
  let last = readProcessorTime();
  const measure = () => {
    const now = readProcessorTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(measure, INTERVAL_MS).unref();
  return () => {
    measure();
    const result = longest;
    longest = 0;
    return result;
  };
}
