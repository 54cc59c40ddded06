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

/** A page: how many entries, the first one's position, the last one's and its id, and all of them as one text. */
export type PageRow = {
  entries: number;
  first: number;
  position: number;
  id: string;
  body: string;
};

/**
 * The rows of a query, each with the `position` at which it is appended to its owner's feed. The query has a column
 * `owner`, whose lock is held (locks.ts).
 *
 * Each end is looked up once, and without a join: the planner takes a batch for a row or two, and would compare every
 * row with every end.
 *
 * @param order how the entries that one owner gets at once follow each other
 */
export function positioned(kind: FeedKind, query: string, order: string): string {
  return `
    select stepped.*, step + max(feed_end) over (partition by owner) as position
    from (
      select entering.*, row_number() over owners as step,
        case when row_number() over owners = 1 then ${feedEnd(kind, 'entering.owner')} end as feed_end
      from (${query}) entering
      window owners as (partition by owner order by ${order})
    ) stepped`;
}

/**
 * The position of a feed's last entry, or zero: an expression.
 *
 * @param owner column of the feed's owner
 * @param knownEnd column with a position that the feed is known to have reached, or zero: from there the look for the
 * end reads the last entries, and else a whole page of the index. One that the feed does not have, as after a
 * restore, is not believed.
 */
export function feedEnd({ table }: FeedKind, owner: string, knownEnd?: string): string {
  const end = `select max(position) from ${table} last where last.owner = ${owner}`;
  const ends =
    knownEnd === undefined ? `(${end})` : `(${end} and position >= ${knownEnd}), (${end})`;
  return `coalesce(${ends}, 0)`;
}

/**
 * The id of an entry that serves as its marker: an expression. It is a UUID v8 (RFC 9562) of the position in 48 bits
 * and of 62 bits that nobody can foresee: a hash of the position under a random seed of the statement's own. So the
 * entry is found by its position, and a made-up id is refused.
 *
 * @param position column of the entry's position
 */
export function mintMarker(position: string): string {
  const seed = 'select hashtextextended(gen_random_uuid()::text, 0)';
  // The version, 8, and the variant, binary 10, stand where RFC 9562 has them: in the first bits of two halves.
  return `encode(
    int8send((${position} << 16) | 32768)
      || int8send((hashint8extended(${position}, (${seed})) & 4611686018427387903) | (-9223372036854775808)),
    'hex')::uuid`;
}

/** The database puts the page together, so that nothing is parsed or serialised on the way out. */
export const framings: Record<Framing, string> = {
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
      select page.*,
        (select id from ${kind.table} last where last.owner = $1 and last.position = page.position) as id
      from (
        select count(*)::integer as entries, min(position) as first, max(position) as position,
          ${framings[framing]} as body
        from (
          select position, id, entry from ${kind.table}
          where owner = $1 and position > $2 ${condition}
          order by position limit $3
        ) in_order
      ) page`,
    values: [owner, after, limit, ...(filter?.values ?? [])],
  };
}

/** Where a marker is, and whether entries that follow it are gone. */
export type MarkerRow = { position: number; expired: boolean };

/** A minted marker is found by the position in its first 48 bits, a given one by the index on the ids. */
export function selectMarkerPosition({ kind, owner }: Feed, marker: string): Statement {
  const carried = kind.ids === 'minted';
  const gone =
    kind.expired === undefined
      ? ''
      : `union all
      select position, position + 1 < (select min(position) from ${kind.table} kept where kept.owner = $1)
      from ${kind.expired.table} where owner = $1 and id = $2::uuid`;
  return {
    name: `marker-${kind.table}`,
    text: `
      select position, false as expired from ${kind.table}
      where owner = $1 and id = $2::uuid ${carried ? 'and position = $3' : ''} ${gone}`,
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
