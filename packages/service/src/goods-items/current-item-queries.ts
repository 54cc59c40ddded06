// SQL of the current goods items.
import type { Statement } from '../database/database.js';
import { type Framing, framings, MAX_PAGE_BYTES } from '../feed/queries.js';
import { STREAM_OWNER } from './event-feed.js';
import type { ItemKey } from './goods-item-event.js';

/**
 * A page of the current items: whether more may follow, the key of the last item, and all items as one text. `marker`
 * is the last event of the stream in the same snapshot.
 */
export type ItemsRow = {
  more: boolean;
  marker: string | null;
  declaration: string | null;
  number: number | null;
  body: string | null;
  count: number;
};

/** The items after a key that fit into a page, ordered by key; of one declaration if one is given. */
export function selectItems(
  after: ItemKey | undefined,
  declaration: string | undefined,
  limit: number,
  framing: Exclude<Framing, 'events'>,
): Statement<ItemsRow> {
  return {
    name: `goods-items-${framing}-${declaration === undefined ? 'all' : 'declaration'}`,
    text: `
      with page as materialized (
        select candidate.*,
          sum(octet_length(entry)) over page <= ${MAX_PAGE_BYTES} or row_number() over page = 1 as fits
        from (
          select declaration, number, coalesce(entry, (
            select e.entry from goods_item_event e where e.owner = ${STREAM_OWNER} and e.position = i.position
          )) as entry
          from goods_item i
          where (declaration, number) > ($1::text, $2::bigint) ${declaration === undefined ? '' : 'and declaration = $4'}
          order by declaration, number limit $3
        ) candidate
        window page as (order by declaration, number rows unbounded preceding)
      ),
      last as (select declaration, number from page where fits order by declaration desc, number desc limit 1)
      select (select count(*) = $3 or count(*) > count(*) filter (where fits) from page) as more,
        (select ${framings[framing]} from page) as body,
        (select count(*) filter (where fits) from page)::integer as count,
        (select declaration from last) as declaration, (select number from last) as number,
        (select id from goods_item_event where owner = ${STREAM_OWNER} order by position desc limit 1) as marker`,
    values: [
      after?.declaration ?? '',
      after?.number ?? 0,
      limit,
      ...(declaration === undefined ? [] : [declaration]),
    ],
  };
}
