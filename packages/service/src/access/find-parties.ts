// Finds the organisations that messages name by identification numbers.
import type { Queryable } from '../database/database.js';
import { findNumberedOrganisations, type NumberedOrganisation } from './numbered-party-queries.js';

/** The organisations that identification numbers name, by number; those that name nobody are left out. */
export async function findParties(
  database: Queryable,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, NumberedOrganisation>> {
  if (numbers.length === 0) return new Map();
  const rows = await database.query(findNumberedOrganisations(numbers));
  return new Map(
    rows.flatMap(({ organisation }, index) => {
      const number = numbers[index];
      return organisation === null || number === undefined ? [] : [[number, organisation] as const];
    }),
  );
}
