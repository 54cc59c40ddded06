// Reads a run and its progress.
import type { Queryable } from '../database/database.js';
import { selectRun } from './queries.js';
import { RunNotFoundError, type ShownRun, showRun } from './runs.js';

/** @throws RunNotFoundError */
export async function getRoutingRun(database: Queryable, id: string): Promise<ShownRun> {
  const [row] = await database.query(selectRun(id));
  if (row === undefined) throw new RunNotFoundError(id);
  return showRun(id, row);
}
