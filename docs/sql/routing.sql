-- The SQL of packages/service/src/routing/. Generated: change the sources, then npm run generate.

-- clear-live-routing-profile
-- packages/service/src/routing/profile-queries.ts
update routing_profile set live_since = null where live_since is not null returning *;

-- commit-decisions
-- packages/service/src/routing/decision-queries.ts
with current as materialized (
  select d.*, f.houses, f.house, e.declarant, e.representative, h.signal_head,
    h.routing as current_routing, h.routing_control_location as current_location
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[])
    with ordinality as d (mrn, document_number, document_type, routing, routing_control_location, reason,
      profile_rule, number_in_block)
  cross join lateral find_house_consignment(d.mrn, d.document_number, d.document_type) f
  left join house_consignment h on h.id = f.house
  left join entry_summary_declaration e on e.id = h.ens_id
),
unlocked as materialized (
  select true from current
  where house is not null and (current.routing, current.routing_control_location) is distinct from (current_routing, current_location)
    and not ($9::boolean and current_routing is not null) and (
    declarant <> all ($8::integer[]) or representative <> all ($8::integer[])
    or (select true from signal_recipient c
      where c.house_consignment_id = house and c.organisation_id <> all ($8::integer[]) limit 1))
  limit 1
),
-- Decisions for one house consignment apply in their order: each is compared with the previous one.
compared as (
  select s.*, house is not null
    and (routing, routing_control_location) is distinct from (routing_before, location_before)
    and not ($9::boolean and current_routing is not null) as changed
  from (
    select current.*,
      case when row_number() over decisions = 1 then current_routing
        else lag(routing) over decisions end as routing_before,
      case when row_number() over decisions = 1 then current_location
        else lag(routing_control_location) over decisions end as location_before
    from current
    window decisions as (partition by house order by number_in_block)
  ) s
  where (select true from unlocked) is null
),
decided as materialized (
  select c.*,
    case when changed then count(*) filter (where changed) over decisions + (
      select coalesce(max(number), 0) from routing_decision d where d.house_consignment_id = c.house
    ) end as number,
    count(*) filter (where changed) over (
      partition by house order by number_in_block rows between 1 following and unbounded following) = 0 as last,
    case when changed then (
      select count(*)::integer from signal_recipient where house_consignment_id = c.house
    ) else 0 end as signals
  from compared c
  window decisions as (partition by house order by number_in_block)
),
-- The end of each feed is looked up once, in its first row. In a join, the planner would compare every row with
-- every end.
signal as materialized (
  select s.*, step + max(feed_end) over (partition by owner) as position
  from (
    select c.organisation_id as owner, d.house, d.number, d.signal_head, d.routing, d.routing_control_location,
      row_number() over owners as step,
      case when row_number() over owners = 1 then coalesce(
        (select max(position) from routing_signal r where r.owner = c.organisation_id), 0) end as feed_end
    from decided d join signal_recipient c on c.house_consignment_id = d.house
    where d.changed
    window owners as (partition by c.organisation_id order by d.number_in_block)
  ) s
),
new_signal as (
  insert into routing_signal (owner, position, id, entry)
  select owner, position, id, routing_signal_entry(signal_head, id, routing, routing_control_location, $11)
  from (
    select signal.*, mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id from signal
    offset 0 -- so that each marker is minted once, not wherever it is used
  ) minted
  returning owner, position, entry_digest(entry) as digest
),
new_issued_signal as (
  insert into issued_signal (house_consignment_id, owner, position, decision)
  select house, owner, position, number from signal
),
new_decision as (
  insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location,
    reason, organisation_id, client_id, request_id, profile, profile_version, profile_rule)
  select house, number, $10::timestamptz, routing, routing_control_location, reason, $12::integer, $13, $14, $15,
    $16::integer, profile_rule
  from decided where changed
),
applied as (
  update house_consignment h
  set routing = d.routing, routing_control_location = d.routing_control_location
  from decided d where d.changed and d.last and h.id = d.house
),
-- The declarant's row of goods that were presented without a decision.
not_awaited as (
  update signal_recipient s set awaits_decision = null
  from decided d
  where d.changed and d.last
    and s.house_consignment_id = d.house and s.organisation_id = d.declarant and s.awaits_decision
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended_range as (
  select 2 || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from new_signal group by owner
)
select houses, house, changed, signals,
  case when number_in_block = 1 then (select array_agg(distinct owner) from signal) end as signalled,
  case when number_in_block = 1 then (
    select json_build_object('ranges', json_agg(json_build_object('range', range, 'digest', digest)))
    from appended_range having count(*) > 0
  ) end as appended
from decided order by number_in_block;

-- insert-profile-decisions
-- packages/service/src/routing/profile-queries.ts
insert into routing_decision (house_consignment_id, number, decided_at, routing, routing_control_location,
  organisation_id, client_id, request_id, profile, profile_version, profile_rule)
select house, 1, $5::timestamptz, routing, location, $6::integer, $7, $8, $9, $10::integer, rule
from unnest($1::uuid[], $2::text[], $3::text[], $4::integer[]) as i (house, routing, location, rule);

-- insert-routing-profile
-- packages/service/src/routing/profile-queries.ts
insert into routing_profile (name, version, profile, created_at) values ($1, $2, $3, $4)
returning *;

-- lock-decisions
-- packages/service/src/routing/decision-queries.ts
with found as materialized (
  select distinct f.house
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    as decision (mrn, document_number, document_type, routing, routing_control_location)
  cross join lateral find_house_consignment(mrn, document_number, document_type) f
  join house_consignment h on h.id = f.house
  where (decision.routing, decision.routing_control_location) is distinct from (h.routing, h.routing_control_location)
    and not ($6::boolean and h.routing is not null)
),
declaration as materialized (
  select e.declarant, e.representative
  from found f join house_consignment h on h.id = f.house
  join entry_summary_declaration e on e.id = h.ens_id
),
affected as materialized (
  select array(
    select declarant from declaration
    union select representative from declaration where representative is not null
    union select c.organisation_id from found f join signal_recipient c on c.house_consignment_id = f.house
  ) as organisations
)
select organisations, lock_in_order(1, organisations, 50) as locked from affected;

-- lock-routing-profiles
-- packages/service/src/routing/profile-queries.ts
lock table routing_profile in share row exclusive mode;

-- select-latest-consignments
-- packages/service/src/routing/profile-queries.ts
select h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
  h.receptacle_id as "receptacleId", h.subheadings,
  e.customs_office_of_first_entry as "customsOfficeOfFirstEntry",
  e.transport_means_type as "typeOfIdentification", h.routing,
  h.routing_control_location as "routingControlLocation"
from house_consignment h join entry_summary_declaration e on e.id = h.ens_id
where h.id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
order by h.id desc limit $2;

-- select-live-routing-profile
-- packages/service/src/routing/profile-queries.ts
select * from routing_profile where live_since is not null;

-- select-release
-- packages/service/src/routing/release-queries.ts
with declaration as materialized (
  select e.id from entry_summary_declaration e
  where e.mrn = any ($2::text[]) and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from validation_status_ens reached
      where reached.owner = $1 and reached.ens_id = e.id limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null)
),
master as materialized (
  with recursive found (identifier, ens) as (
    select identifier, (
      select h.ens_id from house_consignment h where h.master_document_number = identifier order by h.ens_id limit 1)
    from unnest($2::text[]) identifier
    union all
    select identifier, (
      select h.ens_id from house_consignment h
      where h.master_document_number = identifier and h.ens_id > ens order by h.ens_id limit 1)
    from found where ens is not null
  )
  select identifier, ens from found
  where (select true from entry_summary_declaration e where e.id = ens and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from validation_status_ens reached
      where reached.owner = $1 and reached.ens_id = e.id limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null) limit 1)
),
receptacle as materialized (
  with recursive found (identifier, ens) as (
    select identifier, (
      select h.ens_id from house_consignment h where h.receptacle_id = identifier order by h.ens_id limit 1)
    from unnest($2::text[]) identifier
    union all
    select identifier, (
      select h.ens_id from house_consignment h
      where h.receptacle_id = identifier and h.ens_id > ens order by h.ens_id limit 1)
    from found where ens is not null
  )
  select identifier, ens from found
  where (select true from entry_summary_declaration e where e.id = ens and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from validation_status_ens reached
      where reached.owner = $1 and reached.ens_id = e.id limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null) limit 1)
),
container as materialized (
  with recursive found (identifier, ens) as (
    select identifier, (
      select h.ens_id from house_consignment_container h where h.container_id = identifier order by h.ens_id limit 1)
    from unnest($2::text[]) identifier
    union all
    select identifier, (
      select h.ens_id from house_consignment_container h
      where h.container_id = identifier and h.ens_id > ens order by h.ens_id limit 1)
    from found where ens is not null
  )
  select identifier, ens from found
  where (select true from entry_summary_declaration e where e.id = ens and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from validation_status_ens reached
      where reached.owner = $1 and reached.ens_id = e.id limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null) limit 1)
),
matching as materialized (
  (select h.id, h.routing, h.routing_control_location as location from house_consignment h
    where h.document_number = any ($2) limit $3::integer + 1)
  union
  (select h.id, h.routing, h.routing_control_location
    from master cross join lateral (
      select * from house_consignment h where h.master_document_number = identifier and h.ens_id = ens
      offset 0) h limit $3 + 1)
  union
  (select h.id, h.routing, h.routing_control_location
    from receptacle cross join lateral (
      select * from house_consignment h where h.receptacle_id = identifier and h.ens_id = ens
      offset 0) h limit $3 + 1)
  union
  (select h.id, h.routing, h.routing_control_location
    from container
    cross join lateral (
      select c.house_consignment_id from house_consignment_container c
      where c.container_id = identifier and c.ens_id = ens
      offset 0) c
    cross join lateral (select * from house_consignment h where h.id = c.house_consignment_id limit 1) h
    limit $3 + 1)
  union
  (select h.id, h.routing, h.routing_control_location from house_consignment h
    where h.ens_id = any (array(select id from declaration)) limit $3 + 1)
),
presented as materialized (
  select candidate.*, (
    select array[c.signal_position] from signal_recipient c
    where c.house_consignment_id = candidate.id and ($1 is null or c.organisation_id = $1) limit 1
  ) as first_signal
  from (select * from matching limit $3) candidate
),
known as materialized (
  select id, location,
    case when first_signal is null then 'NOT_PRESENTED' else coalesce(routing, 'UNDECIDED') end as state,
    case when $1 is not null and routing is not null then coalesce(
      (select max(i.position) from issued_signal i where i.house_consignment_id = presented.id and i.owner = $1),
      first_signal[1]) end as position
  from presented
  where first_signal is not null or $1 is null
),
listed as materialized (
  select * from known
  order by array_position(array['TO_CONTROL', 'UNDECIDED', 'NOT_PRESENTED', 'TO_ENTRY'], state), id
  limit $4
)
select
  (count(*) filter (where state = 'TO_ENTRY'))::integer as to_entry,
  (count(*) filter (where state = 'TO_CONTROL'))::integer as to_control,
  (count(*) filter (where state = 'UNDECIDED'))::integer as undecided,
  (count(*) filter (where state = 'NOT_PRESENTED'))::integer as not_presented,
  coalesce(json_agg(distinct location) filter (where state = 'TO_CONTROL'), '[]') as locations,
  (select count(*) from matching) <= $3 as complete,
  coalesce(json_agg(position order by position) filter (where position is not null), '[]') as positions,
  (
    select '[' || coalesce(string_agg(h.signal_head || ',"state":"' || l.state || '"'
      || coalesce(',"routingControlLocation":"' || l.location || '"', '')
      || coalesce(',"documentIssueDate":' || (
        (select entry from routing_signal s where s.owner = $1 and s.position = l.position limit 1)::json
          -> 'routingResult' -> 'documentIssueDate')::text, '')
      || '}', ','
      order by array_position(array['TO_CONTROL', 'UNDECIDED', 'NOT_PRESENTED', 'TO_ENTRY'], l.state), l.id), '')
      || ']'
    from listed l
    cross join lateral (select * from house_consignment h where h.id = l.id limit 1) h
  ) as listed
from known;

-- select-routing-profile
-- packages/service/src/routing/profile-queries.ts
select * from routing_profile where name = $1 and version = coalesce($2, version)
order by version desc limit 1;

-- select-routing-profiles
-- packages/service/src/routing/profile-queries.ts
select * from routing_profile order by name, version;

-- select-undecided-consignments
-- packages/service/src/routing/profile-queries.ts
select h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
  h.receptacle_id as "receptacleId", h.subheadings,
  e.customs_office_of_first_entry as "customsOfficeOfFirstEntry",
  e.transport_means_type as "typeOfIdentification", h.routing,
  h.routing_control_location as "routingControlLocation"
from house_consignment h join entry_summary_declaration e on e.id = h.ens_id
where h.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') and h.routing is null
order by h.id limit $2;

-- set-live-routing-profile
-- packages/service/src/routing/profile-queries.ts
update routing_profile set live_since = $3 where name = $1 and version = $2 returning *;
