// Searches house consignments by the beginning of an identifier, while somebody types.
import {
  type HouseConsignmentSearchQuery,
  SEARCH_EXAMINED,
  SEARCH_LIMIT,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { findNext } from './list-house-consignments.js';
import { selectByBeginning } from './queries.js';

/**
 * Finds house consignments with an identifier that begins with these characters, as JSON text. It examines the first
 * 1,000 identifiers of each kind and returns at most 50 house consignments; `complete` says whether these are all.
 */
export async function searchHouseConsignments(
  database: Queryable,
  { identifier, limit = SEARCH_LIMIT, ...filters }: HouseConsignmentSearchQuery,
): Promise<string> {
  const [identified] = await database.query(selectByBeginning(identifier, SEARCH_EXAMINED));
  if (identified === undefined) throw new Error('a search returned no row');
  const { ids, more } = identified;
  const page = await findNext(database, { ...filters, ids }, undefined, limit);
  const complete = !more && (page.found < limit || page.lastFound === page.lastCandidate);
  return `{"houseConsignments":${page.body},"complete":${complete}}`;
}
