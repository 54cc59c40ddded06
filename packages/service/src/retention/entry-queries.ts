// SQL of the retention of statuses and signals.
import type { Statement } from '../database/database.js';
import type { FeedExpiry, FeedKind } from '../feed/feed.js';

/** A kind whose entries are removed some time after they were added. */
export type ExpiringKind = FeedKind & { expiry: FeedExpiry };

/** Up to which owner feeds were examined; `null` after the last. `owners`: of the feeds with expired entries. */
export type DueFeedsRow = { last: number | null; owners: number[] };

/** @param after the owner of the last feed that was examined */
export function selectDueFeeds(
  { number, table, time }: ExpiringKind,
  after: number,
  before: Date,
  limit: number,
): Statement<DueFeedsRow> {
  return {
    name: `due-${table}`,
    text: `
      with next as materialized (
        select owner, position, removed_position from feed_state
        where kind = ${number} and owner > $1 order by owner limit $3
      )
      select (select max(owner) from next) as last, array(
        select owner from next
        where position > removed_position + 1 and (
          select ${time} from ${table} e where e.owner = next.owner and e.position = removed_position + 1
        ) < $2
        order by owner
      ) as owners`,
    values: [after, before, limit],
  };
}

/** Of these feeds, how many have more than one entry, and one that is due. */
export function countDueFeeds(
  { number, table, time }: ExpiringKind,
  owners: readonly number[],
  before: Date,
): Statement<{ feeds: number }> {
  return {
    name: `count-due-${table}`,
    text: `
      select count(*)::integer as feeds
      from unnest($1::integer[]) as wanted (owner)
      join feed_state s on s.kind = ${number} and s.owner = wanted.owner
      where position > removed_position + 1 and (
        select ${time} from ${table} e where e.owner = s.owner and e.position = removed_position + 1
      ) < $2`,
    values: [owners, before],
  };
}

/** What a step has removed from one feed: every entry from position `first` to `last`. */
export type RemovedRow = { owner: number; first: number; last: number; entries: number };

/**
 * Removes the entries of feeds up to the first that was added at or after a time, or is not in one of the
 * JetStream streams `relayedTo` yet; never the last of a feed. The feeds are locked.
 */
export function expireEntries(
  { number, table, time, expiry: { details } }: ExpiringKind,
  owners: readonly number[],
  before: Date,
  limit: number,
  relayedTo: readonly string[] | undefined,
): Statement<RemovedRow> {
  const isRelayed =
    relayedTo === undefined
      ? ''
      : `
            and e.position <= (
              select min(coalesce(r.position, 0)) from unnest($4::text[]) as relayed (stream)
              left join relay_position r on r.stream = relayed.stream and r.owner = feed.owner
            )`;
  const removeDetails =
    details === undefined
      ? ''
      : `
      gone_details as (
        delete from ${details} where ctid = any (array(
          select detail.stored_at from due cross join lateral (
            select d.ctid as stored_at from ${details} d where d.owner = due.owner and d.position = due.position offset 0
          ) detail
        ))
      ),`;
  return {
    name: `expire-${table}${relayedTo === undefined ? '' : '-relayed'}`,
    text: `
      with oldest as materialized (
        select feed.owner, entry.*
        from unnest($1::integer[]) as wanted (owner)
        join feed_state feed on feed.kind = ${number} and feed.owner = wanted.owner
        cross join lateral (
          select e.ctid as stored_at, position, ${time} as at from ${table} e
          where e.owner = feed.owner and e.position < feed.position${isRelayed}
          order by position limit $3
        ) entry
      ),
      due as materialized (
        select * from (
          select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
        ) judged
        where is_due
      ),
      -- Entries never change, so each is still where it was found.
      gone as (
        delete from ${table} where ctid = any (array(select stored_at from due)) returning owner, position, id
      ),${removeDetails}
      state as (
        update feed_state s set removed_position = last.position, removed_id = last.id
        from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
        where s.kind = ${number} and s.owner = last.owner
      )
      select owner, min(position) as first, max(position) as last, count(*)::integer as entries
      from gone group by owner order by owner`,
    values: [owners, before, limit, ...(relayedTo === undefined ? [] : [relayedTo])],
  };
}
