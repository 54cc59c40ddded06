-- The SQL of packages/service/src/relay/. Generated: change the sources, then npm run generate.

-- any-goods-item-view
-- packages/service/src/relay/view-queries.ts
select exists (select from goods_item_view);

-- forget-relayed-views
-- packages/service/src/relay/view-queries.ts
delete from relay_position where stream = $1 and owner = any ($2::integer[]);

-- relay-candidates-goods_item_event
-- packages/service/src/relay/queries.ts
select owner, position, id, topic, case when fits then entry end as entry
from (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select wanted.number, o.id as owner, e.position, e.id, e.topic as topic, e.entry
    from unnest($1::integer[], $2::bigint[]) with ordinality as wanted (owner, after, number)
    join (values (0)) o (id) on o.id = wanted.owner
    cross join lateral (
      select * from goods_item_event e
      where e.owner = wanted.owner and e.position > wanted.after
      order by e.position limit $3
    ) e
  ) candidate
  window page as (order by number, position rows unbounded preceding)
) in_order
order by number, position;

-- relay-candidates-routing_signal
-- packages/service/src/relay/queries.ts
select owner, position, id, topic, case when fits then entry end as entry
from (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select wanted.number, o.id as owner, e.position, e.id, o.identifier as topic, e.entry
    from unnest($1::integer[], $2::bigint[]) with ordinality as wanted (owner, after, number)
    join (select id, identifier from organisation) o (id) on o.id = wanted.owner
    cross join lateral (
      select * from routing_signal e
      where e.owner = wanted.owner and e.position > wanted.after
      order by e.position limit $3
    ) e
  ) candidate
  window page as (order by number, position rows unbounded preceding)
) in_order
order by number, position;

-- relay-ends
-- packages/service/src/relay/queries.ts
select owner, position from feed_state where kind = $1 and owner > $2 order by owner limit $3;

-- relay-entries-goods_item_event
-- packages/service/src/relay/queries.ts
select wanted.key, o.id as owner, found.position
from unnest($1::text[], $2::uuid[], $3::bigint[]) as wanted (key, id, position)
join (values (0)) o (id) on true
cross join lateral (
  select position from (
    select e.position from goods_item_event e
    where e.owner = o.id and e.id = wanted.id
    union all
    select e.position from goods_item_expired e where e.owner = o.id and e.id = wanted.id
  ) entry
  limit 1
) found;

-- relay-entries-routing_signal
-- packages/service/src/relay/queries.ts
select wanted.key, o.id as owner, found.position
from unnest($1::text[], $2::uuid[], $3::bigint[]) as wanted (key, id, position)
join (select id, identifier from organisation) o (id) on o.identifier = wanted.key
cross join lateral (
  select position from (
    select e.position from routing_signal e
    where e.owner = o.id and e.id = wanted.id and e.position = wanted.position
    union all
    select case when s.removed_id = wanted.id then s.removed_position else wanted.position end from feed_state s
    where s.kind = 2 and s.owner = o.id
      and (s.removed_id = wanted.id or wanted.position between 1 and s.removed_position - 1)
  ) entry
  limit 1
) found;

-- relay-forget
-- packages/service/src/relay/queries.ts
delete from relay_position where stream = $1 and sequence > $2;

-- relay-lags
-- packages/service/src/relay/queries.ts
select feed.owner, swept as "isSwept",
  greatest(feed.position - coalesce(r.position, 0), 0)::double precision as lag
from (
  (select owner, position, true as swept from feed_state where kind = $2 and owner > $4 order by owner limit $5)
  union all
  select owner, position, false from feed_state where kind = $2 and owner = any ($3::integer[])
) feed
left join relay_position r on r.stream = $1 and r.owner = feed.owner
order by feed.owner;

-- relay-positions
-- packages/service/src/relay/queries.ts
select owner, position, sequence from relay_position where stream = $1;

-- relay-progress
-- packages/service/src/relay/queries.ts
select coalesce(sum(r.position), 0)::double precision as relayed,
  coalesce(sum(greatest(s.position - coalesce(r.position, 0), 0)), 0)::double precision as lag
from feed_state s left join relay_position r on r.stream = $1 and r.owner = s.owner
where s.kind = $2;

-- relay-record
-- packages/service/src/relay/queries.ts
with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
insert into relay_position (stream, owner, position, sequence)
select $1, r.owner, r.position, r.sequence
from relaxed, unnest($2::integer[], $3::bigint[], $4::bigint[]) as r (owner, position, sequence)
on conflict (stream, owner) do update set position = excluded.position, sequence = excluded.sequence;

-- relay-recorded-streams
-- packages/service/src/relay/queries.ts
select distinct stream from relay_position
where stream = $1 or right(stream, length($1) + 1) = '_' || $1
order by stream;

-- relayed-goods-item-views
-- packages/service/src/relay/view-queries.ts
select o.id as organisation, o.identifier, v.version, v.conditions as view
from goods_item_view v join organisation o on o.id = v.organisation_id
order by o.id;

-- relayed-message-positions
-- packages/service/src/relay/view-queries.ts
select id, position from goods_item_event where owner = 0 and id = any ($1::uuid[])
union all
select id, position from goods_item_expired where owner = 0 and id = any ($1::uuid[]);

-- relayed-stream-ends
-- packages/service/src/relay/view-queries.ts
select removed_position as removed, position as end from feed_state
where kind = 6 and owner = 0;

-- relayed-view-progress
-- packages/service/src/relay/view-queries.ts
select min(relayed) as relayed, coalesce(max(lag), 0)::double precision as lag,
  (array_agg(identifier order by lag desc, identifier) filter (where lag > 0))[1] as behind
from (
  select o.identifier, coalesce(r.position, 0) as relayed,
    greatest(coalesce(s.position, 0) - coalesce(r.position, 0), 0) as lag
  from goods_item_view v
  join organisation o on o.id = v.organisation_id
  left join feed_state s on s.kind = 6 and s.owner = 0
  left join relay_position r on r.stream = $1 and r.owner = v.organisation_id
  where v.conditions is not null
) view;
