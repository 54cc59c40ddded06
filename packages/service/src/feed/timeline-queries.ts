// SQL of the timelines of feeds: which one is current, and up to where an earlier one has the same entries.
import type { Statement } from '../database/database.js';
import type { Feed } from './feed.js';

/** The id of the current timeline. */
export const selectTimeline: Statement<{ id: string }> = {
  name: 'select-feed-timeline',
  text: 'select id from feed_timeline order by number desc limit 1',
  values: [],
};

/** The last position that a timeline and the current one have in common; null if it is the current one. */
export type CommonEndRow = { commonEnd: number | null };

/** No row if there is no such timeline. A feed without an end of a timeline had no entry in it. */
export function selectCommonEnd({ kind, owner }: Feed, timeline: string): Statement<CommonEndRow> {
  return {
    name: 'select-common-end-of-timelines',
    text: `
      select (
        select min(coalesce(e.position, 0))
        from feed_timeline ended
        left join feed_timeline_end e on e.timeline = ended.number and e.kind = $1 and e.owner = $2
        where ended.number >= t.number and ended.number < (select max(number) from feed_timeline)
      ) as "commonEnd"
      from feed_timeline t where t.id = $3::uuid`,
    values: [kind.number, owner, timeline],
  };
}

/** When the current timeline began, and where the feed ended then; no row before the first restoration. */
export function selectLastRestoration({
  kind,
  owner,
}: Feed): Statement<{ begunAt: Date; position: number }> {
  return {
    name: 'select-last-restoration',
    text: `
      select t.begun_at as "begunAt", coalesce(e.position, 0) as position
      from feed_timeline t
      join feed_timeline ended on ended.number = (
        select max(number) from feed_timeline where number < t.number)
      left join feed_timeline_end e on e.timeline = ended.number and e.kind = $1 and e.owner = $2
      where t.number = (select max(number) from feed_timeline)`,
    values: [kind.number, owner],
  };
}

/** The new timeline, and how many feeds the last one had. */
export type BegunTimeline = { id: string; begunAt: Date; feeds: number; lastChangeAt: Date | null };

/** Ends the current timeline where the feeds end now, and begins another one. */
export const insertTimeline: Statement<BegunTimeline> = {
  name: 'insert-feed-timeline',
  text: `
    with ended as materialized (
      select max(number) as number from feed_timeline
    ), ends as (
      insert into feed_timeline_end (timeline, kind, owner, position)
      select ended.number, s.kind, s.owner, s.position from feed_state s, ended where s.position > 0
      returning position
    ), begun as (
      insert into feed_timeline (id, begun_at) values (gen_random_uuid(), clock_timestamp()) returning id, begun_at
    )
    select id, begun_at as "begunAt", (select count(*) from ends)::integer as feeds,
      (select max(recorded_at) from audit_chain_end where position > 0) as "lastChangeAt"
    from begun`,
  values: [],
};

/** Sessions of servers, which would go on in the timeline that ends. Those of whoever asks are younger than a few seconds. */
export const countServerSessions: Statement<{ sessions: number }> = {
  name: 'count-server-sessions',
  text: `
    select count(*)::integer as sessions from pg_stat_activity
    where datname = current_database() and application_name = 'landfall'
      and backend_start < clock_timestamp() - interval '5 seconds'`,
  values: [],
};
