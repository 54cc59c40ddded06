-- The SQL of packages/service/src/registry/. Generated: change the sources, then npm run generate.

-- compare-houses
-- packages/service/src/registry/existing-queries.ts
select i.index, h.id, case when h.signal_head <> i.head then h.signal_head end as head,
  h.subheadings is not distinct from nullif(i.subheadings, '{}') as "sameSubheadings",
  h.registered_routing is not distinct from i.routing
    and h.registered_control_location is not distinct from i.location as "sameRouting",
  -- Not "exists", which the planner can turn into a join.
  (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
from json_to_recordset($1::json)
  as i (index integer, ens integer, number text, type text, head text, subheadings text[], routing text,
    location text)
cross join lateral (
  select * from house_consignment h
  where h.ens_id = i.ens and h.document_number = i.number and h.document_type = i.type
  limit 1
) h;

-- delete-containers
-- packages/service/src/registry/change-queries.ts
delete from house_consignment_container where house_consignment_id = any($1::uuid[]);

-- delete-declaration
-- packages/service/src/registry/change-queries.ts
delete from entry_summary_declaration where id = $1;

-- delete-houses
-- packages/service/src/registry/change-queries.ts
delete from house_consignment where id = any($1::uuid[]);

-- insert-containers
-- packages/service/src/registry/change-queries.ts
insert into house_consignment_container (container_id, house_consignment_id, ens_id)
select i.container, i.house, h.ens_id
from unnest($1::text[], $2::uuid[]) as i (container, house)
join house_consignment h on h.id = i.house;

-- insert-declarations
-- packages/service/src/registry/change-queries.ts
insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant, representative, carrier,
  presenters, estimated_time_of_arrival, transport_means_number, transport_means_type)
select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
  (select array_agg(o.id order by number)
    from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
    join organisation o using (identifier)) as presenters,
  i.arrival, i.means_number, i.means_type
from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
  presenters json, arrival timestamptz, means_number text, means_type text)
join organisation d on d.identifier = i.declarant
left join organisation r on r.identifier = i.representative
left join organisation c on c.identifier = i.carrier
order by i.mrn
on conflict (mrn) do nothing
returning id, mrn;

-- insert-houses
-- packages/service/src/registry/change-queries.ts
insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
  master_document_type, receptacle_id, signal_head, registered_routing, registered_control_location,
  routing, routing_control_location, registration, subheadings)
select id, ens, number, type, master_number, master_type, receptacle, head, routing, location,
  coalesce(decided_routing, routing),
  case when decided_routing is null then location else decided_location end, $2::bigint,
  nullif(subheadings, '{}')
from json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
  master_type text, receptacle text, head text, subheadings text[], routing text, location text,
  decided_routing text, decided_location text);

-- insert-organisations
-- packages/service/src/registry/change-queries.ts
insert into organisation (identifier, name, kind)
select named, named, case when named like '0192:%' then 'domestic' else 'foreign' end
from (select distinct unnest($1::text[]) as named order by 1) in_order
where (select true from organisation where identifier = named limit 1) is null
on conflict do nothing;

-- insert-registration
-- packages/service/src/registry/change-queries.ts
insert into registration (at, organisation_id, client_id, request_id)
values ($1, $2, $3, $4) returning id;

-- lock-declarations
-- packages/service/src/registry/existing-queries.ts
select from entry_summary_declaration where mrn = any($1::text[])
order by mrn for no key update;

-- select-declarations
-- packages/service/src/registry/existing-queries.ts
select e.id, array_remove(array[e.declarant, e.representative], null) as organisations,
  json_strip_nulls(json_build_object(
    'mrn', e.mrn,
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
    ) end
  )) as members
from entry_summary_declaration e
where e.mrn = any($1::text[]);

-- select-heads
-- packages/service/src/registry/existing-queries.ts
select id, signal_head as head from house_consignment
where ens_id = $1 and id > $2 order by id limit $3;

-- select-house-page
-- packages/service/src/registry/existing-queries.ts
with page as materialized (
  select * from house_consignment where ens_id = $1 and id > $2 order by id limit $3
)
select (select id from page order by id desc limit 1) as last,
  string_agg(json_strip_nulls(json_build_object(
    'transportDocumentHouseLevel',
      json_build_object('documentNumber', document_number, 'type', document_type),
    'transportDocumentMasterLevel', (signal_head || '}')::json -> 'transportDocumentMasterLevel',
    'receptacleId', receptacle_id,
    'containerId', (signal_head || '}')::json -> 'containerId',
    'harmonizedSystemSubheadingCode', subheadings,
    'routing', registered_routing,
    'routingControlLocation', registered_control_location
  ))::text, ',' order by id) as body
from page;

-- select-organisation-ids
-- packages/service/src/registry/existing-queries.ts
select id from organisation where identifier = any($1::text[]);

-- select-presented-declarations
-- packages/service/src/registry/existing-queries.ts
select id from unnest($1::integer[]) e (id)
where (
  select true from house_consignment h
  where h.ens_id = e.id
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null
  limit 1
);

-- select-unlisted-houses
-- packages/service/src/registry/existing-queries.ts
select h.ens_id as "declarationId", h.id, h.document_number as "documentNumber",
  h.document_type as type,
  (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
from house_consignment h
where h.ens_id = any($1::integer[]) and h.id not in (select unnest($2::uuid[]))
order by h.id;

-- update-declarations
-- packages/service/src/registry/change-queries.ts
update entry_summary_declaration e
set customs_office_of_first_entry = n.office, declarant = n.declarant, representative = n.representative,
  carrier = n.carrier, presenters = n.presenters, estimated_time_of_arrival = n.arrival,
  transport_means_number = n.means_number, transport_means_type = n.means_type
from (
  select i.mrn, i.office, d.id as declarant, r.id as representative, c.id as carrier,
    (select array_agg(o.id order by number)
      from json_array_elements_text(i.presenters) with ordinality as presenter (identifier, number)
      join organisation o using (identifier)) as presenters,
    i.arrival, i.means_number, i.means_type
  from json_to_recordset($1::json) as i (mrn text, office text, declarant text, representative text, carrier text,
    presenters json, arrival timestamptz, means_number text, means_type text)
  join organisation d on d.identifier = i.declarant
  left join organisation r on r.identifier = i.representative
  left join organisation c on c.identifier = i.carrier
) n
where e.mrn = n.mrn;

-- update-heads
-- packages/service/src/registry/change-queries.ts
update house_consignment h set signal_head = i.head
from unnest($1::uuid[], $2::text[]) as i (id, head)
where h.id = i.id;

-- update-houses
-- packages/service/src/registry/change-queries.ts
update house_consignment h
set master_document_number = n.master_number, master_document_type = n.master_type,
  receptacle_id = n.receptacle, signal_head = n.head, subheadings = nullif(n.subheadings, '{}'),
  routing = case when n.decides then n.routing else h.routing end,
  routing_control_location = case when n.decides then n.location else h.routing_control_location end,
  registered_routing = n.routing, registered_control_location = n.location
from (
  select i.*,
    (i.routing, i.location) is distinct from (k.registered_routing, k.registered_control_location)
      and (i.routing is not null
        or (k.routing, k.routing_control_location)
          is not distinct from (k.registered_routing, k.registered_control_location)) as decides
  from json_to_recordset($1::json) as i (id uuid, ens integer, number text, type text, master_number text,
    master_type text, receptacle text, head text, subheadings text[], routing text, location text,
    decided_routing text, decided_location text)
  join house_consignment k using (id)
) n
where h.id = n.id;
