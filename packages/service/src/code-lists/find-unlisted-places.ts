// Finds the places that are not in UN/LOCODE (CL144).
import type { Queryable } from '../database/database.js';
import { findUnloCodes } from './unlo-code-queries.js';

/** Those of these codes that are not in the list; none while no list was imported. */
export async function findUnlistedPlaces(
  database: Queryable,
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const rows = await database.query(findUnloCodes(codes));
  return new Set(codes.filter((_, index) => rows[index]?.isListed === false));
}
