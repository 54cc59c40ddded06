-- The SQL of packages/service/src/goods-items/. Generated: change the sources, then npm run generate.

-- append-goods-item-events
-- packages/service/src/goods-items/publication-queries.ts
with event as (
  select row(6, 0, id, entry, null, null, null, declaration, number,
    coalesce(
      case when facts_of_event is not null then coalesce(
        (select concat_ws(' ', e.topic, e.requested_procedure, e.accepted_on) from goods_item_event e
          where e.owner = 0 and e.id = facts_of_event),
        (select concat_ws(' ', e.topic, e.requested_procedure, e.accepted_on) from goods_item_expired e
          where e.owner = 0 and e.id = facts_of_event)
      ) end,
      case when facts_of_declaration is not null then (
        select concat_ws(' ', i.topic, i.requested_procedure, i.accepted_on) from goods_item i
        where i.declaration = facts_of_declaration and i.number = facts_of_number
      ) end,
      facts),
    $1::timestamptz)::new_entry as entry, ordinal
  from rows from (unnest($2::uuid[]), unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[]),
      unnest($6::uuid[]), unnest($7::text[]), unnest($8::bigint[]), string_to_table($9, E'\n'))
    with ordinality as block
      (id, declaration, number, facts, facts_of_event, facts_of_declaration, facts_of_number, entry, ordinal)
  where current_setting('landfall.publishable')::boolean
)
select appended from (select array_agg(entry order by ordinal) as entries from event having count(*) > 0) block
cross join append_to_feeds(entries, 3, null);

-- check-goods-item-events
-- packages/service/src/goods-items/publication-queries.ts
with known as materialized (
  select id, encode(sha256(convert_to(entry, 'UTF8')), 'hex') as text_digest,
    coalesce(octet_length(entry), 0) as bytes
  from (
    select given.id,
      (select entry from goods_item_event e where e.owner = 0 and e.id = given.id) as entry,
      case when (select true from goods_item_expired limit 1) then (
        select true from goods_item_expired e
        where e.owner = 0 and e.id = given.id) end as expired
    from unnest($1::uuid[]) as given (id)
  ) looked_up
  where entry is not null or expired
),
contradicting as materialized (
  select removal.id, added.declaration, added.number
  from rows from (unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::text[]), unnest($5::bigint[]))
    as removal (id, related, declaration, number)
  cross join lateral (
    select declaration, number from goods_item_event e
    where e.owner = 0 and e.id = removal.related
    union all
    select declaration, number from goods_item_expired e
    where e.owner = 0 and e.id = removal.related
  ) added
  where added.declaration <> removal.declaration or added.number <> removal.number
)
select coalesce((select json_agg(known) from known), '[]') as known,
  coalesce((select json_agg(contradicting) from contradicting), '[]') as contradicting,
  set_config('landfall.publishable',
    (not exists (select from known) and not exists (select from contradicting))::text, true);

-- current-goods-item-views
-- packages/service/src/goods-items/view-queries.ts
select organisation_id as organisation, version, conditions as view from goods_item_view
where organisation_id = any ($1::integer[]) and conditions is not null;

-- expire-goods-item-events
-- packages/service/src/goods-items/expiry-queries.ts
with gone as (
  delete from goods_item_event e
  using rows from (unnest($1::bigint[]), unnest($2::text[])) as past (position, digest)
  where e.owner = 0 and e.position = past.position
  returning e.*, past.digest
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select position, id from gone order by position desc limit 1) last
  where s.kind = 6 and s.owner = 0
),
kept as (
  update goods_item i set entry = gone.entry
  from gone
  where i.declaration = gone.declaration and i.number = gone.number and i.position = gone.position
)
insert into goods_item_expired
  (owner, position, id, declaration, number, topic, requested_procedure, accepted_on, digest)
select owner, position, id, declaration, number, topic, requested_procedure, accepted_on, decode(digest, 'hex')
from gone;

-- expired-goods-item-events
-- packages/service/src/goods-items/expiry-queries.ts
with oldest as materialized (
  select position, published_at, entry from goods_item_event
  where owner = 0 and position <= $2
    and position < (select s.position from feed_state s
      where s.kind = 6 and s.owner = 0)
  order by position limit $3
)
select position, entry
from (
  select position, entry,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from oldest
  where (select min(position) from oldest where published_at >= $1) is null
    or position < (select min(position) from oldest where published_at >= $1)
  window page as (order by position rows unbounded preceding)
) due
where fits order by position;

-- goods-item-entries
-- packages/service/src/goods-items/publication-queries.ts
select id, entry, null as digest from goods_item_event
where owner = 0 and id = any ($1::uuid[])
union all
select id, null, encode(digest, 'hex') from goods_item_expired
where owner = 0 and id = any ($1::uuid[]);

-- goods-item-stream-ends
-- packages/service/src/goods-items/view-queries.ts
select removed_position as first, position as last from feed_state
where kind = 6 and owner = 0;

-- goods-item-view
-- packages/service/src/goods-items/view-queries.ts
select o.identifier as organisation, v.version, v.conditions as view, v.changed_at as "changedAt",
  json_build_object('organisation', v.changed_by, 'client', v.changed_by_client) as "changedBy"
from organisation o join goods_item_view v on v.organisation_id = o.id
where o.identifier = $1;

-- goods-item-views
-- packages/service/src/goods-items/view-queries.ts
select o.identifier as organisation, v.version, v.conditions as view, v.changed_at as "changedAt",
  json_build_object('organisation', v.changed_by, 'client', v.changed_by_client) as "changedBy"
from goods_item_view v join organisation o on o.id = v.organisation_id
where o.identifier collate "C" > $1 and v.conditions is not null
order by o.identifier collate "C" limit $2;

-- goods-items-json-all
-- packages/service/src/goods-items/current-item-queries.ts
with page as materialized (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select declaration, number, coalesce(entry, (
      select e.entry from goods_item_event e where e.owner = 0 and e.position = i.position
    )) as entry
    from goods_item i
    where (declaration, number) > ($1::text, $2::bigint)
    order by declaration, number limit $3
  ) candidate
  window page as (order by declaration, number rows unbounded preceding)
),
last as (select declaration, number from page where fits order by declaration desc, number desc limit 1)
select (select count(*) = $3 or count(*) > count(*) filter (where fits) from page) as more,
  (select '[' || string_agg(entry, ',') filter (where fits) || ']' from page) as body,
  (select count(*) filter (where fits) from page)::integer as count,
  (select declaration from last) as declaration, (select number from last) as number,
  (select id from goods_item_event where owner = 0 order by position desc limit 1) as marker;

-- goods-items-json-declaration
-- packages/service/src/goods-items/current-item-queries.ts
with page as materialized (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select declaration, number, coalesce(entry, (
      select e.entry from goods_item_event e where e.owner = 0 and e.position = i.position
    )) as entry
    from goods_item i
    where (declaration, number) > ($1::text, $2::bigint) and declaration = $4
    order by declaration, number limit $3
  ) candidate
  window page as (order by declaration, number rows unbounded preceding)
),
last as (select declaration, number from page where fits order by declaration desc, number desc limit 1)
select (select count(*) = $3 or count(*) > count(*) filter (where fits) from page) as more,
  (select '[' || string_agg(entry, ',') filter (where fits) || ']' from page) as body,
  (select count(*) filter (where fits) from page)::integer as count,
  (select declaration from last) as declaration, (select number from last) as number,
  (select id from goods_item_event where owner = 0 order by position desc limit 1) as marker;

-- goods-items-ndjson-all
-- packages/service/src/goods-items/current-item-queries.ts
with page as materialized (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select declaration, number, coalesce(entry, (
      select e.entry from goods_item_event e where e.owner = 0 and e.position = i.position
    )) as entry
    from goods_item i
    where (declaration, number) > ($1::text, $2::bigint)
    order by declaration, number limit $3
  ) candidate
  window page as (order by declaration, number rows unbounded preceding)
),
last as (select declaration, number from page where fits order by declaration desc, number desc limit 1)
select (select count(*) = $3 or count(*) > count(*) filter (where fits) from page) as more,
  (select string_agg(entry, E'\n') filter (where fits) || E'\n' from page) as body,
  (select count(*) filter (where fits) from page)::integer as count,
  (select declaration from last) as declaration, (select number from last) as number,
  (select id from goods_item_event where owner = 0 order by position desc limit 1) as marker;

-- goods-items-ndjson-declaration
-- packages/service/src/goods-items/current-item-queries.ts
with page as materialized (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select declaration, number, coalesce(entry, (
      select e.entry from goods_item_event e where e.owner = 0 and e.position = i.position
    )) as entry
    from goods_item i
    where (declaration, number) > ($1::text, $2::bigint) and declaration = $4
    order by declaration, number limit $3
  ) candidate
  window page as (order by declaration, number rows unbounded preceding)
),
last as (select declaration, number from page where fits order by declaration desc, number desc limit 1)
select (select count(*) = $3 or count(*) > count(*) filter (where fits) from page) as more,
  (select string_agg(entry, E'\n') filter (where fits) || E'\n' from page) as body,
  (select count(*) filter (where fits) from page)::integer as count,
  (select declaration from last) as declaration, (select number from last) as number,
  (select id from goods_item_event where owner = 0 order by position desc limit 1) as marker;

-- last-goods-item-events
-- packages/service/src/goods-items/view-queries.ts
select id, declaration is not null as adds, topic, requested_procedure as procedure, accepted_on as "acceptedOn", entry
from (
  select e.*, sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from (
    select * from goods_item_event where owner = 0 order by position desc limit $1
  ) e
  window page as (order by position desc rows unbounded preceding)
) sized
where fits order by position desc;

-- last-shown-goods-item-event
-- packages/service/src/goods-items/view-queries.ts
select position, id from goods_item_event
where owner = 0 and position <= $6 and position > $6 - 20000 and
    ($1::text[] is null or left(topic, 1) = any ($1)) and ($2::text[] is null or right(topic, 2) = any ($2))
    and ($3::text[] is null or requested_procedure = any ($3))
    and ($4::text is null or accepted_on >= $4) and ($5::text is null or accepted_on <= $5)
order by position desc limit 1;

-- lock-goods-item-stream
-- packages/service/src/goods-items/publication-queries.ts
select pg_advisory_xact_lock(1, 0) is null as locked;

-- lock-goods-item-view
-- packages/service/src/goods-items/view-queries.ts
select id from organisation where identifier = $1 for no key update;

-- put-goods-items
-- packages/service/src/goods-items/publication-queries.ts
insert into goods_item (declaration, number, position, topic, requested_procedure, accepted_on)
select declaration, number,
  ordinal - $1 + (select s.position from feed_state s
    where s.kind = 6 and s.owner = 0),
  split_part(facts, ' ', 1), nullif(split_part(facts, ' ', 2), ''), nullif(split_part(facts, ' ', 3), '')
from rows from (unnest($2::text[]), unnest($3::bigint[]), unnest($4::bigint[]), unnest($5::text[]))
  as added (declaration, number, ordinal, facts)
where current_setting('landfall.publishable')::boolean
on conflict (declaration, number)
  do update set position = excluded.position, topic = excluded.topic,
    requested_procedure = excluded.requested_procedure, accepted_on = excluded.accepted_on, entry = null;

-- remove-goods-items
-- packages/service/src/goods-items/publication-queries.ts
delete from goods_item where current_setting('landfall.publishable')::boolean and ctid = any (array(
  select (
    select i.ctid from goods_item i
    where i.declaration = removed.declaration and i.number = removed.number limit 1)
  from rows from (unnest($1::text[]), unnest($2::bigint[])) as removed (declaration, number)));

-- remove-goods-items-of-events
-- packages/service/src/goods-items/publication-queries.ts
delete from goods_item where current_setting('landfall.publishable')::boolean and ctid = any (array(
  select (
    select i.ctid from goods_item i
    where i.declaration = added.declaration and i.number = added.number and i.position = added.position limit 1)
  from unnest($1::uuid[]) as related (id)
  cross join lateral (
    select declaration, number, position from goods_item_event e
    where e.owner = 0 and e.id = related.id
    union all
    select declaration, number, position from goods_item_expired e
    where e.owner = 0 and e.id = related.id
  ) added));

-- shown-goods-item-events
-- packages/service/src/goods-items/view-queries.ts
select s.position as "feedEnd", s.removed_position as "removedPosition", shown.position, shown.id, shown.adds,
  case when fits then entry end as entry
from feed_state s
left join (
  select candidate.*,
    sum(octet_length(entry)) over page <= $8 or row_number() over page = 1 as fits
  from (
    select position, id, declaration is not null as adds, entry from goods_item_event
    where owner = 0 and position > $6 and position <= $9 and
    ($1::text[] is null or left(topic, 1) = any ($1)) and ($2::text[] is null or right(topic, 2) = any ($2))
    and ($3::text[] is null or requested_procedure = any ($3))
    and ($4::text is null or accepted_on >= $4) and ($5::text is null or accepted_on <= $5)
    order by position limit $7
  ) candidate
  window page as (order by position rows unbounded preceding)
) shown on true
where s.kind = 6 and s.owner = 0
order by shown.position;

-- shown-goods-items-all
-- packages/service/src/goods-items/view-queries.ts
with scanned as materialized (
  select declaration, number, position, topic, requested_procedure, accepted_on from goods_item
  where (declaration, number) > ($6::text, $7::bigint)
  order by declaration, number limit 20000
),
last as (select declaration, number from scanned order by declaration desc, number desc limit 1),
candidate as materialized (
  select declaration, number, coalesce(
    (select e.entry from goods_item_event e where e.owner = 0 and e.position = s.position),
    (select i.entry from goods_item i where i.declaration = s.declaration and i.number = s.number)) as entry
  from scanned s where
    ($1::text[] is null or left(topic, 1) = any ($1)) and ($2::text[] is null or right(topic, 2) = any ($2))
    and ($3::text[] is null or requested_procedure = any ($3))
    and ($4::text is null or accepted_on >= $4) and ($5::text is null or accepted_on <= $5) order by declaration, number limit $8
)
select (select count(*) from scanned)::integer as scanned,
  (select declaration from last) as "lastDeclaration", (select number from last) as "lastNumber",
  shown.declaration, shown.number, case when fits then entry end as entry
from (values (1)) one
left join (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from candidate
  window page as (order by declaration, number rows unbounded preceding)
) shown on true
order by shown.declaration, shown.number;

-- shown-goods-items-declaration
-- packages/service/src/goods-items/view-queries.ts
with scanned as materialized (
  select declaration, number, position, topic, requested_procedure, accepted_on from goods_item
  where (declaration, number) > ($6::text, $7::bigint) and declaration = $9
  order by declaration, number limit 20000
),
last as (select declaration, number from scanned order by declaration desc, number desc limit 1),
candidate as materialized (
  select declaration, number, coalesce(
    (select e.entry from goods_item_event e where e.owner = 0 and e.position = s.position),
    (select i.entry from goods_item i where i.declaration = s.declaration and i.number = s.number)) as entry
  from scanned s where
    ($1::text[] is null or left(topic, 1) = any ($1)) and ($2::text[] is null or right(topic, 2) = any ($2))
    and ($3::text[] is null or requested_procedure = any ($3))
    and ($4::text is null or accepted_on >= $4) and ($5::text is null or accepted_on <= $5) order by declaration, number limit $8
)
select (select count(*) from scanned)::integer as scanned,
  (select declaration from last) as "lastDeclaration", (select number from last) as "lastNumber",
  shown.declaration, shown.number, case when fits then entry end as entry
from (values (1)) one
left join (
  select candidate.*,
    sum(octet_length(entry)) over page <= 4194304 or row_number() over page = 1 as fits
  from candidate
  window page as (order by declaration, number rows unbounded preceding)
) shown on true
order by shown.declaration, shown.number;

-- write-goods-item-view
-- packages/service/src/goods-items/view-queries.ts
insert into goods_item_view as v (organisation_id, version, conditions, changed_at, changed_by, changed_by_client)
values ($1, 1, $2, $3, $4, $5)
on conflict (organisation_id) do update set version = v.version + 1, conditions = excluded.conditions,
  changed_at = excluded.changed_at, changed_by = excluded.changed_by, changed_by_client = excluded.changed_by_client;
