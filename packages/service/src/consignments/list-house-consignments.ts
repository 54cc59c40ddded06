// Lists house consignments by filters: transport document, party, office, state and time.
import { type HouseConsignmentQuery, PAGE_LIMIT } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import { type FurtherFilters, MAX_CANDIDATES } from './candidate-queries.js';
import { findPage } from './queries.js';

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
  const statement = findPage(
    {
      ...filters,
      fromId: from === undefined ? undefined : firstIdOf(new Date(from)),
      toId: to === undefined ? undefined : firstIdOf(new Date(to)),
    },
    marker,
    limit,
  );
  const [row] = await database.query(statement);
  if (row === undefined) throw new Error('a search returned no row');
  if (!row.isKnown) {
    throw new UnknownMarkerError('is not the id of a house consignment of this declaration');
  }
  const { body, found, lastFound, candidates, lastCandidate } = row;
  const next = found === limit ? lastFound : candidates === MAX_CANDIDATES ? lastCandidate : null;
  return { body, count: found, next: next ?? undefined };
}

/** The lowest id of a time: ids are UUID v7, which begin with the milliseconds since 1970 (RFC 9562). */
export function firstIdOf(time: Date): string {
  const milliseconds = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(0, 12);
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`;
}
