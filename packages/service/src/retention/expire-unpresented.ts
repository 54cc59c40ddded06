// Removes house consignments that were never presented some time after the last thing that happened to them, and
// declarations that are empty then, or always were.
import { firstIdOf } from '../consignments/list-house-consignments.js';
import type { ExpiryContext } from './expire-entries.js';
import { lockFree } from './expire-house-consignments.js';
import { deleteEmptyDeclarations } from './house-consignment-queries.js';
import {
  changeVersions,
  deleteEmptyUnpresented,
  deleteUnpresented,
  selectEmptyDeclarations,
  selectUnpresented,
  type UnpresentedRow,
} from './unpresented-queries.js';

/** House consignments, or declarations, that one step examines: most of those that are old were presented. */
const EXAMINED = 1000;

/** Maximum number of house consignments that are removed at once, for which presenters wait some milliseconds. */
const MAX_HOUSES = 100;

/** After how long all are examined again, in milliseconds: nothing of them says that they were not presented. */
const AGAIN_MS = 6 * 3600 * 1000;

const LOWEST = '00000000-0000-0000-0000-000000000000';

/** Makes the removal of a server: a run that begins too soon after one that has examined all of them examines none. */
export function makeExpireUnpresented(
  context: ExpiryContext,
): (before: Date) => AsyncGenerator<number> {
  let endedAt = Number.NEGATIVE_INFINITY;
  return async function* (before) {
    if (performance.now() - endedAt < AGAIN_MS) return;
    yield* expireUnpresented(context, before);
    yield* expireEmptyDeclarations(context, before);
    endedAt = performance.now();
  };
}

/**
 * Removes those of which nothing is known since a time: they were pre-notified, changed, to arrive and decided before it.
 * What is locked by somebody else is left to the next run.
 *
 * @returns how many each step has removed
 */
export async function* expireUnpresented(
  context: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  const to = firstIdOf(before);
  for (let after = LOWEST; ; ) {
    const examined = await context.database.query(selectUnpresented(before, after, to, EXAMINED));
    const last = examined.at(-1);
    if (last === undefined) return;
    after = last.id;
    const due = examined.filter(({ ens }) => ens !== null);
    for (let first = 0; first < due.length; first += MAX_HOUSES) {
      yield await remove(context, due.slice(first, first + MAX_HOUSES), before);
    }
    if (due.length === 0) yield 0;
  }
}

/**
 * Removes declarations that have no house consignment, of which nothing is known since a time.
 *
 * @returns how many each step has removed
 */
export async function* expireEmptyDeclarations(
  { database, audit, clock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const examined = await database.query(selectEmptyDeclarations(before, after, EXAMINED));
    const last = examined.at(-1);
    if (last === undefined) return;
    after = last.id;
    const due = examined.flatMap(({ id, isDue }) => (isDue ? id : []));
    if (due.length === 0) {
      yield 0;
      continue;
    }
    yield await database.transact(async (transaction) => {
      const locked = await lockFree(transaction, due);
      const [row] = await transaction.query(deleteEmptyUnpresented(locked, before));
      const removed = row?.removed ?? 0;
      if (removed === 0) return 0;
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'empty-declarations.expired',
        details: { before, declarations: removed },
      });
      return removed;
    });
  }
}

function remove(
  { database, audit, clock }: ExpiryContext,
  due: readonly UnpresentedRow[],
  before: Date,
): Promise<number> {
  return database.transact(async (transaction) => {
    const named = new Set(due.flatMap(({ ens }) => ens ?? []));
    const declarations = await lockFree(transaction, [...named]);
    const ids = due.map(({ id }) => id);
    const [row] = await transaction.query(deleteUnpresented(ids, declarations, before));
    const removed = row?.removed ?? 0;
    if (removed === 0) return 0;
    const [empty] = await transaction.query(deleteEmptyDeclarations(declarations));
    await transaction.query(changeVersions(declarations));
    await audit.record(transaction, {
      at: clock(),
      actor: undefined,
      requestId: undefined,
      action: 'unpresented-goods.expired',
      details: { before, houseConsignments: removed, declarations: empty?.removed ?? 0 },
    });
    return removed;
  });
}
