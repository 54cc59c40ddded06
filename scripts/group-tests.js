// Divides the test files among processes.

/**
 * A process for each of these, because they measure or change what all files of a process share: its memory, its handles,
 * its environment or the delay of its event loop.
 */
const ALONE = [
  'playground/dist/leaks',
  'playground/dist/reset',
  'playground/dist/start-playground',
  'service/dist/http/fuzz',
  'service/dist/http/spooled-response',
  'service/dist/http/worst-bodies',
];

/** These take minutes, so they begin first, the longest before the others, each in a process of its own. */
const LONG = [
  'bench/small-runs',
  'console/dist/accessibility',
  'console/dist/flows',
  'faults/small-runs',
];

/** So few that no process runs for long after all others have ended. */
const MAX_FILES = 12;

/** Few files are divided among at least so many processes: they wait more than they compute. */
const MIN_PROCESSES = 6;

/**
 * Neighbours share a process: starting the first service of a process takes 2 s of the processor, each further one half a
 * second.
 *
 * @param {readonly string[]} files sorted
 * @returns {string[][]}
 */
export function groupTests(files) {
  const own = [...LONG, ...ALONE].flatMap((part) =>
    files.filter((file) => file.endsWith(`/${part}.test.js`)),
  );
  /** @type {Map<string, string[]>} */
  const packages = new Map();
  for (const file of files.filter((each) => !own.includes(each))) {
    const name = file.split('/dist/')[0] ?? '';
    packages.set(name, [...(packages.get(name) ?? []), file]);
  }
  const most = Math.min(MAX_FILES, Math.ceil(files.length / MIN_PROCESSES));
  const groups = [...packages.values()].flatMap((all) => {
    const size = Math.ceil(all.length / Math.ceil(all.length / most));
    return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
      all.slice(index * size, (index + 1) * size),
    );
  });
  // Single files are last, so that no process runs for long after all others have ended.
  groups.sort((one, other) => other.length - one.length);
  return [...own.map((file) => [file]), ...groups];
}
