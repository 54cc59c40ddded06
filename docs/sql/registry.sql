-- The SQL of packages/service/src/registry/. Generated: change the sources, then npm run generate.

-- compare-houses
-- packages/service/src/registry/house-queries.ts
select i.index, h.id, case when h.only_spelling <> i.number then h.document_number end as "otherSpelling",
  coalesce(h.only_spelling = i.number, false) as "isOnlySpelling",
  case when h.signal_head <> i.head then h.signal_head end as head,
  h.subheadings is not distinct from nullif(i.subheadings, '{}') as "sameSubheadings",
  h.registered_routing is not distinct from i.routing
    and h.registered_control_location is not distinct from i.location as "sameRouting",
  -- Not "exists", which the planner can turn into a join.
  (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
from json_to_recordset($1::json)
  as i (index integer, ens integer, number text, type text, head text, subheadings text[], routing text,
    location text)
cross join lateral (
  select * from (
    -- In the order of the index on keys: without statistics, the planner might read the whole declaration for each.
    select * from house_consignment h
    where h.ens_id = i.ens and h.document_key = identifier_key(i.number) and h.document_type = i.type
    order by h.only_spelling offset 0
  ) h
  order by h.only_spelling <> i.number limit 1
) h;

-- delete-containers
-- packages/service/src/registry/house-queries.ts
delete from house_consignment_container where house_consignment_id = any($1::uuid[]);

-- delete-entered-houses
-- packages/service/src/registry/entered-queries.ts
delete from entered_house_consignment where house_consignment_id = any ($1::uuid[]);

-- delete-withdrawn-houses
-- packages/service/src/registry/withdrawal-queries.ts
delete from withdrawn_house_consignment where id = any($1::uuid[]) returning id;

-- flag-for-presenters
-- packages/service/src/registry/entered-queries.ts
with presentation as materialized (
  select p.*, e.mrn as own_mrn,
    may_present(p.presenter, e.declarant, e.representative, e.carrier, e.presenters) as is_named
  from presented_reference p
  cross join lateral (select * from declaration where id = $1 limit 1) e
  where p.presenter = any ($2::integer[]) and p.expected_only
),
gone as (
  delete from entered_house_consignment entered
  using presentation p
  where entered.presentation = p.number and not coalesce(p.is_named, false)
    and (select h.ens_id from house_consignment h where h.id = entered.house_consignment_id limit 1) = $1
),
flagged as (
  insert into entered_house_consignment (house_consignment_id, presentation)
  select h.id, p.number
  from presentation p
  cross join lateral (
    select id from house_consignment
    where p.level = 'ENTRY_SUMMARY_DECLARATION' and p.reference = p.own_mrn and ens_id = $1
    union all
    select id from house_consignment
    where p.level = 'MASTER_CONSIGNMENT' and (p.mrn is null or p.mrn = p.own_mrn)
      and master_document_key = p.reference and ens_id = $1 and master_document_type = p.document_type
    union all
    select id from house_consignment
    where p.level = 'RECEPTACLE' and receptacle_id = p.reference and ens_id = $1
    union all
    select house_consignment_id from house_consignment_container
    where p.level = 'CONTAINER' and container_id = p.reference and ens_id = $1
  ) h
  where p.is_named
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
  on conflict do nothing
  returning house_consignment_id
)
select count(*)::integer as flagged from flagged;

-- insert-containers
-- packages/service/src/registry/house-queries.ts
insert into house_consignment_container (container_id, house_consignment_id, ens_id)
select i.container, i.house, h.ens_id
from unnest($1::text[], $2::uuid[]) as i (container, house)
join house_consignment h on h.id = i.house;

-- insert-declarations
-- packages/service/src/registry/declaration-queries.ts
insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant, representative, carrier,
  presenters, estimated_time_of_arrival, transport_means_number, transport_means_type, source_version, version)
select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
  (select array_agg(o.id order by number)
    from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
    join organisation o using (identifier)) as presenters,
  i.arrival, i.means_number, i.means_type, i.source_version, $2::bigint
from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
  presenters json, arrival timestamptz, means_number text, means_type text, source_version bigint)
join organisation d on d.identifier = i.declarant
left join organisation r on r.identifier = i.representative
left join organisation c on c.identifier = i.carrier
order by i.mrn
on conflict (mrn) do nothing
returning id, mrn;

-- insert-entered-houses
-- packages/service/src/registry/entered-queries.ts
insert into entered_house_consignment (house_consignment_id, presentation)
select h.id, p.number
from (select * from presented_reference where number = any ($2::bigint[]) offset 0) p
cross join (
  select house.*, e.mrn, e.kind, e.declarant, e.representative, e.carrier, e.presenters
  from unnest($1::uuid[]) written (id)
  cross join lateral (select * from house_consignment h where h.id = written.id limit 1) house
  cross join lateral (select * from declaration e where e.id = house.ens_id limit 1) e
  offset 0
) h
where case p.level
    when 'ENTRY_SUMMARY_DECLARATION' then p.reference = h.mrn
    when 'MASTER_CONSIGNMENT' then p.reference = h.master_document_key
      and p.document_type = h.master_document_type
      and case
        when p.mrn is not null then p.mrn = h.mrn or h.kind = 'HOUSE' and is_under_master(h.ens_id, p.mrn)
        -- The document meant the ENS, if one has it.
        else h.kind is null or (
          select true from house_consignment o
          cross join lateral (select kind from declaration d where d.id = o.ens_id offset 0) d
          where o.master_document_key = p.reference and o.master_document_type = p.document_type and d.kind is null
          limit 1
        ) is null
      end
    when 'RECEPTACLE' then p.reference = h.receptacle_id
    when 'CONTAINER' then (
      select true from house_consignment_container c
      where c.house_consignment_id = h.id and c.container_id = p.reference limit 1)
  end
  and (not p.expected_only
    or may_present(p.presenter, h.declarant, h.representative, h.carrier, h.presenters))
  and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
on conflict do nothing;

-- insert-houses
-- packages/service/src/registry/house-queries.ts
insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
  master_document_type, receptacle_id, signal_head, registered_routing, registered_control_location,
  routing, routing_control_location, registration, subheadings, document_key, master_document_key)
select id, ens, number, type, master_number, master_type, receptacle, head, routing, location,
  decided_routing, decided_location, registration, nullif(subheadings, '{}'),
  identifier_key(number), identifier_key(master_number)
from json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
  master_type text, receptacle text, head text, subheadings text[], routing text, location text,
  decided_routing text, decided_location text, registration bigint);

-- insert-organisations
-- packages/service/src/registry/declaration-queries.ts
insert into organisation (identifier, name, kind)
select named, named, case when named like '0192:%' then 'domestic' else 'foreign' end
from (select distinct unnest($1::text[]) as named order by 1) in_order
where (select true from organisation where identifier = named limit 1) is null
on conflict do nothing;

-- insert-registration
-- packages/service/src/registry/declaration-queries.ts
insert into registration (at, organisation_id, client_id, request_id)
values (record_time($1), $2, $3, $4) returning id, at;

-- keep-controls
-- packages/service/src/registry/withdrawal-queries.ts
with gone as materialized (
  select h.*, kept_as(id, routing, routing_control_location) as slot from house_consignment h
  where routing in ('TO_CONTROL', 'ENTRY_DENIED')
    and (ens_id = any ($1::integer[]) and id not in (select unnest($2::uuid[]))
      or ens_id = any ($6::integer[]) and routing_control_location is distinct from 'AFTER_ENTRY')
),
-- What they had in common before they were replaced was kept as of current goods.
earlier as materialized (
  select k.*, gone.slot from gone
  join kept_control k on k.house_consignment_id = gone.id and k.location = gone.id::text
  where gone.slot is not null
),
moved as (
  delete from kept_control k using earlier
  where (k.document_key, k.document_type, k.relation, k.location)
    = (earlier.document_key, earlier.document_type, earlier.relation, earlier.location)
),
leaving as (
  select h.document_key, h.document_type, relation, h.slot, h.id
  from gone h
  cross join lateral relations_to_keep(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id)
  union all
  select document_key, document_type, relation, slot, house_consignment_id from earlier
  union all
  select h.document_key, h.document_type, relation, h.id::text, h.id
  from unnest($3::uuid[]) changed (id)
  cross join lateral (select * from house_consignment where id = changed.id offset 0) h
  cross join lateral relations_to_keep(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id)
  where kept_as(h.id, h.routing, h.routing_control_location) is not null
  union all
  select h.document_key, h.document_type, relation, h.id::text, h.id
  from house_consignment h
  cross join lateral relations_to_keep(h.ens_id, null, null, null)
  where h.ens_id = any ($4::integer[]) and h.routing in ('TO_CONTROL', 'ENTRY_DENIED')
    and kept_as(h.id, h.routing, h.routing_control_location) is not null
)
insert into kept_control (document_key, document_type, relation, location, house_consignment_id, kept_at)
select distinct on (1, 2, 3, 4) document_key, document_type, relation, slot, id, $5 from leaving
where document_key is not null and slot is not null
order by 1, 2, 3, 4, controlled_since(id) desc
-- Of two of one key, the one that was decided later is replaced by fewer decisions on other goods.
on conflict (document_key, document_type, relation, location) do update set kept_at = excluded.kept_at,
  house_consignment_id = case
    when controlled_since(kept_control.house_consignment_id) > controlled_since(excluded.house_consignment_id)
      then kept_control.house_consignment_id
    else excluded.house_consignment_id
  end;

-- lock-declaration-in-turn
-- packages/service/src/registry/declaration-queries.ts
select from declaration where mrn = $1 for no key update;

-- lock-declarations
-- packages/service/src/registry/declaration-queries.ts
with free as materialized (
  select mrn from declaration where mrn = any($1::text[]) and (kind is not distinct from $2 or $2 = 'MESSAGE' and kind is not null)
  order by mrn for no key update skip locked
)
select mrn, mrn in (select mrn from free) as locked from declaration
where mrn = any($1::text[]) and (kind is not distinct from $2 or $2 = 'MESSAGE' and kind is not null)
order by mrn;

-- lock-references
-- packages/service/src/registry/entered-queries.ts
select lock_references(5, $1::text[], $2::boolean);

-- select-declarations
-- packages/service/src/registry/declaration-queries.ts
select e.id, e.kind, coalesce(e.version, 0) as version, array_remove(array[e.declarant, e.representative], null) as organisations,
  e.withdrawal is not null as withdrawn,
  json_strip_nulls(json_build_object(
    'mrn', e.mrn,
    'kind', e.kind,
    'customsOfficeOfFirstEntry', e.customs_office_of_first_entry,
    'declarant', (select identifier from organisation o where o.id = e.declarant),
    'representative', (select identifier from organisation o where o.id = e.representative),
    'carrier', (select identifier from organisation o where o.id = e.carrier),
    'presenters', (
      select json_agg(o.identifier order by number)
      from unnest(e.presenters) with ordinality as presenter (id, number) join organisation o using (id)
    ),
    'estimatedTimeOfArrival', api_time(e.estimated_time_of_arrival),
    'activeBorderTransportMeans', case when e.transport_means_number is not null then json_build_object(
      'identificationNumber', e.transport_means_number, 'typeOfIdentification', e.transport_means_type
    ) end,
    'version', e.source_version
  )) as members
from declaration e
where e.mrn = any($1::text[])
union all
-- Nobody knows the MRN of a relation before its commit, so none can be registered at the same time.
select 0, 'RELATION', 0, '{}', false, json_build_object('mrn', r.mrn)
from movement_relation r
where r.mrn = any($1::text[]);

-- select-free-declarations
-- packages/service/src/registry/declaration-queries.ts
with running as materialized (
  select transactionid as id from pg_locks where locktype = 'transactionid' and granted
)
select mrn as key from unnest($1::text[]) as awaited (mrn)
where (
  select true from declaration e join running on running.id = e.xmax
  where e.mrn = awaited.mrn limit 1
) is null;

-- select-house-page
-- packages/service/src/registry/registered-house-queries.ts
with page as materialized (
  select * from house_consignment where ens_id = $1 and id > $2 order by id limit $3
)
select (select coalesce(version, 0) from entry_summary_declaration where id = $1) as version,
  (select id from page order by id desc limit 1) as last,
  string_agg($4::text || registered_house(document_number, document_type, signal_head, receptacle_id, subheadings,
    registered_routing, registered_control_location)::text || $5::text, $6::text order by id) as body
from page;

-- select-houses-of-declaration
-- packages/service/src/registry/registered-house-queries.ts
select id, document_number as "documentNumber", document_type as type, signal_head as head, registered_house(document_number, document_type, signal_head, receptacle_id,
  subheadings, registered_routing, registered_control_location) as registered
from house_consignment
where ens_id = $1 and (document_number, document_type) > ($2, $3)
order by document_number, document_type limit $4;

-- select-kept-for-parties
-- packages/service/src/registry/withdrawal-queries.ts
select distinct h.id
from relations_to_find($1::integer, null, null, null, $2) r
cross join lateral (select * from kept_control k where k.relation = r.relation offset 0) k
cross join lateral (
  select * from house_consignment h
  where h.document_key = k.document_key and h.document_type = k.document_type and h.ens_id = $1::integer offset 0
) h
where h.routing is distinct from 'TO_ENTRY'
  or (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
order by h.id;

-- select-organisation-ids
-- packages/service/src/registry/declaration-queries.ts
select id, identifier from organisation where identifier = any($1::text[]);

-- select-presented-declarations
-- packages/service/src/registry/declaration-queries.ts
select id from unnest($1::integer[]) e (id)
where (
  select true from house_consignment h
  where h.ens_id = e.id
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null
  limit 1
);

-- select-presented-references
-- packages/service/src/registry/entered-queries.ts
select p.number from unnest($1::text[]) identifier
cross join lateral (
  select number from presented_reference p where p.reference = identifier offset 0) p;

-- select-registered-houses
-- packages/service/src/registry/registered-house-queries.ts
select id, registered_house(document_number, document_type, signal_head, receptacle_id, subheadings,
  registered_routing, registered_control_location) as registered
from (
  select id, document_number, document_type, signal_head, receptacle_id, subheadings, registered_routing,
    registered_control_location
  from house_consignment where id = any ($1::uuid[])
  union all
  select id, document_number, document_type, signal_head, receptacle_id, subheadings, registered_routing,
    registered_control_location
  from withdrawn_house_consignment where id = any ($1::uuid[])
) house;

-- select-unlisted-houses
-- packages/service/src/registry/withdrawal-queries.ts
with unlisted as materialized (
  select h.ens_id, h.document_number, h.document_type,
    (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
  from house_consignment h
  where h.ens_id = any($1::integer[]) and h.id not in (select unnest($2::uuid[]))
)
select ens_id as "declarationId", count(*)::integer as houses,
  (count(*) filter (where presented))::integer as presented, (
    select coalesce(json_agg(json_build_object('documentNumber', document_number, 'type', document_type)), '[]')
    from (
      select document_number, document_type from unlisted u
      where u.ens_id = unlisted.ens_id and u.presented
      order by document_number, document_type limit $3
    ) example
  ) as examples
from unlisted group by ens_id;

-- select-withdrawn-houses
-- packages/service/src/registry/withdrawal-queries.ts
select (i.number - 1)::integer as index, w.id, w.registration
from unnest($1::integer[], $2::text[], $3::text[]) with ordinality as i (ens, document_number, document_type, number)
cross join lateral (
  select * from withdrawn_house_consignment w
  where w.document_key = identifier_key(i.document_number) and w.document_type = i.document_type
    -- By the index on keys: without statistics, the planner might read the whole declaration for each.
    and w.ens_id + 0 = i.ens
  order by w.document_number <> i.document_number, w.withdrawal desc limit 1
) w;

-- update-declarations
-- packages/service/src/registry/declaration-queries.ts
update declaration e
set customs_office_of_first_entry = n.office, declarant = n.declarant, representative = n.representative,
  carrier = n.carrier, presenters = n.presenters, estimated_time_of_arrival = n.arrival,
  transport_means_number = n.means_number, transport_means_type = n.means_type,
  -- What comes without one keeps it.
  source_version = coalesce(n.source_version, e.source_version)
from (
  select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
    (select array_agg(o.id order by number)
      from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
      join organisation o using (identifier)) as presenters,
    i.arrival, i.means_number, i.means_type, i.source_version
  from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
    presenters json, arrival timestamptz, means_number text, means_type text, source_version bigint)
  join organisation d on d.identifier = i.declarant
  left join organisation r on r.identifier = i.representative
  left join organisation c on c.identifier = i.carrier
) n
where e.mrn = n.mrn;

-- update-heads
-- packages/service/src/registry/house-queries.ts
update house_consignment h set signal_head = i.head
from unnest($1::uuid[], $2::text[]) as i (id, head)
where h.id = i.id;

-- update-houses
-- packages/service/src/registry/house-queries.ts
update house_consignment h
set document_number = n.number, master_document_number = n.master_number,
  master_document_key = identifier_key(n.master_number), master_document_type = n.master_type,
  receptacle_id = n.receptacle, signal_head = n.head, subheadings = nullif(n.subheadings, '{}'),
  routing = n.decided_routing, routing_control_location = n.decided_location,
  registered_routing = n.routing, registered_control_location = n.location
from json_to_recordset($1::json) as n (id uuid, ens integer, number text, type text, master_number text,
  master_type text, receptacle text, head text, subheadings text[], routing text, location text,
  decided_routing text, decided_location text)
where h.id = n.id;

-- update-routings
-- packages/service/src/registry/house-queries.ts
update house_consignment h set routing = i.routing, routing_control_location = i.location
from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as i (id, routing, location, number)
where h.id = i.id;

-- update-versions
-- packages/service/src/registry/declaration-queries.ts
update declaration set version = $2, withdrawal = null where id = any($1::integer[]);

-- withdraw-declarations
-- packages/service/src/registry/withdrawal-queries.ts
update declaration set version = $2, withdrawal = $2 where id = any ($1::integer[]);

-- withdraw-houses
-- packages/service/src/registry/withdrawal-queries.ts
with next as materialized (
  select id from house_consignment
  where ens_id = $1 and (document_number, document_type) > ($5, $6) and id not in (select unnest($2::uuid[]))
  order by document_number, document_type limit $4
),
entered as (
  delete from entered_house_consignment where house_consignment_id = any (array(select id from next))
),
gone as (
  delete from house_consignment where id = any (array(select id from next))
  returning id, ens_id, document_number, document_type, master_document_number, master_document_type, receptacle_id,
    signal_head, routing, routing_control_location, registration, registered_routing,
    registered_control_location, subheadings, document_key, master_document_key, only_spelling
),
-- What is left of goods that shared a key is found by every spelling again.
alone as (
  update house_consignment h set only_spelling = null from gone
  where gone.only_spelling is not null and h.document_key = gone.document_key
    and h.document_type = gone.document_type and h.ens_id = $1 and h.id <> all (array(select id from next))
    and (
      select true from house_consignment o
      where o.document_key = h.document_key and o.document_type = h.document_type and o.ens_id = $1 and o.id <> h.id
        and o.id <> all (array(select id from next)) limit 1
    ) is null
),
kept as (
  insert into withdrawn_house_consignment (id, ens_id, document_number, document_type, master_document_number, master_document_type, receptacle_id,
    signal_head, routing, routing_control_location, registration, registered_routing,
    registered_control_location, subheadings, document_key, master_document_key, withdrawal)
  select id, ens_id, document_number, document_type, master_document_number, master_document_type, receptacle_id,
    signal_head, routing, routing_control_location, registration, registered_routing,
    registered_control_location, subheadings, document_key, master_document_key, $3::bigint from gone
  returning id, document_number, document_type
)
select id, document_number as "documentNumber", document_type as type
from kept order by document_number, document_type;
