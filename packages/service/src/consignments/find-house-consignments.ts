// Finds house consignments: where is this parcel, and which are where.
import type { HouseConsignmentQuery } from '@landfall/contract';
import { PAGE_LIMIT } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type FoundRow, findPage, MAX_CANDIDATES } from './queries.js';

/** A page as JSON text, and the marker to go on from when more may follow. */
export type FoundPage = { body: string; next: string | undefined };

/**
 * Looks at up to 10,000 house consignments after the marker and gives those that fit. So a search is bounded, however
 * few of very many fit: the page may be short or empty, and `next` goes on. Wire contract, section 7.
 */
export async function findHouseConsignments(
  database: Queryable,
  { marker, limit = PAGE_LIMIT, from, to, ...filters }: HouseConsignmentQuery,
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
  const [row] = await database.query<FoundRow>(statement);
  if (row === undefined) throw new Error('a search gave no row');
  const { body, found, lastFound, candidates, lastCandidate } = row;
  const next = found === limit ? lastFound : candidates === MAX_CANDIDATES ? lastCandidate : null;
  return { body, next: next ?? undefined };
}

/** The lowest id minted at a time: ids are UUID v7, which begin with their milliseconds since 1970 (RFC 9562). */
function firstIdOf(time: Date): string {
  const milliseconds = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(0, 12);
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`;
}
