// Removes presented and decided house consignments some time after both, and withdrawn ones some time after that, in
// small steps, and declarations that are empty then.
import type { Transaction } from '../database/database.js';
import { lockFeeds } from '../feed/lock-queries.js';
import { expireClosed } from './expire-closed.js';
import type { ExpiryContext } from './expire-entries.js';
import { expireReferences } from './expire-references.js';
import {
  beforeAll,
  type CandidateRow,
  deleteEmptyDeclarations,
  deleteExpiredHouses,
  deleteWithdrawnDeclarations,
  deleteWithdrawnHouses,
  type ExpiredWithdrawalsRow,
  lockDeclarationsOf,
  selectCandidates,
} from './house-consignment-queries.js';

/** Maximum number of house consignments of one step, for which presenters wait some milliseconds. */
const MAX_HOUSES = 100;

/** Maximum number of withdrawn house consignments, and of declarations, of one step. */
const MAX_WITHDRAWN = 1000;

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
    if (last === undefined) break;
    after = last;
    const due = candidates.filter(({ ens }) => ens !== null);
    yield due.length === 0 ? 0 : await removeHouses(context, due, before);
  }
  for (;;) {
    const { houses, declarations } = await removeWithdrawn(context, before);
    if (houses + declarations === 0) break;
    yield houses;
  }
  // What these remove are no house consignments.
  for await (const _ of expireClosed(context, before)) yield 0;
  for await (const _ of expireReferences(context, before)) yield 0;
}

/** Removes the next goods that were withdrawn; what is being registered is left to the next run. */
function removeWithdrawn(
  { database, audit, clock }: ExpiryContext,
  before: Date,
): Promise<ExpiredWithdrawalsRow> {
  return database.transact(async (transaction) => {
    const [goods] = await transaction.query(deleteWithdrawnHouses(before, MAX_WITHDRAWN));
    const [empty] = await transaction.query(deleteWithdrawnDeclarations(before, MAX_WITHDRAWN));
    const houses = goods?.houses ?? 0;
    const declarations = empty?.declarations ?? 0;
    if (houses + declarations > 0) {
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'withdrawn-goods.expired',
        details: { before, houseConsignments: houses, declarations },
      });
    }
    return { houses, declarations };
  });
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
export async function lockFree(
  transaction: Transaction,
  ids: readonly number[],
): Promise<number[]> {
  const declarations = await transaction.query(lockDeclarationsOf(ids));
  const organisations = declarations.flatMap(({ organisations }) => organisations);
  const [row] = await transaction.query(lockFeeds(organisations, 0));
  const locked = new Set(row?.locked ?? []);
  return declarations
    .filter((declaration) => declaration.organisations.every((one) => locked.has(one)))
    .map(({ id }) => id);
}
