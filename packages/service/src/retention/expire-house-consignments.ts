// Removes presented and decided house consignments some time after both, in small steps, and declarations that are empty
// then.
import type { Transaction } from '../database/database.js';
import { lockFeeds } from '../feed/lock-queries.js';
import type { ExpiryContext } from './expire-entries.js';
import {
  beforeAll,
  type CandidateRow,
  deleteEmptyDeclarations,
  deleteExpiredHouses,
  lockDeclarationsOf,
  selectCandidates,
} from './house-consignment-queries.js';

/** Maximum number of house consignments of one step, for which presenters wait some milliseconds. */
const MAX_HOUSES = 100;

/**
 * Removes house consignments that were first presented and last decided before a time. One whose declaration or
 * organisations are locked by somebody else is left to the next run.
 *
 * @returns how many each step has removed
 */
export async function* expireHouseConsignments(
  context: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  let after = beforeAll;
  for (;;) {
    const candidates = await context.database.query(selectCandidates(before, after, MAX_HOUSES));
    const last = candidates.at(-1);
    if (last === undefined) return;
    after = last;
    const due = candidates.filter(({ ens }) => ens !== null);
    yield due.length === 0 ? 0 : await removeHouses(context, due, before);
  }
}

function removeHouses(
  { database, audit, clock }: ExpiryContext,
  due: readonly CandidateRow[],
  before: Date,
): Promise<number> {
  return database.transact(async (transaction) => {
    const declarations = await lockFree(
      transaction,
      due.flatMap(({ ens }) => ens ?? []),
    );
    const [houses] = await transaction.query(
      deleteExpiredHouses(
        due.map(({ id }) => id),
        declarations,
        before,
      ),
    );
    const removed = houses?.removed ?? 0;
    if (removed === 0) return 0;
    const [empty] = await transaction.query(deleteEmptyDeclarations(declarations));
    await audit.record(transaction, {
      at: clock(),
      actor: undefined,
      requestId: undefined,
      action: 'house-consignments.expired',
      details: { before, houseConsignments: removed, declarations: empty?.removed ?? 0 },
    });
    return removed;
  });
}

/**
 * Locks those declarations that nobody registers, presents or decides on now, without waiting. Presenting and deciding
 * lock the declarant and the representative.
 */
async function lockFree(transaction: Transaction, ids: readonly number[]): Promise<number[]> {
  const declarations = await transaction.query(lockDeclarationsOf(ids));
  const organisations = declarations.flatMap(({ organisations }) => organisations);
  const [row] = await transaction.query(lockFeeds(organisations, 0));
  const locked = new Set(row?.locked ?? []);
  return declarations
    .filter((declaration) => declaration.organisations.every((one) => locked.has(one)))
    .map(({ id }) => id);
}
