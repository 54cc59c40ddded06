// SQL of the retention of goods-item events.
import type { Statement } from '../database/database.js';
import { MAX_PAGE_BYTES } from '../feed/queries.js';
import { goodsItemEvents, STREAM_OWNER } from './event-feed.js';

/** An event to be removed from the stream. */
export type ExpiredRow = { position: number; entry: string };

/**
 * The oldest events, up to the first that was published at or after a time, as many as fit into a page. The newest
 * event is always kept: the next position is counted from it.
 *
 * @param upTo later positions are kept
 */
export function selectExpired(before: Date, upTo: number, limit: number): Statement<ExpiredRow> {
  return {
    name: 'expired-goods-item-events',
    text: `
      with oldest as materialized (
        select position, published_at, entry from goods_item_event
        where owner = ${STREAM_OWNER} and position <= $2
          and position < (select s.position from feed_state s
            where s.kind = ${goodsItemEvents.number} and s.owner = ${STREAM_OWNER})
        order by position limit $3
      )
      select position, entry
      from (
        select position, entry,
          sum(octet_length(entry)) over page <= ${MAX_PAGE_BYTES} or row_number() over page = 1 as fits
        from oldest
        where (select min(position) from oldest where published_at >= $1) is null
          or position < (select min(position) from oldest where published_at >= $1)
        window page as (order by position rows unbounded preceding)
      ) due
      where fits order by position`,
    values: [before, upTo, limit],
  };
}

/**
 * Moves events to the table of expired ones, which keeps what duplicates, old markers and removals look up. The text
 * moves to the current item that the event added.
 */
export function expireEvents(rows: readonly { position: number; digest: Buffer }[]): Statement {
  return {
    name: 'expire-goods-item-events',
    text: `
      with gone as (
        delete from goods_item_event e
        using rows from (unnest($1::bigint[]), unnest($2::text[])) as past (position, digest)
        where e.owner = ${STREAM_OWNER} and e.position = past.position
        returning e.*, past.digest
      ),
      state as (
        update feed_state s set removed_position = last.position, removed_id = last.id
        from (select position, id from gone order by position desc limit 1) last
        where s.kind = ${goodsItemEvents.number} and s.owner = ${STREAM_OWNER}
      ),
      kept as (
        update goods_item i set entry = gone.entry
        from gone
        where i.declaration = gone.declaration and i.number = gone.number and i.position = gone.position
      )
      insert into goods_item_expired
        (owner, position, id, declaration, number, topic, requested_procedure, accepted_on, digest)
      select owner, position, id, declaration, number, topic, requested_procedure, accepted_on, decode(digest, 'hex')
      from gone`,
    values: [
      rows.map(({ position }) => position),
      rows.map(({ digest }) => digest.toString('hex')),
    ],
  };
}
