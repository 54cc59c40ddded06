// Selects all house consignments that match filters, as far as these are narrow enough.
import type { HouseConsignmentQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { firstIdOf } from './list-house-consignments.js';
import { type FurtherFilters, MAX_CANDIDATES, type Selected, selectMatching } from './queries.js';

/** What a selection has found, of a declaration in the order of house documents, else of ids; or that there are more, or more to examine, than is permitted. */
export type Selection = readonly Selected[] | 'TOO_MANY' | 'TOO_WIDE';

/** How many are found and examined at most. */
export type SelectionLimits = { found: number; examined: number };

/**
 * Selects house consignments, step by step: what changes meanwhile is selected as it was before or as it is after.
 *
 * @returns each with the number and the routing of its current decision
 */
export async function selectHouseConsignments(
  database: Queryable,
  { from, to, ...filters }: Omit<HouseConsignmentQuery, 'marker' | 'limit'> & FurtherFilters,
  { found, examined }: SelectionLimits,
): Promise<Selection> {
  const range = {
    fromId: from === undefined ? undefined : firstIdOf(new Date(from)),
    toId: to === undefined ? undefined : firstIdOf(new Date(to)),
  };
  const selected: Selected[] = [];
  let after: string | undefined;
  for (let left = examined; left > 0; left -= MAX_CANDIDATES) {
    const [row] = await database.query(selectMatching({ ...filters, ...range }, after));
    if (row === undefined) throw new Error('a search returned no row');
    // Retention has removed the goods at which the step before ended.
    if (!row.isKnown) throw new Error('the goods of a selection were removed');
    selected.push(...row.selected);
    if (selected.length > found) return 'TOO_MANY';
    if (row.candidates < MAX_CANDIDATES) return selected;
    after = row.lastCandidate ?? undefined;
  }
  return 'TOO_WIDE';
}
