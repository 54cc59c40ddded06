-- locks: entry_summary_declaration and routing_decision, for a moment each
--
-- What was lodged and decided is kept: a message withdraws goods and never deletes them, and every decision is a row.

-- The registration that changed the declaration or its house consignments last: its version. Null before this migration.
alter table entry_summary_declaration add version bigint;
-- The registration that withdrew it; null while it is current.
alter table entry_summary_declaration add withdrawal bigint;

-- House consignments that were withdrawn, as they were. In a table of their own, so that nothing that presents, decides or
-- releases goods can reach them. One that is sent again returns with its id, and its decisions apply again.
create table withdrawn_house_consignment (
  id uuid primary key,
  ens_id integer not null references entry_summary_declaration,
  document_number text collate "C" not null,
  document_type text collate "C" not null,
  master_document_number text collate "C",
  master_document_type text collate "C",
  receptacle_id text collate "C",
  signal_head text not null,
  routing text check (routing in ('TO_CONTROL', 'TO_ENTRY')),
  routing_control_location text check (routing_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  registration bigint,
  registered_routing text check (registered_routing in ('TO_CONTROL', 'TO_ENTRY')),
  registered_control_location text check (registered_control_location in ('ON_ENTRY', 'AFTER_ENTRY')),
  subheadings text[],
  -- The registration that withdrew it.
  withdrawal bigint not null,
  unique (ens_id, document_number, document_type)
);
create index withdrawn_house_consignment_document on withdrawn_house_consignment (document_number, document_type);
create index withdrawn_house_consignment_registration on withdrawn_house_consignment (registration);
create index withdrawn_house_consignment_withdrawal on withdrawn_house_consignment (withdrawal);

-- Every decision on a house consignment, in the order of their numbers; they remain when it is withdrawn. The last one that
-- takes effect is also in house_consignment.routing, where presenting finds it.
alter table routing_decision drop constraint routing_decision_house_consignment_id_fkey;
alter table routing_decision drop constraint routing_decision_routing_check;
alter table routing_decision
  add constraint routing_decision_routing_check check (routing in ('TO_CONTROL', 'TO_ENTRY', 'UNDECIDED'));
-- Who decided: a person, a system of the authority, the message that lodged the goods, or a routing profile.
alter table routing_decision
  add origin text not null default 'ENGINE' check (origin in ('OFFICER', 'ENGINE', 'REGISTRATION', 'PROFILE'));
-- False if it was recorded, and a decision of somebody who stands above remained the current one.
alter table routing_decision add takes_effect boolean not null default true;
-- The id that the caller gave the decision, by which it is found if it is sent again.
alter table routing_decision add decision_id uuid;

-- A house consignment as it was registered, in the form of the API.
create function registered_house(document_number text, document_type text, signal_head text, receptacle_id text,
    subheadings text[], routing text, routing_control_location text) returns json language sql immutable as $$
  select json_strip_nulls(json_build_object(
    'transportDocumentHouseLevel', json_build_object('documentNumber', document_number, 'type', document_type),
    'transportDocumentMasterLevel', (signal_head || '}')::json -> 'transportDocumentMasterLevel',
    'receptacleId', receptacle_id,
    'containerId', (signal_head || '}')::json -> 'containerId',
    'harmonizedSystemSubheadingCode', subheadings,
    'routing', routing,
    'routingControlLocation', routing_control_location))
$$;

-- As before, but a withdrawn declaration is not reached.
create or replace function reach_level(
  level text, reference text, reference_type text, mrn text, presenter integer, expected_only boolean
) returns table (house uuid, stored_at tid, decided boolean, ens integer, ens_mrn text, declarant integer, representative integer)
language plpgsql stable as $$
begin
  if level = 'MASTER_CONSIGNMENT' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h
        where h.master_document_number = reference and h.master_document_type = reference_type
        order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = reference and h.master_document_type = reference_type and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from entry_summary_declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g
      where g.ens_id = e.id and g.master_document_number = reference and g.master_document_type = reference_type
      offset 0
    ) h
    where (reach_level.mrn is null or e.mrn = reach_level.mrn)
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  elsif level = 'RECEPTACLE' then
    return query
    with recursive found (id) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h where h.receptacle_id = reference and h.ens_id > found.id
        order by h.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from entry_summary_declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment g where g.ens_id = e.id and g.receptacle_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'CONTAINER' then
    return query
    with recursive found (id) as (
      (select c.ens_id from house_consignment_container c where c.container_id = reference order by c.ens_id limit 1)
      union all
      select (select c.ens_id from house_consignment_container c
        where c.container_id = reference and c.ens_id > found.id order by c.ens_id limit 1)
      from found where found.id is not null
    )
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from found
    cross join lateral (select * from entry_summary_declaration where id = found.id offset 0) e
    cross join lateral (
      select g.id, g.ctid, g.routing from house_consignment_container c
      join house_consignment g on g.id = c.house_consignment_id
      where c.ens_id = e.id and c.container_id = reference
      offset 0
    ) h
    where not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters);
  elsif level = 'ENTRY_SUMMARY_DECLARATION' then
    return query
    select h.id, h.ctid, h.routing is not null, e.id, e.mrn, e.declarant, e.representative
    from entry_summary_declaration e
    left join house_consignment h on h.ens_id = e.id
    where e.mrn = reference and e.withdrawal is null
      and (not expected_only or may_present(presenter, e.declarant, e.representative, e.carrier, e.presenters));
  end if;
end
$$;
