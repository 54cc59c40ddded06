// Removes routing runs that have ended, when none of their house consignments is kept any more.
import type { ExpiryContext } from './expire-entries.js';
import { deleteExpiredRun } from './run-queries.js';

/**
 * Removes runs that ended before a time, each with all its results: a part of them would be taken for all.
 *
 * @returns how many each step has removed
 */
export async function* expireRuns(
  { database, audit, clock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  let after: string | undefined;
  do {
    after = await database.transact(async (transaction) => {
      const [row] = await transaction.query(deleteExpiredRun(before, after));
      if (row === undefined) return undefined;
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'routing-run.expired',
        details: { before, run: row.id, houseConsignments: row.results },
      });
      return row.id;
    });
    yield after === undefined ? 0 : 1;
  } while (after !== undefined);
}
