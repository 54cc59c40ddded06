// The faults that the service still has. The model expects the behaviour of each of them exactly, so that a run finds
// every other one. Remove an entry together with its repair: from then on the model expects what is right, and a run
// fails if the repair is incomplete. `--fixed NAME,NAME` tries that without a change, and `--strict` removes all.

/** Each fault, with the section of the wire contract that it breaks. */
export const knownFaults = {};

/**
 * The faults that a run tolerates.
 *
 * @param {{ strict?: boolean, fixed?: string }} options `fixed`: names, separated by commas
 * @returns {Set<string>}
 */
export function toleratedFaults({ strict = false, fixed = '' }) {
  const expectedFixed = fixed === '' ? [] : fixed.split(',');
  const unknown = expectedFixed.find((name) => knownFaults[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(
      `no known fault "${unknown}": it is one of ${Object.keys(knownFaults).join(', ')}`,
    );
  }
  if (strict) return new Set();
  return new Set(Object.keys(knownFaults).filter((name) => !expectedFixed.includes(name)));
}
