// Tells what happened to one house consignment.
import { READING_SPAN } from '../audit/readings.js';
import type { Queryable } from '../database/database.js';
import { routingSignals } from '../routing/signal-feed.js';
import { type HistoryRow, selectHistory } from './history-queries.js';

/** Its history as JSON text, oldest first; `undefined` when there never was such a one. */
export async function getHouseConsignmentHistory(
  database: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await database.query<HistoryRow>(
    selectHistory(id, routingSignals.number, READING_SPAN),
  );
  return row === undefined || row.events === 0 ? undefined : row.body;
}
