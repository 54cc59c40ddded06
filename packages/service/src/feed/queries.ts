// SQL of the feed: a page after a position, the position of a marker, where feeds stand.
import type { Statement } from '../database/database.js';
import type { Feed, FeedKind } from './feed.js';

/** How entries are put together to one text. */
export type Framing = 'json' | 'ndjson' | 'events';

/** A restriction to some entries of a feed: SQL over the columns of its table, and its values. */
export type FeedFilter = {
  name: string;
  /** The condition; given the number of the next free parameter. */
  condition: (firstParameter: number) => string;
  values: readonly unknown[];
};

/** A page: how many entries, the last one's position and id, and all of them as one text. */
export type PageRow = { entries: number; position: number; id: string; body: string };

/** The database puts the page together, so that nothing is parsed or serialised on the way out. */
const framings: Record<Framing, string> = {
  json: `'[' || string_agg(entry, ',') || ']'`,
  ndjson: `string_agg(entry, E'\\n') || E'\\n'`,
  events: `string_agg('id: ' || id || E'\\ndata: ' || entry || E'\\n\\n', '')`,
};

export function selectPage(
  { kind, owner }: Feed,
  after: number,
  limit: number,
  framing: Framing,
  filter?: FeedFilter,
): Statement {
  const condition = filter === undefined ? '' : `and ${filter.condition(4)}`;
  return {
    name: `page-${kind.table}-${framing}-${filter?.name ?? 'all'}`,
    text: `
      with page as materialized (
        select position, id, entry from ${kind.table}
        where owner = $1 and position > $2 ${condition}
        order by position limit $3
      )
      select count(*)::integer as entries, max(position) as position,
        (select id from page order by position desc limit 1) as id,
        ${framings[framing]} as body
      from page`,
    values: [owner, after, limit, ...(filter?.values ?? [])],
  };
}

/** A minted marker is found by the position in its first 48 bits, a given one by the index on the ids. */
export function selectMarkerPosition({ kind, owner }: Feed, marker: string): Statement {
  const carried = kind.ids === 'minted';
  return {
    name: `marker-${kind.table}`,
    text: `
      select position from ${kind.table}
      where owner = $1 and id = $2::uuid ${carried ? 'and position = $3' : ''}`,
    values: carried ? [owner, marker, positionOfMarker(marker)] : [owner, marker],
  };
}

function positionOfMarker(marker: string): number {
  return Number.parseInt(marker.replaceAll('-', '').slice(0, 12), 16);
}

/** Where feeds of one kind stand. */
export function selectPositions({ table }: FeedKind, owners: readonly number[]): Statement {
  return {
    name: `positions-${table}`,
    text: `
      select owner, coalesce((select max(position) from ${table} last where last.owner = wanted.owner), 0) as position
      from unnest($1::integer[]) as wanted (owner)`,
    values: [owners],
  };
}

/** A text that changes with every transaction that writes: while it stays, no feed has grown. */
export const selectWrites: Statement = {
  name: 'writes',
  text: 'select pg_current_snapshot()::text as writes',
  values: [],
};
