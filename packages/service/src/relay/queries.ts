// SQL of the relay: entries to relay, ends of feeds, positions of messages, and how far each feed is relayed.
import type { Statement } from '../database/database.js';
import { MAX_PAGE_BYTES, positionOfMarker } from '../feed/queries.js';
import type { RelayedFeeds } from './relayed-feeds.js';

/** An entry to relay. Without a text it does not fit into this page. */
export type CandidateRow = {
  owner: number;
  position: number;
  id: string;
  topic: string;
  entry: string | null;
};

/**
 * The next entries of several feeds, each after its position: at most `limit` of each, and as many as fit into a page.
 * Feeds are in the given order, each in its own.
 */
export function selectCandidates(
  { kind, owners, topic }: RelayedFeeds,
  after: ReadonlyMap<number, number>,
  limit: number,
): Statement<CandidateRow> {
  return {
    name: `relay-candidates-${kind.table}`,
    text: `
      select owner, position, id, topic, case when fits then entry end as entry
      from (
        select candidate.*,
          sum(octet_length(entry)) over page <= ${MAX_PAGE_BYTES} or row_number() over page = 1 as fits
        from (
          select wanted.number, o.id as owner, e.position, e.id, ${topic} as topic, e.entry
          from unnest($1::integer[], $2::bigint[]) with ordinality as wanted (owner, after, number)
          join ${owners} o (id) on o.id = wanted.owner
          cross join lateral (
            select * from ${kind.table} e
            where e.owner = wanted.owner and e.position > wanted.after
            order by e.position limit $3
          ) e
        ) candidate
        window page as (order by number, position rows unbounded preceding)
      ) in_order
      order by number, position`,
    values: [[...after.keys()], [...after.values()], limit],
  };
}

/** A feed, and the position of its last entry. */
export type EndRow = { owner: number; position: number };

/** Where the next feeds of a kind end, in the order of their owners. */
export function selectEndsAfter(
  { kind }: RelayedFeeds,
  owner: number,
  limit: number,
): Statement<EndRow> {
  return {
    name: 'relay-ends',
    text: `
      select owner, position from feed_state where kind = $1 and owner > $2 order by owner limit $3`,
    values: [kind.number, owner, limit],
  };
}

/** The entry of a message: its position in the feed of its owner. */
export type MessageRow = { key: string; owner: number; position: number };

/**
 * The entries of messages, by the texts that identify their owners and by their ids; also those that have expired. Of a
 * feed whose expired ids are not kept, a message before the start is an entry that has expired, and the start has its id.
 */
export function selectEntries(
  { kind, owners, isOwner }: RelayedFeeds,
  messages: ReadonlyMap<string, string>,
): Statement<MessageRow> {
  const ids = [...messages.values()];
  const carried = kind.ids === 'minted';
  const expired =
    kind.expiredIds === undefined
      ? `union all
          select case when s.removed_id = wanted.id then s.removed_position else wanted.position end from feed_state s
          where s.kind = ${kind.number} and s.owner = o.id
            and (s.removed_id = wanted.id or wanted.position between 1 and s.removed_position - 1)`
      : `union all
          select e.position from ${kind.expiredIds} e where e.owner = o.id and e.id = wanted.id`;
  return {
    name: `relay-entries-${kind.table}`,
    text: `
      select wanted.key, o.id as owner, found.position
      from unnest($1::text[], $2::uuid[], $3::bigint[]) as wanted (key, id, position)
      join ${owners} o (id) on ${isOwner}
      cross join lateral (
        select position from (
          select e.position from ${kind.table} e
          where e.owner = o.id and e.id = wanted.id ${carried ? 'and e.position = wanted.position' : ''}
          ${expired}
        ) entry
        limit 1
      ) found`,
    values: [[...messages.keys()], ids, ids.map((id) => (carried ? positionOfMarker(id) : 0))],
  };
}

/** The last entry of a feed that is relayed, and its sequence number in the stream. */
export type RelayedRow = { owner: number; position: number; sequence: number };

export function selectRelayed(stream: string): Statement<RelayedRow> {
  return {
    name: 'relay-positions',
    text: 'select owner, position, sequence from relay_position where stream = $1',
    values: [stream],
  };
}

/**
 * The streams to which feeds were relayed, by whichever server: they have this name, each with the prefix that its server is
 * configured with.
 */
export function selectRelayedStreams(name: string): Statement<{ stream: string }> {
  return {
    name: 'relay-recorded-streams',
    text: `
      select distinct stream from relay_position
      where stream = $1 or right(stream, length($1) + 1) = '_' || $1
      order by stream`,
    values: [name],
  };
}

/** It need not reach the disk at once, because the relay finds in the stream what is missing here. */
export function recordRelayed(stream: string, relayed: readonly RelayedRow[]): Statement {
  return {
    name: 'relay-record',
    text: `
      with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
      insert into relay_position (stream, owner, position, sequence)
      select $1, r.owner, r.position, r.sequence
      from relaxed, unnest($2::integer[], $3::bigint[], $4::bigint[]) as r (owner, position, sequence)
      on conflict (stream, owner) do update set position = excluded.position, sequence = excluded.sequence`,
    values: [
      stream,
      relayed.map(({ owner }) => owner),
      relayed.map(({ position }) => position),
      relayed.map(({ sequence }) => sequence),
    ],
  };
}

/** Removes what was recorded of messages that the stream has lost. */
export function forgetRelayedAfter(stream: string, sequence: number): Statement {
  return {
    name: 'relay-forget',
    text: 'delete from relay_position where stream = $1 and sequence > $2',
    values: [stream, sequence],
  };
}

/**
 * How many entries of all feeds are relayed, and how many are not yet; of views, up to where all are relayed, how many messages
 * are not searched for the one that is furthest behind, and whose that is.
 */
export type ProgressRow = { relayed: number; lag: number; behind?: string };

export function selectProgress({
  kind,
  stream,
}: Pick<RelayedFeeds, 'kind' | 'stream'>): Statement<ProgressRow> {
  return {
    name: 'relay-progress',
    text: `
      select coalesce(sum(r.position), 0)::double precision as relayed,
        coalesce(sum(greatest(s.position - coalesce(r.position, 0), 0)), 0)::double precision as lag
      from feed_state s left join relay_position r on r.stream = $1 and r.owner = s.owner
      where s.kind = $2`,
    values: [stream, kind.number],
  };
}

/** How many entries of a feed are not relayed yet. */
export type LagRow = { owner: number; lag: number; isSwept: boolean };

/** The lag of some feeds (`isSwept`: false), and of the next ones after an owner, in the order of the owners. */
export function selectLags(
  { kind, stream }: RelayedFeeds,
  asked: readonly number[],
  after: number,
  limit: number,
): Statement<LagRow> {
  return {
    name: 'relay-lags',
    text: `
      select feed.owner, swept as "isSwept",
        greatest(feed.position - coalesce(r.position, 0), 0)::double precision as lag
      from (
        (select owner, position, true as swept from feed_state where kind = $2 and owner > $4 order by owner limit $5)
        union all
        select owner, position, false from feed_state where kind = $2 and owner = any ($3::integer[])
      ) feed
      left join relay_position r on r.stream = $1 and r.owner = feed.owner
      order by feed.owner`,
    values: [stream, kind.number, asked, after, limit],
  };
}
