// SQL of relaying what views show: which views there are, where messages are, and how far each view is relayed.
import type { GoodsItemView } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { goodsItemEvents, STREAM_OWNER } from '../goods-items/event-feed.js';

/** Whether an organisation has or had a view: without one, nothing is relayed, and nothing has to be removed. */
export const selectAnyView: Statement<{ exists: boolean }> = {
  name: 'any-goods-item-view',
  text: 'select exists (select from goods_item_view)',
  values: [],
};

/** The view of an organisation; `null` for one that was removed. */
export type RelayedViewRow = {
  organisation: number;
  identifier: string;
  version: number;
  view: GoodsItemView | null;
};

export const selectRelayedViews: Statement<RelayedViewRow> = {
  name: 'relayed-goods-item-views',
  text: `
      select o.id as organisation, o.identifier, v.version, v.conditions as view
      from goods_item_view v join organisation o on o.id = v.organisation_id
      order by o.id`,
  values: [],
};

/** The positions of messages in the stream, also of those that are not kept any longer. */
export function selectMessagePositions(
  ids: readonly string[],
): Statement<{ id: string; position: number }> {
  return {
    name: 'relayed-message-positions',
    text: `
      select id, position from goods_item_event where owner = ${STREAM_OWNER} and id = any ($1::uuid[])
      union all
      select id, position from goods_item_expired where owner = ${STREAM_OWNER} and id = any ($1::uuid[])`,
    values: [ids],
  };
}

/** The last position that was removed from the stream, and its last one; no row while it never had a message. */
export const selectStreamEnds: Statement<{ removed: number; end: number }> = {
  name: 'relayed-stream-ends',
  text: `
      select removed_position as removed, position as end from feed_state
      where kind = ${goodsItemEvents.number} and owner = ${STREAM_OWNER}`,
  values: [],
};

/** Forgets how far the views of these organisations were relayed. */
export function forgetViews(stream: string, organisations: readonly number[]): Statement {
  return {
    name: 'forget-relayed-views',
    text: 'delete from relay_position where stream = $1 and owner = any ($2::integer[])',
    values: [stream, organisations],
  };
}

/**
 * Up to where every view is relayed, `null` without one; how many messages are not searched for the view that is furthest behind,
 * and whose that is, `null` if none is.
 */
export type ViewProgressRow = { relayed: number | null; lag: number; behind: string | null };

export function selectViewProgress(stream: string): Statement<ViewProgressRow> {
  return {
    name: 'relayed-view-progress',
    text: `
      select min(relayed) as relayed, coalesce(max(lag), 0)::double precision as lag,
        (array_agg(identifier order by lag desc, identifier) filter (where lag > 0))[1] as behind
      from (
        select o.identifier, coalesce(r.position, 0) as relayed,
          greatest(coalesce(s.position, 0) - coalesce(r.position, 0), 0) as lag
        from goods_item_view v
        join organisation o on o.id = v.organisation_id
        left join feed_state s on s.kind = ${goodsItemEvents.number} and s.owner = ${STREAM_OWNER}
        left join relay_position r on r.stream = $1 and r.owner = v.organisation_id
        where v.conditions is not null
      ) view`,
    values: [stream],
  };
}
