// Reads what happened to one house consignment.
import { FEED_ACCESS_SPAN } from '../audit/feed-access-log.js';
import type { Queryable } from '../database/database.js';
import { routingSignals } from '../routing/signal-feed.js';
import { selectHistory } from './history-queries.js';

/** Its history as JSON text, oldest first; `undefined` if it never existed. */
export async function getHouseConsignmentHistory(
  database: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await database.query(selectHistory(id, routingSignals.number, FEED_ACCESS_SPAN));
  return row === undefined || row.events === 0 ? undefined : row.body;
}
