// SQL of the relay: the events to relay, the position of an event, the position of the relay.
import type { Statement } from '../../database/database.js';
import { MAX_PAGE_BYTES } from '../../feed/queries.js';
import { STREAM_OWNER } from '../event-feed.js';

/** An event to relay. */
export type RelayedRow = { position: number; id: string; topic: string; entry: string };

/** The events after a position, in order, as many as fit into a page. */
export function selectEventsAfter(position: number, limit: number): Statement {
  return {
    name: 'relay-goods-item-events',
    text: `
      select position, id, topic, entry
      from (
        select candidate.*,
          sum(octet_length(entry)) over page <= ${MAX_PAGE_BYTES} or row_number() over page = 1 as fits
        from (
          select position, id, topic, entry from goods_item_event
          where owner = ${STREAM_OWNER} and position > $1
          order by position limit $2
        ) candidate
        window page as (order by position rows unbounded preceding)
      ) in_order
      where fits order by position`,
    values: [position, limit],
  };
}

/** The position of an event, expired or not. */
export function selectEventPosition(id: string): Statement {
  return {
    name: 'relay-goods-item-position',
    text: `
      select position from goods_item_event where owner = ${STREAM_OWNER} and id = $1
      union all select position from goods_item_expired where owner = ${STREAM_OWNER} and id = $1`,
    values: [id],
  };
}

/** The last recorded position of the relay. */
export type NotedRow = { position: number; sequence: number };

export function selectNoted(stream: string): Statement {
  return {
    name: 'relay-noted',
    text: 'select position, sequence from goods_item_relay where stream = $1',
    values: [stream],
  };
}

/** It need not reach the disk at once, because the relay resumes from the stream in NATS. */
export function noteRelayed(stream: string, position: number, sequence: number): Statement {
  return {
    name: 'relay-note',
    text: `
      with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
      insert into goods_item_relay (stream, position, sequence)
      select $1, $2::bigint, $3::bigint from relaxed
      on conflict (stream) do update set position = excluded.position, sequence = excluded.sequence`,
    values: [stream, position, sequence],
  };
}

/** How many events are published but not relayed. */
export function selectLag(stream: string): Statement {
  return {
    name: 'relay-lag',
    text: `
      select coalesce((select max(position) from goods_item_event where owner = ${STREAM_OWNER}), 0)
        - coalesce((select position from goods_item_relay where stream = $1), 0) as lag`,
    values: [stream],
  };
}
