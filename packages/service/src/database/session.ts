// What every session with the database is set to.

/**
 * Every query is a look-up by key. A table that was empty when a plan was made would otherwise be read whole
 * for as long as the plan is kept; and compiling plans costs more than they take.
 */
const settings = { enable_seqscan: 'off', jit: 'off', plan_cache_mode: 'force_generic_plan' };

/** The settings as options of a connection to a server. */
export const sessionOptions = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The settings as statements, for the embedded database, which takes no options. */
export const sessionStatements = Object.entries(settings)
  .map(([name, value]) => `set ${name} = ${value};`)
  .join(' ');
