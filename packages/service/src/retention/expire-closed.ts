// Removes closed transports and master consignments when the goods that they reached are gone.
import type { ExpiryContext } from './expire-entries.js';
import { beforeAllMovements, deleteClosed, selectClosed } from './movement-queries.js';

/** Messages that one step examines. */
const EXAMINED = 500;

/**
 * Removes transports and master consignments that were closed before a time and that reach nothing which is kept.
 *
 * @returns how many each step has removed
 */
export async function* expireClosed(
  { database, audit, clock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  for (let after = beforeAllMovements; ; ) {
    const examined = await database.query(selectClosed(before, after, EXAMINED));
    const last = examined.at(-1);
    if (last === undefined) return;
    after = last;
    const due = examined.flatMap(({ id, isDue }) => (isDue ? id : []));
    if (due.length === 0) {
      yield 0;
      continue;
    }
    yield await database.transact(async (transaction) => {
      const [row] = await transaction.query(deleteClosed(due));
      const removed = row?.removed ?? 0;
      if (removed === 0) return 0;
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'closed-movements.expired',
        details: { before, messages: removed },
      });
      return removed;
    });
  }
}
