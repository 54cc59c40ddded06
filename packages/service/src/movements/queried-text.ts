// The JSON text of a query, which the database makes.
import type { Queryable, Statement } from '../database/database.js';
import type { QueriedRow } from './descendant-queries.js';

/** The text that is sent; `undefined` if the organisation may ask about no such message. */
export type Queried = string | 'too many' | undefined;

/** Runs a query. */
export async function readQueried(
  database: Queryable,
  statement: Statement<QueriedRow>,
): Promise<Queried> {
  const [row] = await database.query(statement);
  return row === undefined ? undefined : (row.body ?? 'too many');
}
