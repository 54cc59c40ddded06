-- The SQL of packages/service/src/feed/. Generated: change the sources, then npm run generate.

-- count-server-sessions
-- packages/service/src/feed/timeline-queries.ts
select count(*)::integer as sessions from pg_stat_activity
where datname = current_database() and application_name = 'landfall'
  and backend_start < clock_timestamp() - interval '5 seconds';

-- feed-ends
-- packages/service/src/feed/queries.ts
select wanted.owner, coalesce(s.position, 0) as position, (select token from primary_history where timeline = left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)) as history
from unnest($1::integer[]) as wanted (owner)
left join feed_state s on s.kind = $2 and s.owner = wanted.owner;

-- id-at-goods_item_event
-- packages/service/src/feed/queries.ts
select id from goods_item_event where owner = $1 and position = $2
union all
select removed_id from feed_state
where kind = 6 and owner = $1 and removed_position = $2 and removed_id is not null
limit 1;

-- id-at-movement_status
-- packages/service/src/feed/queries.ts
select id from movement_status where owner = $1 and position = $2
union all
select removed_id from feed_state
where kind = 7 and owner = $1 and removed_position = $2 and removed_id is not null
limit 1;

-- id-at-routing_signal
-- packages/service/src/feed/queries.ts
select id from routing_signal where owner = $1 and position = $2
union all
select removed_id from feed_state
where kind = 2 and owner = $1 and removed_position = $2 and removed_id is not null
limit 1;

-- id-at-validation_status
-- packages/service/src/feed/queries.ts
select id from validation_status where owner = $1 and position = $2
union all
select removed_id from feed_state
where kind = 1 and owner = $1 and removed_position = $2 and removed_id is not null
limit 1;

-- insert-feed-timeline
-- packages/service/src/feed/timeline-queries.ts
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
from begun;

-- lock-feeds
-- packages/service/src/feed/lock-queries.ts
select $1::integer[] as organisations, lock_in_order(1, $1::integer[], $2::integer) as locked;

-- marker-goods_item_event
-- packages/service/src/feed/queries.ts
select (
    select position from goods_item_event e
    where e.owner = $1 and e.id = $2::uuid
  ) as position,
  (select position from goods_item_expired e where e.owner = $1 and e.id = $2::uuid) as "expiredPosition", removed_position as "removedPosition", removed_id as "removedId"
from feed_state where kind = 6 and owner = $1;

-- marker-movement_status
-- packages/service/src/feed/queries.ts
select (
    select position from movement_status e
    where e.owner = $1 and e.id = $2::uuid
  ) as position,
  null::bigint as "expiredPosition", removed_position as "removedPosition", removed_id as "removedId"
from feed_state where kind = 7 and owner = $1;

-- marker-routing_signal
-- packages/service/src/feed/queries.ts
select (
    select position from routing_signal e
    where e.owner = $1 and e.id = $2::uuid and e.position = $3
  ) as position,
  null::bigint as "expiredPosition", removed_position as "removedPosition", removed_id as "removedId"
from feed_state where kind = 2 and owner = $1;

-- marker-validation_status
-- packages/service/src/feed/queries.ts
select (
    select position from validation_status e
    where e.owner = $1 and e.id = $2::uuid
  ) as position,
  null::bigint as "expiredPosition", removed_position as "removedPosition", removed_id as "removedId"
from feed_state where kind = 1 and owner = $1;

-- page-goods_item_event-delivery-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from goods_item_event e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 999000 or row_number() over page = 1 as fits
    from (
      select position, id, entry from goods_item_event
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-goods_item_event-events-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from goods_item_event e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg('id: ' || id || E'\ndata: ' || entry || E'\n\n', '') filter (where fits) as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 262144 or row_number() over page = 1 as fits
    from (
      select position, id, entry from goods_item_event
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-goods_item_event-json-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from goods_item_event e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from goods_item_event
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-goods_item_event-ndjson-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from goods_item_event e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg(entry, E'\n') filter (where fits) || E'\n' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from goods_item_event
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-movement_status-delivery-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from movement_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 999000 or row_number() over page = 1 as fits
    from (
      select position, id, entry from movement_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-movement_status-events-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from movement_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg('id: ' || id || E'\ndata: ' || entry || E'\n\n', '') filter (where fits) as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 262144 or row_number() over page = 1 as fits
    from (
      select position, id, entry from movement_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-movement_status-json-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from movement_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from movement_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-movement_status-ndjson-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from movement_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg(entry, E'\n') filter (where fits) || E'\n' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from movement_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-routing_signal-delivery-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from routing_signal e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 999000 or row_number() over page = 1 as fits
    from (
      select position, id, entry from routing_signal
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-routing_signal-events-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from routing_signal e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg('id: ' || id || E'\ndata: ' || entry || E'\n\n', '') filter (where fits) as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 262144 or row_number() over page = 1 as fits
    from (
      select position, id, entry from routing_signal
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-routing_signal-json-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from routing_signal e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from routing_signal
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-routing_signal-ndjson-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from routing_signal e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg(entry, E'\n') filter (where fits) || E'\n' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from routing_signal
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-delivery-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 999000 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-events-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg('id: ' || id || E'\ndata: ' || entry || E'\n\n', '') filter (where fits) as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 262144 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-json-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-json-failed
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  case when more then last else greatest($2, (
    select s.position from feed_state s where s.kind = 1 and s.owner = $1)) end as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2 and failed
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-json-id
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  case when more then last else greatest($2, (
    select s.position from feed_state s where s.kind = 1 and s.owner = $1)) end as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2 and id = $4
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-json-mrn
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  case when more then last else greatest($2, (
    select s.position from feed_state s where s.kind = 1 and s.owner = $1)) end as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2 and position = any (array(
        select single.position from validation_status single
        where single.owner = $1 and single.ens_id = (select e.id from declaration e where e.mrn = $4) and single.position > $2
        union all
        select several.position from validation_status_ens several
        where several.owner = $1 and several.ens_id = (select e.id from declaration e where e.mrn = $4) and several.position > $2))
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-json-succeeded
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  case when more then last else greatest($2, (
    select s.position from feed_state s where s.kind = 1 and s.owner = $1)) end as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    '[' || string_agg(entry, ',') filter (where fits) || ']' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2 and not failed
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- page-validation_status-ndjson-all
-- packages/service/src/feed/queries.ts
select entries, more, first, body,
  coalesce(last, $2) as position,
  (select id from validation_status e where e.owner = $1 and e.position = page.last) as id
from (
  select (count(*) filter (where fits))::integer as entries,
    count(*) = $3 or count(*) > count(*) filter (where fits) as more,
    min(position) as first, max(position) filter (where fits) as last,
    string_agg(entry, E'\n') filter (where fits) || E'\n' as body
  from (
    select candidate.*,
      sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
    from (
      select position, id, entry from validation_status
      where owner = $1 and position > $2
      order by position limit $3
    ) candidate
    window page as (order by position rows unbounded preceding)
  ) in_order
) page;

-- position-before-goods_item_event
-- packages/service/src/feed/queries.ts
with recursive feed as materialized (
  select removed_position, position from feed_state where kind = 6 and owner = $1
),
search (low, high) as (
  select removed_position, position from feed
  union all
  select case when is_before then middle else low end, case when is_before then high else middle - 1 end
  from (select low, high, (low + high + 1) / 2 as middle from search where low < high) range
  cross join lateral (
    select coalesce((
      select published_at < $2::timestamptz from goods_item_event e where e.owner = $1 and e.position = range.middle
    ), true) as is_before
  ) judged
)
select low as position from search where low = high and low < (select position from feed);

-- position-before-movement_status
-- packages/service/src/feed/queries.ts
with recursive feed as materialized (
  select removed_position, position from feed_state where kind = 7 and owner = $1
),
search (low, high) as (
  select removed_position, position from feed
  union all
  select case when is_before then middle else low end, case when is_before then high else middle - 1 end
  from (select low, high, (low + high + 1) / 2 as middle from search where low < high) range
  cross join lateral (
    select coalesce((
      select (entry::json ->> 'notificationDate')::timestamptz < $2::timestamptz from movement_status e where e.owner = $1 and e.position = range.middle
    ), true) as is_before
  ) judged
)
select low as position from search where low = high and low < (select position from feed);

-- position-before-routing_signal
-- packages/service/src/feed/queries.ts
with recursive feed as materialized (
  select removed_position, position from feed_state where kind = 2 and owner = $1
),
search (low, high) as (
  select removed_position, position from feed
  union all
  select case when is_before then middle else low end, case when is_before then high else middle - 1 end
  from (select low, high, (low + high + 1) / 2 as middle from search where low < high) range
  cross join lateral (
    select coalesce((
      select (entry::json #>> '{routingResult,documentIssueDate}')::timestamptz < $2::timestamptz from routing_signal e where e.owner = $1 and e.position = range.middle
    ), true) as is_before
  ) judged
)
select low as position from search where low = high and low < (select position from feed);

-- position-before-validation_status
-- packages/service/src/feed/queries.ts
with recursive feed as materialized (
  select removed_position, position from feed_state where kind = 1 and owner = $1
),
search (low, high) as (
  select removed_position, position from feed
  union all
  select case when is_before then middle else low end, case when is_before then high else middle - 1 end
  from (select low, high, (low + high + 1) / 2 as middle from search where low < high) range
  cross join lateral (
    select coalesce((
      select (entry::json ->> 'notificationDate')::timestamptz < $2::timestamptz from validation_status e where e.owner = $1 and e.position = range.middle
    ), true) as is_before
  ) judged
)
select low as position from search where low = high and low < (select position from feed);

-- select-common-end-of-timelines
-- packages/service/src/feed/timeline-queries.ts
select (
  select min(coalesce(e.position, 0))
  from feed_timeline ended
  left join feed_timeline_end e on e.timeline = ended.number and e.kind = $1 and e.owner = $2
  where ended.number >= t.number and ended.number < (select max(number) from feed_timeline)
) as "commonEnd"
from feed_timeline t where t.id = $3::uuid;

-- select-feed-timeline
-- packages/service/src/feed/timeline-queries.ts
select id from feed_timeline order by number desc limit 1;

-- select-free-organisations
-- packages/service/src/feed/lock-queries.ts
select organisation as key from unnest($1::integer[]) as organisation
where pg_try_advisory_xact_lock(1, organisation);

-- select-last-restoration
-- packages/service/src/feed/timeline-queries.ts
select t.begun_at as "begunAt", coalesce(e.position, 0) as position
from feed_timeline t
join feed_timeline ended on ended.number = (
  select max(number) from feed_timeline where number < t.number)
left join feed_timeline_end e on e.timeline = ended.number and e.kind = $1 and e.owner = $2
where t.number = (select max(number) from feed_timeline);

-- writes
-- packages/service/src/feed/queries.ts
select pg_current_snapshot()::text as writes;
