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
        select append_to_feeds(array_agg(row(2, $1::integer, mint_marker(position, 1),
          '{"position":' || position || ',"owner":' || $1 || '}', null, null, null, null, null, null, null)::new_entry
          order by position), 0, null)
        from (
          select number + coalesce((select position from feed_state where kind = 2 and owner = $1), 0) as position
          from generate_series(1, $2::bigint) as number
        ) next
        having count(*) > 0`,
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
