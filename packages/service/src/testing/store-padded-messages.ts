// Stores goods-item messages of any size. Older versions stored messages that are too large to publish now.
import type { Database } from '../database/database.js';
import { declarationId, makeMessage } from './goods-item-messages.js';

/**
 * Stores messages at the beginning of an empty stream. Each adds an item of one declaration, numbered from 1, and is
 * padded with spaces.
 */
export async function storePadded(database: Database, paddings: readonly number[]): Promise<void> {
  const message = makeMessage();
  await database.query({
    name: 'test-store-padded',
    text: `
      with stored as (
        insert into goods_item_event (owner, position, id, declaration, number, topic, published_at, entry)
        select 0, n, id, $3, n, 'import.87', now(), replace($1, $2, id::text) || repeat(' ', padding)
        from (
          select gen_random_uuid() as id, padding, n
          from unnest($4::integer[]) with ordinality as paddings (padding, n)
        ) made
        returning declaration, number, position, topic
      ),
      state as (
        insert into feed_state (kind, owner, position) select 6, 0, max(position) from stored
      )
      insert into goods_item (declaration, number, position, topic) select * from stored`,
    values: [JSON.stringify(message), message.metadata.eventId, declarationId(0), paddings],
  });
}
