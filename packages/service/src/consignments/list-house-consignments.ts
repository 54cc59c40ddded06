// Lists house consignments by filters: transport document, party, office, state and time.
import { type HouseConsignmentQuery, PAGE_LIMIT } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import { type Filters, type FurtherFilters, waysOfStep } from './candidate-queries.js';
import { type FoundRow, findPage } from './queries.js';

/** A page as JSON text, the number of its entries, and the marker of the next page if more may follow. */
export type FoundPage = { body: string; count: number; next: string | undefined };

/**
 * Examines at most 10,000 house consignments after the marker and returns those that match. The page may therefore be
 * short or empty although more follow; then it has `next`.
 *
 * @throws UnknownMarkerError within a declaration, if the marker is no id of its goods
 */
export async function listHouseConsignments(
  database: Queryable,
  { marker, limit = PAGE_LIMIT, from, to, ...filters }: HouseConsignmentQuery & FurtherFilters,
): Promise<FoundPage> {
  const { body, found, lastFound, lastCandidate, isEnd } = await findNext(
    database,
    {
      ...filters,
      fromId: from === undefined ? undefined : firstIdOf(new Date(from)),
      toId: to === undefined ? undefined : firstIdOf(new Date(to)),
    },
    marker,
    limit,
  );
  const next = found === limit ? lastFound : isEnd ? null : lastCandidate;
  return { body, count: found, next: next ?? undefined };
}

/** What one step of a search has found, and whether there are no more candidates. */
export type FoundStep = FoundRow & { isEnd: boolean };

/**
 * The next house consignments after one that match. All ways of a step have the same order, so each page may be found in
 * another way.
 */
export async function findNext(
  database: Queryable,
  filters: Filters,
  after: string | undefined,
  limit: number,
): Promise<FoundStep> {
  let step: FoundStep | undefined;
  for (const way of waysOfStep(filters, limit)) {
    const [row] = await database.query(findPage(filters, after, limit, way));
    if (row === undefined) throw new Error('a search returned no row');
    if (!row.isKnown) {
      throw new UnknownMarkerError('is not the id of a house consignment of this declaration');
    }
    step = { ...row, isEnd: row.isFound && row.candidates !== way.examined };
    if (step.isEnd || row.found === limit) return step;
  }
  if (step === undefined) throw new Error('a search has no way to find anything');
  return step;
}

/** The lowest id of a time: ids are UUID v7, which begin with the milliseconds since 1970 (RFC 9562). */
export function firstIdOf(time: Date): string {
  const milliseconds = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(0, 12);
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`;
}
