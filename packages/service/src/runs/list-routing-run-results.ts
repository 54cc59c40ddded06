// Lists what has become of each house consignment of a run.
import { PAGE_LIMIT, type RoutingRunResultQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { getRoutingRun } from './get-routing-run.js';
import { type Page, toPage } from './list-routing-runs.js';
import { selectResults } from './queries.js';

/** @throws RunNotFoundError */
export async function listRoutingRunResults(
  database: Queryable,
  id: string,
  { limit = PAGE_LIMIT, ...query }: RoutingRunResultQuery,
): Promise<Page> {
  const rows = await database.query(selectResults(id, query, limit));
  if (rows.length === 0) await getRoutingRun(database, id);
  return toPage(rows, limit);
}
