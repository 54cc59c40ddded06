// Removes registrations, one for each upload or PUT, that no house consignment refers to any longer.
import type { ExpiryContext } from './expire-entries.js';
import { expireRegistrations } from './registration-queries.js';

/** Maximum number of registrations that one step examines. */
const MAX_EXAMINED = 1000;

/**
 * Removes registrations of before a time that have no house consignment: all of them were removed, or are of a later
 * registration. Nothing shows them any longer; the audit trail has what each registered, by whom.
 *
 * @returns how many each step has removed
 */
export async function* expireUnusedRegistrations(
  { database }: Pick<ExpiryContext, 'database'>,
  before: Date,
): AsyncGenerator<number> {
  let after = 0;
  for (;;) {
    const [step] = await database.query(expireRegistrations(after, before, MAX_EXAMINED));
    if (step === undefined || step.last === null) return;
    yield step.removed;
    if (!step.isOld) return;
    after = step.last;
  }
}
