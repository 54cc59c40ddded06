// SQL of the feed: a page after a position, the position of a marker, the last positions of feeds.
import { MAX_DELIVERY_BYTES } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { historyOfPrimary } from '../database/standby-queries.js';
import type { Feed, FeedKind } from './feed.js';

/**
 * Maximum size of the entries of one page, in bytes; a larger entry is a page of its own (decision 0076). A page of
 * 1000 entries fits while they have 4 KB on average, and one that is full is handled within some milliseconds.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The same for a stream of events, which reads on as soon as the client has read; the longest entry has as many. */
const MAX_EVENTS_BYTES = 256 * 1024;

/** The same for what is sent to a receiver, with room for what stands around the entries. */
const MAX_DELIVERED_BYTES = MAX_DELIVERY_BYTES - 1000;

/** How entries are put together to one text. `delivery`: as `json`, but less at once. */
export type Framing = 'json' | 'ndjson' | 'events' | 'delivery';

/**
 * A restriction to some entries of a feed: SQL over the columns of its table, and its values. An index must serve it,
 * because a page may not scan the whole feed.
 */
export type FeedFilter = {
  name: string;
  /**
   * The condition; given the number of the next free parameter. `$1` is the owner, and `$2` the position that the page
   * follows.
   */
  condition: (firstParameter: number) => string;
  values: readonly unknown[];
};

/** A page. */
export type PageRow = {
  entries: number;
  /** Whether more may follow: `limit` or `MAX_PAGE_BYTES` ended the page, not the feed. */
  more: boolean;
  /** The position of the first entry, and the id of the last. */
  first: number | null;
  id: string | null;
  /** The position to read on after: of the last entry, or with a filter of the last that was scanned. */
  position: number;
  /** All entries as one text. */
  body: string | null;
};

/**
 * The entries of a page as one text: an expression over rows with `fits`. The database builds the text, so that nothing
 * is parsed or serialised on the way out.
 */
const AS_ARRAY = `'[' || string_agg(entry, ',') filter (where fits) || ']'`;
export const framings: Record<Framing, string> = {
  json: AS_ARRAY,
  delivery: AS_ARRAY,
  ndjson: `string_agg(entry, E'\\n') filter (where fits) || E'\\n'`,
  events: `string_agg('id: ' || id || E'\\ndata: ' || entry || E'\\n\\n', '') filter (where fits)`,
};

/** Maximum size of the entries of a page, in bytes; a larger entry is a page of its own. */
export const maxBytesOf: Record<Framing, number> = {
  json: MAX_PAGE_BYTES,
  ndjson: MAX_PAGE_BYTES,
  events: MAX_EVENTS_BYTES,
  delivery: MAX_DELIVERED_BYTES,
};

/**
 * A page of a feed. An entry fits if the sizes of all entries up to it are at most `maxBytesOf` together; the first always fits. PostgreSQL determines the size of an entry without reading its text, so what does not fit costs nothing.
 */
export function selectPage(
  { kind, owner }: Feed,
  after: number,
  limit: number,
  framing: Framing,
  filter?: FeedFilter,
): Statement<PageRow> {
  const { table } = kind;
  const maxBytes = maxBytesOf[framing];
  const condition = filter === undefined ? '' : `and ${filter.condition(4)}`;
  // With a filter the whole rest of the feed was scanned when nothing more follows.
  const scanned =
    filter === undefined
      ? 'coalesce(last, $2)'
      : `case when more then last else greatest($2, (
          select s.position from feed_state s where s.kind = ${kind.number} and s.owner = $1)) end`;
  return {
    name: `page-${table}-${framing}-${filter?.name ?? 'all'}`,
    text: `
      select entries, more, first, body,
        ${scanned} as position,
        (select id from ${table} e where e.owner = $1 and e.position = page.last) as id
      from (
        select (count(*) filter (where fits))::integer as entries,
          count(*) = $3 or count(*) > count(*) filter (where fits) as more,
          min(position) as first, max(position) filter (where fits) as last,
          ${framings[framing]} as body
        from (
          select candidate.*,
            sum(octet_length(entry)) over page <= ${maxBytes} or row_number() over page = 1 as fits
          from (
            select position, id, entry from ${table}
            where owner = $1 and position > $2 ${condition}
            order by position limit $3
          ) candidate
          window page as (order by position rows unbounded preceding)
        ) in_order
      ) page`,
    values: [owner, after, limit, ...(filter?.values ?? [])],
  };
}

/** The id of the entry at a position: of one that is kept, or of the last that was removed. */
export function selectIdAt({ kind, owner }: Feed, position: number): Statement<{ id: string }> {
  return {
    name: `id-at-${kind.table}`,
    text: `
      select id from ${kind.table} where owner = $1 and position = $2
      union all
      select removed_id from feed_state
      where kind = ${kind.number} and owner = $1 and removed_position = $2 and removed_id is not null
      limit 1`,
    values: [owner, position],
  };
}

/** Where a marker is, if its entry is kept, or its removed id; and the last entry that was removed from the feed. */
export type MarkerRow = {
  position: number | null;
  expiredPosition: number | null;
  removedPosition: number;
  removedId: string | null;
};

/**
 * The state of a feed that has entries, and the position of a marker in it. A minted marker is found by the position in its
 * first 48 bits, a given one by the index on the ids.
 */
export function selectMarker({ kind, owner }: Feed, marker: string): Statement<MarkerRow> {
  const carried = kind.ids === 'minted';
  const expired =
    kind.expiredIds === undefined
      ? 'null::bigint'
      : `(select position from ${kind.expiredIds} e where e.owner = $1 and e.id = $2::uuid)`;
  return {
    name: `marker-${kind.table}`,
    text: `
      select (
          select position from ${kind.table} e
          where e.owner = $1 and e.id = $2::uuid ${carried ? 'and e.position = $3' : ''}
        ) as position,
        ${expired} as "expiredPosition", removed_position as "removedPosition", removed_id as "removedId"
      from feed_state where kind = ${kind.number} and owner = $1`,
    values: carried ? [owner, marker, positionOfMarker(marker)] : [owner, marker],
  };
}

/**
 * The position after which the entries follow that were added at a time or later; no row if there are none. Times grow with positions, so it is
 * searched by halves, from the last removed position to the end: a key look-up for each, and no index on times. What is
 * removed meanwhile is older than what is kept.
 */
export function selectPositionBefore(
  { kind, owner }: Feed,
  since: string,
): Statement<{ position: number }> {
  const { number, table, time } = kind;
  return {
    name: `position-before-${table}`,
    text: `
      with recursive feed as materialized (
        select removed_position, position from feed_state where kind = ${number} and owner = $1
      ),
      search (low, high) as (
        select removed_position, position from feed
        union all
        select case when is_before then middle else low end, case when is_before then high else middle - 1 end
        from (select low, high, (low + high + 1) / 2 as middle from search where low < high) range
        cross join lateral (
          select coalesce((
            select ${time} < $2::timestamptz from ${table} e where e.owner = $1 and e.position = range.middle
          ), true) as is_before
        ) judged
      )
      select low as position from search where low = high and low < (select position from feed)`,
    values: [owner, since],
  };
}

/** The position that a minted marker carries. */
export function positionOfMarker(marker: string): number {
  return Number.parseInt(marker.replaceAll('-', '').slice(0, 12), 16);
}

/** Where a feed ends, and the history of the primary (decision 0121). */
export type FeedEndRow = { owner: number; position: number; history: string | null };

/** Where feeds of one kind end: at 0 if they never had an entry. */
export function selectFeedEnds(
  { number }: FeedKind,
  owners: readonly number[],
): Statement<FeedEndRow> {
  return {
    name: 'feed-ends',
    text: `
      select wanted.owner, coalesce(s.position, 0) as position, ${historyOfPrimary} as history
      from unnest($1::integer[]) as wanted (owner)
      left join feed_state s on s.kind = $2 and s.owner = wanted.owner`,
    values: [owners, number],
  };
}

/** A text that changes with every transaction that writes: while it stays, no feed has grown. */
export const selectWrites: Statement<{ writes: string }> = {
  name: 'writes',
  text: 'select pg_current_snapshot()::text as writes',
  values: [],
};
