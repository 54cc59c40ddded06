// The faults that the service still has. The model expects the behaviour of each of them exactly, so that a run finds
// every other one. Remove an entry together with its repair: from then on the model expects what is right, and a run
// fails if the repair is incomplete. `--fixed NAME,NAME` tries that without a change, and `--strict` removes all.

/** Each fault, with the section of the wire contract that it breaks. */
export const knownFaults = {
  'repeated-lines-forget':
    'The same lines sent again remove a house consignment and add it anew, without its decisions (7: idempotent).',
  'withdrawal-forgets':
    'A withdrawn house consignment loses its decisions and most of its history; sent again, it is another one (14.1).',
  'registration-overrides-officer':
    'A registration overrides or drops the decision of an officer (14.2).',
  'entering-is-not-flagged':
    'What enters a presented whole is not flagged: a consignment of another declaration in a presented container or receptacle, or under a presented master document; one that is amended into it; one of a declaration that was presented while it was empty, withdrawn and sent again (14.5).',
  'release-is-complete':
    'A check of a reference that was presented is complete although something that entered it later is not presented (14.5).',
  'declaration-read-is-mixed':
    'Reading a declaration while it is replaced gives members of one version with consignments of another (14.6).',
  'change-of-party-is-no-event':
    'A change of declarant, representative or office leaves no event in the history (7: everything that happened).',
  'records-only-hides-break':
    'A verification of records only makes a break that a whole verification has found disappear from the status.',
  'last-signal-by-time':
    'A search orders signals by time: of several with one time, or by servers with different clocks, it names a wrong one as the last (14.7).',
  'order-by-clock':
    'Histories, first presentations and what was added after a presentation are ordered by the clocks of servers (14.7).',
};

/**
 * Rules of the contract that will change. The model has them as they are now.
 *
 * - A retry of an older decision undoes a newer one (14.2 adds `decisionId` and `expected`).
 * - A confirmation, which is the same decision again, is no record (14.2).
 * - Unknown members of a declaration are ignored (14.3).
 */

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
