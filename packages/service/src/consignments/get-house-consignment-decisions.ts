// Reads every decision on one house consignment.
import type { Queryable } from '../database/database.js';
import { selectDecisions } from './decision-queries.js';

/** Its decisions as JSON text, in the order of their numbers; `undefined` if it never existed or is not kept. */
export async function getHouseConsignmentDecisions(
  database: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await database.query(selectDecisions(id));
  return row?.exists === true ? row.body : undefined;
}
