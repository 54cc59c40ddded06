// Appends routing signals to feeds as presentations do, without goods: under the feed's lock, with minted markers.
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { routingSignals } from '../routing/signal-feed.js';

/**
 * Appends so many signals to the feed of an organisation. As those of one presentation may, they have the markers of
 * other organisations. Without a watch, nothing is announced.
 */
export async function appendSignals(
  database: Database,
  owner: number,
  count: number,
  watch?: FeedWatch,
): Promise<void> {
  await database.transact(async (transaction) => {
    await transaction.query({
      name: 'test-lock-feed',
      text: `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`,
      values: [owner],
    });
    await transaction.query({
      name: 'test-append-signals',
      text: `
        insert into routing_signal (owner, position, id, entry)
        select $1, position, mint_marker(position, 1), '{"position":' || position || ',"owner":' || $1 || '}'
        from generate_series(1, $2) as number,
          lateral (select number + (
            select coalesce(max(position), 0) from routing_signal where owner = $1) as position) as next`,
      values: [owner, count],
    });
  });
  watch?.wake(routingSignals, [owner]);
}

/** A feed of routing signals: the ids of its entries in their order. */
export async function readSignalIds(database: Database, owner: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>({
    name: 'test-signal-ids',
    text: 'select id from routing_signal where owner = $1 order by position',
    values: [owner],
  });
  return rows.map(({ id }) => id);
}
