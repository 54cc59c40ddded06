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
  { database, audit, clock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  let after = 0;
  for (;;) {
    const step = await database.transact(async (transaction) => {
      const [row] = await transaction.query(expireRegistrations(after, before, MAX_EXAMINED));
      if (row !== undefined && row.removed > 0) {
        await audit.record(transaction, {
          at: clock(),
          actor: undefined,
          requestId: undefined,
          action: 'registrations.expired',
          details: { before, registrations: row.removed },
        });
      }
      return row;
    });
    if (step === undefined || step.last === null) return;
    yield step.removed;
    if (!step.isOld) return;
    after = step.last;
  }
}
