// Selects all house consignments that match filters, as far as these are narrow enough.
import type { HouseConsignmentQuery } from '@landfall/contract';
import type { Database, Queryable } from '../database/database.js';
import {
  type Filters,
  type FurtherFilters,
  MAX_CANDIDATES,
  waysOfStep,
} from './candidate-queries.js';
import { firstIdOf } from './list-house-consignments.js';
import { type Selected, type SelectedRow, selectMatching } from './queries.js';

/** What a selection has found, of a declaration in the order of house documents, else of ids; or that there are more, or more to examine, than is permitted. */
export type Selection = readonly Selected[] | 'TOO_MANY' | 'TOO_WIDE';

/** How many are found and examined at most. */
export type SelectionLimits = { found: number; examined: number };

/** The selection of many steps that a server makes on a database: they wait for each other, not in a session. */
const inProgress = new WeakMap<Database, Promise<unknown>>();

/**
 * Selects house consignments as they are at one moment.
 *
 * @returns each with the number and the routing of its current decision
 */
export async function selectHouseConsignments(
  database: Database,
  { from, to, ...given }: Omit<HouseConsignmentQuery, 'marker' | 'limit'> & FurtherFilters,
  limits: SelectionLimits,
): Promise<Selection> {
  const filters: Filters = {
    ...given,
    fromId: from === undefined ? undefined : firstIdOf(new Date(from)),
    toId: to === undefined ? undefined : firstIdOf(new Date(to)),
  };
  const first = await step(database, filters, undefined);
  if (isLast(first)) return first.selected.length > limits.found ? 'TOO_MANY' : first.selected;
  const selecting = (inProgress.get(database) ?? Promise.resolve()).then(() =>
    selectAtOnce(database, filters, limits),
  );
  inProgress.set(
    database,
    selecting.catch(() => undefined),
  );
  return selecting;
}

/** All steps read the snapshot of the first one. */
function selectAtOnce(
  database: Database,
  filters: Filters,
  { found, examined }: SelectionLimits,
): Promise<Selection> {
  return database.transact(async (transaction) => {
    await transaction.run('set transaction isolation level repeatable read, read only');
    const selected: Selected[] = [];
    let after: string | undefined;
    for (let left = examined; left > 0; left -= MAX_CANDIDATES) {
      const row = await step(transaction, filters, after);
      selected.push(...row.selected);
      if (selected.length > found) return 'TOO_MANY';
      if (isLast(row)) return selected;
      after = row.lastCandidate ?? undefined;
    }
    return 'TOO_WIDE';
  }, 'writes');
}

async function step(
  database: Queryable,
  filters: Filters,
  after: string | undefined,
): Promise<SelectedRow> {
  for (const way of waysOfStep(filters, MAX_CANDIDATES)) {
    const [row] = await database.query(selectMatching(filters, after, way));
    if (row === undefined) throw new Error('a search returned no row');
    if (!row.isKnown) throw new Error('a step of a selection began at goods that are not there');
    if (row.isFound) return row;
  }
  throw new Error('a selection has no way to find anything');
}

function isLast({ candidates }: SelectedRow): boolean {
  return candidates < MAX_CANDIDATES;
}
