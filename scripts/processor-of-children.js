// Measures child processes, which Node.js does not do.
import { existsSync, readFileSync } from 'node:fs';

/** Linux counts the time of processes in these parts of a second. */
const TICKS_PER_SECOND = 100;

/** Seconds of the processor in child processes that have ended, with theirs. 0 without /proc. */
export function processorOfChildren() {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program is in parentheses, and may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // cutime and cstime, the 16th and 17th fields of proc(5): the first one here is the third.
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
