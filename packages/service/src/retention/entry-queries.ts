// SQL of the retention of statuses and signals.
import type { Statement } from '../database/database.js';
import type { ExpiringFeed } from '../feed/feed.js';

/** Up to which organisation feeds were examined; `null` after the last. `owners`: of the feeds with expired entries. */
export type DueFeedsRow = { last: number | null; owners: number[] };

/** @param after the last organisation that was examined */
export function selectDueFeeds(
  { kind: { table }, time }: ExpiringFeed,
  after: number,
  before: Date,
  limit: number,
): Statement {
  return {
    name: `due-${table}`,
    text: `
      with next as materialized (
        select id from organisation where id > $1 order by id limit $3
      )
      select (select max(id) from next) as last, array(
        select id from next
        cross join lateral (
          select position, ${time} as at from ${table} where owner = next.id order by position limit 1
        ) first
        where at < $2
          and (select true from ${table} e where e.owner = next.id and e.position > first.position limit 1) is not null
        order by id
      ) as owners`,
    values: [after, before, limit],
  };
}

/** Of these feeds, how many have more than one entry, and one that is due. */
export function countDueFeeds(
  { kind: { table }, time }: ExpiringFeed,
  owners: readonly number[],
  before: Date,
): Statement {
  return {
    name: `count-due-${table}`,
    text: `
      select count(*)::integer as feeds
      from unnest($1::integer[]) as feed (owner)
      cross join lateral (
        select position, ${time} as at from ${table} e where e.owner = feed.owner order by position limit 1
      ) first
      where at < $2
        and (select true from ${table} e where e.owner = feed.owner and e.position > first.position limit 1) is not null`,
    values: [owners, before],
  };
}

/** What a step has removed from one feed: every entry from position `first` to `last`. */
export type RemovedRow = { owner: number; first: number; last: number; entries: number };

/**
 * Removes the entries of feeds up to the first that was added at or after a time, or is not in the JetStream stream yet
 * that has the name `relayedTo`; never the last of a feed.
 */
export function expireEntries(
  { kind: { number, table }, time, details }: ExpiringFeed,
  owners: readonly number[],
  before: Date,
  limit: number,
  relayedTo: string | undefined,
): Statement {
  const isRelayed =
    relayedTo === undefined
      ? ''
      : `
            and e.position <= (
              select r.position from relay_position r where r.stream = $4 and r.owner = feed.owner
            )`;
  return {
    name: `expire-${table}${relayedTo === undefined ? '' : '-relayed'}`,
    text: `
      with oldest as materialized (
        select owner, entry.*
        from unnest($1::integer[]) as feed (owner)
        cross join lateral (
          select e.ctid as stored_at, position, ${time} as at from ${table} e
          where e.owner = feed.owner
            and e.position < (select max(position) from ${table} last where last.owner = feed.owner)${isRelayed}
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
      ),${
        details === undefined
          ? ''
          : `
      gone_details as (
        delete from ${details} where ctid = any (array(
          select detail.stored_at from due cross join lateral (
            select d.ctid as stored_at from ${details} d where d.owner = due.owner and d.position = due.position offset 0
          ) detail
        ))
      ),`
      }
      start as (
        insert into feed_start (kind, owner, position, id)
        select distinct on (owner) ${number}, owner, position, id from gone order by owner, position desc
        on conflict (kind, owner) do update set position = excluded.position, id = excluded.id
      )
      select owner, min(position) as first, max(position) as last, count(*)::integer as entries
      from gone group by owner order by owner`,
    values: [owners, before, limit, ...(relayedTo === undefined ? [] : [relayedTo])],
  };
}
