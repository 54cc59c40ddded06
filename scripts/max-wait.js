// The limit of everything that a script waits for.

/**
 * Maximum duration of a command, of a file of tests, and of a start, in milliseconds. It ends what waits forever. It is far
 * beyond what anything takes on a machine that is ten times slower than usual: `npm ci` has taken four minutes there, and the
 * file that runs every bench once 31 minutes.
 */
export const MAX_WAIT_MS = 3_600_000;
