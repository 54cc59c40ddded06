// Reads one house consignment in its current state.
import type { Queryable } from '../database/database.js';
import { findNext } from './list-house-consignments.js';

/** The house consignment as JSON text; `undefined` if there is none with this id. */
export async function getHouseConsignment(
  database: Queryable,
  id: string,
): Promise<string | undefined> {
  for (const state of [undefined, 'WITHDRAWN'] as const) {
    const { body, found } = await findNext(database, { ids: [id], state }, undefined, 1);
    // The page is an array of one.
    if (found > 0) return body.slice(1, -1);
  }
  return undefined;
}
