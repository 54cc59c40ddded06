// The limit of everything that a script waits for.

/**
 * Maximum duration of a command, of a file of tests, and of a start, in milliseconds. It ends what waits forever. It is far
 * beyond what anything takes on a machine that is ten times slower than usual: `npm ci` has taken four minutes there.
 */
export const MAX_WAIT_MS = 1_800_000;
