// SQL of the views of the goods-item stream: storing them, and reading what they show.
import type { GoodsItemView } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { MAX_PAGE_BYTES } from '../feed/queries.js';
import { goodsItemEvents, STREAM_OWNER } from './event-feed.js';
import type { ItemKey } from './goods-item-event.js';

/** The view of an organisation as it is stored. Without `view` it was removed. */
export type ViewRow = {
  organisation: string;
  version: number;
  view: GoodsItemView | null;
  changedAt: Date;
  changedBy: { organisation: string; client: string };
};

const columns = `o.identifier as organisation, v.version, v.conditions as view, v.changed_at as "changedAt",
        json_build_object('organisation', v.changed_by, 'client', v.changed_by_client) as "changedBy"`;

/** The view of an organisation by its identifier, also one that was removed. */
export function selectView(organisation: string): Statement<ViewRow> {
  return {
    name: 'goods-item-view',
    text: `
      select ${columns}
      from organisation o join goods_item_view v on v.organisation_id = o.id
      where o.identifier = $1`,
    values: [organisation],
  };
}

/** The next views, by the characters of the identifiers. */
export function selectViews(after: string, limit: number): Statement<ViewRow> {
  return {
    name: 'goods-item-views',
    text: `
      select ${columns}
      from goods_item_view v join organisation o on o.id = v.organisation_id
      where o.identifier collate "C" > $1 and v.conditions is not null
      order by o.identifier collate "C" limit $2`,
    values: [after, limit],
  };
}

/** The views of organisations by their numbers, those that have one. */
export type CurrentViewRow = { organisation: number; version: number; view: GoodsItemView };

export function selectCurrentViews(organisations: readonly number[]): Statement<CurrentViewRow> {
  return {
    name: 'current-goods-item-views',
    text: `
      select organisation_id as organisation, version, conditions as view from goods_item_view
      where organisation_id = any ($1::integer[]) and conditions is not null`,
    values: [organisations],
  };
}

/** Locks the organisation until the commit, so that its view is changed by one request at a time; no row without it. */
export function lockViewOf(organisation: string): Statement<{ id: number }> {
  return {
    name: 'lock-goods-item-view',
    text: 'select id from organisation where identifier = $1 for no key update',
    values: [organisation],
  };
}

/** Who changes a view, and when. */
export type ViewChange = { at: Date; organisation: string; client: string };

/** Stores a view, or removes it (`undefined`), under the next version. */
export function writeView(
  organisationId: number,
  view: GoodsItemView | undefined,
  { at, organisation, client }: ViewChange,
): Statement {
  return {
    name: 'write-goods-item-view',
    text: `
      insert into goods_item_view as v (organisation_id, version, conditions, changed_at, changed_by, changed_by_client)
      values ($1, 1, $2, $3, $4, $5)
      on conflict (organisation_id) do update set version = v.version + 1, conditions = excluded.conditions,
        changed_at = excluded.changed_at, changed_by = excluded.changed_by, changed_by_client = excluded.changed_by_client`,
    values: [
      organisationId,
      view === undefined ? null : JSON.stringify(view),
      at,
      organisation,
      client,
    ],
  };
}

/** Whether a view shows a row with `topic`, `requested_procedure` and `accepted_on`; the values begin with `$1`. */
const isShown = `
          ($1::text[] is null or left(topic, 1) = any ($1)) and ($2::text[] is null or right(topic, 2) = any ($2))
          and ($3::text[] is null or requested_procedure = any ($3))
          and ($4::text is null or accepted_on >= $4) and ($5::text is null or accepted_on <= $5)`;

function conditionValues({ directions, chapters, procedures, from, to }: GoodsItemView): unknown[] {
  return [directions ?? null, chapters ?? null, procedures ?? null, from ?? null, to ?? null];
}

/** How many positions, or current items, one statement reads at most to find those that a view shows. */
export const SCANNED = 20_000;

/**
 * A message that a view shows; the text is `null` where it does not fit into the page. Without an id, nothing was found. The
 * first row has the state of the feed too, in the same snapshot.
 */
export type ShownRow = {
  feedEnd: number;
  removedPosition: number;
  position: number | null;
  id: string | null;
  adds: boolean;
  entry: string | null;
};

/** The messages between two positions that a view shows; no row while the feed never had any. */
export function selectShown(
  view: GoodsItemView,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
  maxBytes: number,
): Statement<ShownRow> {
  return {
    name: 'shown-goods-item-events',
    text: `
      select s.position as "feedEnd", s.removed_position as "removedPosition", shown.position, shown.id, shown.adds,
        case when fits then entry end as entry
      from feed_state s
      left join (
        select candidate.*,
          sum(octet_length(entry)) over page <= $8 or row_number() over page = 1 as fits
        from (
          select position, id, declaration is not null as adds, entry from goods_item_event
          where owner = ${STREAM_OWNER} and position > $6 and position <= $9 and ${isShown}
          order by position limit $7
        ) candidate
        window page as (order by position rows unbounded preceding)
      ) shown on true
      where s.kind = ${goodsItemEvents.number} and s.owner = ${STREAM_OWNER}
      order by shown.position`,
    values: [...conditionValues(view), after, limit, maxBytes, upTo],
  };
}

/** The last message up to a position that a view shows, among the `SCANNED` up to there. */
export function selectLastShown(
  view: GoodsItemView,
  upTo: number,
): Statement<{ position: number; id: string }> {
  return {
    name: 'last-shown-goods-item-event',
    text: `
      select position, id from goods_item_event
      where owner = ${STREAM_OWNER} and position <= $6 and position > $6 - ${SCANNED} and ${isShown}
      order by position desc limit 1`,
    values: [...conditionValues(view), upTo],
  };
}

/** Where the stream begins and ends: the last removed position, and the last one; no row while it never had any. */
export const selectStreamEnds: Statement<{ first: number; last: number }> = {
  name: 'goods-item-stream-ends',
  text: `
      select removed_position as first, position as last from feed_state
      where kind = ${goodsItemEvents.number} and owner = ${STREAM_OWNER}`,
  values: [],
};

/**
 * A current item that a view shows; the text is `null` where it does not fit into the page. Without a number, nothing was
 * found. Every row has how many items were read, and the key of the last of them.
 */
export type ShownItemRow = {
  scanned: number;
  lastDeclaration: string | null;
  lastNumber: number | null;
  declaration: string | null;
  number: number | null;
  entry: string | null;
};

/** The current items after a key that a view shows, among the next `SCANNED`; of one declaration if one is given. */
export function selectShownItems(
  view: GoodsItemView,
  after: ItemKey | undefined,
  declaration: string | undefined,
  limit: number,
): Statement<ShownItemRow> {
  return {
    name: `shown-goods-items-${declaration === undefined ? 'all' : 'declaration'}`,
    text: `
      with scanned as materialized (
        select declaration, number, position, topic, requested_procedure, accepted_on from goods_item
        where (declaration, number) > ($6::text, $7::bigint) ${declaration === undefined ? '' : 'and declaration = $9'}
        order by declaration, number limit ${SCANNED}
      ),
      last as (select declaration, number from scanned order by declaration desc, number desc limit 1),
      candidate as materialized (
        select declaration, number, coalesce(
          (select e.entry from goods_item_event e where e.owner = ${STREAM_OWNER} and e.position = s.position),
          (select i.entry from goods_item i where i.declaration = s.declaration and i.number = s.number)) as entry
        from scanned s where ${isShown} order by declaration, number limit $8
      )
      select (select count(*) from scanned)::integer as scanned,
        (select declaration from last) as "lastDeclaration", (select number from last) as "lastNumber",
        shown.declaration, shown.number, case when fits then entry end as entry
      from (values (1)) one
      left join (
        select candidate.*,
          sum(octet_length(entry)) over page <= ${MAX_PAGE_BYTES} or row_number() over page = 1 as fits
        from candidate
        window page as (order by declaration, number rows unbounded preceding)
      ) shown on true
      order by shown.declaration, shown.number`,
    values: [
      ...conditionValues(view),
      after?.declaration ?? '',
      after?.number ?? 0,
      limit,
      ...(declaration === undefined ? [] : [declaration]),
    ],
  };
}

/** One of the last messages, with its facts. */
export type LastMessageRow = {
  id: string;
  adds: boolean;
  topic: string;
  procedure: string | null;
  acceptedOn: string | null;
  entry: string;
};

/** The last messages, newest first, as many as fit into a page. */
export function selectLastMessages(limit: number): Statement<LastMessageRow> {
  return {
    name: 'last-goods-item-events',
    text: `
      select id, declaration is not null as adds, topic, requested_procedure as procedure, accepted_on as "acceptedOn", entry
      from (
        select e.*, sum(octet_length(entry)) over page <= ${MAX_PAGE_BYTES} or row_number() over page = 1 as fits
        from (
          select * from goods_item_event where owner = ${STREAM_OWNER} order by position desc limit $1
        ) e
        window page as (order by position desc rows unbounded preceding)
      ) sized
      where fits order by position desc`,
    values: [limit],
  };
}
