// What every session with the database is set to.

/**
 * Every query is a look-up by key. A table that was empty when a plan was made would otherwise be read whole for
 * as long as the plan is kept, by itself or to merge its index with a batch; a plan made anew for each batch costs
 * more than the batch, and so does compiling it.
 */
const settings = {
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** The settings as arguments of a server process or of a connection. */
export const sessionArguments = Object.entries(settings).flatMap(([name, value]) => [
  '-c',
  `${name}=${value}`,
]);
