-- The SQL of packages/service/src/routing/. Generated: change the sources, then npm run generate.

-- clear-live-routing-profile
-- packages/service/src/routing/profile-queries.ts
update routing_profile set live_since = null where live_since is not null returning *;

-- insert-registered-decisions
-- packages/service/src/routing/decision-queries.ts
insert into routing_decision (house_consignment_id, number, origin, takes_effect, routing, routing_control_location,
  profile_rule, profile, profile_version, reason, decided_at, organisation_id, client_id, request_id, taken_from,
  first_decided_at)
select house, decision, origin, takes_effect, routing, location, rule, profile, profile_version, reason,
  decided_at, organisation, client, request_id, taken_from, first_decided_at
from unnest($1::uuid[], $2::integer[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::integer[], $10::text[], $11::timestamptz[], $12::integer[], $13::text[], $14::text[], $15::text[], $16::timestamptz[]) with ordinality as i (house, decision, origin, takes_effect, routing, location, rule, profile, profile_version, reason, decided_at, organisation, client, request_id, taken_from, first_decided_at, number);

-- insert-routing-profile
-- packages/service/src/routing/profile-queries.ts
insert into routing_profile (name, version, profile, created_at) values ($1, $2, $3, $4)
returning *;

-- keep-decision-record
-- packages/service/src/routing/decision-queries.ts
select set_config('landfall.record', $1::text || '}}', true);

-- lock-beside-decisions
-- packages/service/src/routing/decision-queries.ts
with meant as materialized (
  select distinct h.id, ((
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is not null and (
    select true from house_consignment o
    where o.document_key = h.document_key and o.document_type = h.document_type
      and o.ens_id <> h.ens_id limit 1
  ) is not null) as may_be_told_twice
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[]) with ordinality as decision (mrn, document_number, document_type, routing, location, reason, decision_id, number)
  cross join lateral find_house_consignment_of_any_kind(mrn, document_number, document_type) f
  cross join lateral (select * from house_consignment where id = f.house offset 0) h
  where decision.routing in ('TO_CONTROL', 'ENTRY_DENIED')
),
goods as materialized (
  select id from meant
  union
  select other from meant cross join lateral goods_beside(id, $1::boolean) where may_be_told_twice
),
reference as materialized (
  select reference
  from goods
  cross join lateral (select * from house_consignment where id = goods.id offset 0) h
  cross join lateral (select kind from declaration where id = h.ens_id offset 0) e
  cross join lateral (
    select h.master_document_key
    union all select h.receptacle_id
    union all select 'HOUSE ' || h.document_key where h.master_document_key is null and h.receptacle_id is null
  ) r (reference)
  where e.kind = 'HOUSE' and reference is not null
)
select array(select id from goods) as houses,
  lock_references(5, array(select reference from reference), true);

-- lock-decisions
-- packages/service/src/routing/decision-queries.ts
with storing as materialized (
  select distinct h.id as house, h.ens_id, decision.routing in ('TO_CONTROL', 'ENTRY_DENIED') as is_control,
    ((
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is not null and (
    select true from house_consignment o
    where o.document_key = h.document_key and o.document_type = h.document_type
      and o.ens_id <> h.ens_id limit 1
  ) is not null) as may_be_told_twice
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[]) with ordinality as decision (mrn, document_number, document_type, routing, location, reason, decision_id, number)
  cross join lateral find_house_consignment_of_any_kind(mrn, document_number, document_type) f
  join house_consignment h on h.id = f.house
  left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1) current on true
  where not ($9::boolean and coalesce(h.routing, 'ENTRY_PENDING') <> 'ENTRY_PENDING')
    -- A decision that equals the current one is stored if somebody else makes it, or with an id or another reason.
    and ((decision.routing, location) is distinct from (h.routing, h.routing_control_location)
      or decision.decision_id is not null
      or (h.routing is not null or current.number is not null)
        and (current.origin, current.organisation_id, current.client_id, current.reason)
        is distinct from ($10::text, $11::integer,
          $12::text, decision.reason))
),
-- A decision on one record of goods is a decision on the others.
decided as materialized (
  select house, ens_id from storing
  union
  select h.id, h.ens_id from storing
  cross join lateral same_goods(house, $1::boolean) join house_consignment h on h.id = other
  where may_be_told_twice
  union
  select h.id, h.ens_id from storing
  cross join lateral goods_beside(house, $1::boolean) join house_consignment h on h.id = other
  where may_be_told_twice and is_control
),
affected as materialized (
  select array(
    -- Without the offset, a plan for any number of goods reads every declaration.
    select party from decided cross join lateral (select * from declaration where id = ens_id offset 0) e
    cross join lateral (values (declarant), (representative)) parties (party) where party is not null
    union select c.organisation_id from decided join signal_recipient c on c.house_consignment_id = house
  ) as organisations
)
select organisations, lock_in_order(1, organisations,
  $13::integer) as locked
from affected;

-- lock-routing-profiles
-- packages/service/src/routing/profile-queries.ts
lock table routing_profile in share row exclusive mode;

-- select-completed-lodged
-- packages/service/src/routing/presented-queries.ts
select replaced.*, (
  select h.id from house_consignment h
  where h.ens_id = replaced.id and coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING'
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1)
  limit 1
) as house
from (
  select greatest(replaced_at, completed_at) as at, declaration_id as id from movement
  where (replaced_at is not null or completed_at is not null)
    and (greatest(replaced_at, completed_at), declaration_id) > ($1::timestamptz, $2::integer)
  order by greatest(replaced_at, completed_at), declaration_id limit $3
) replaced
order by at, id;

-- select-consignment-facts
-- packages/service/src/routing/profile-queries.ts
select h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
  h.receptacle_id as "receptacleId", h.subheadings,
  coalesce(e.customs_office_of_first_entry, case when m.mode is not null then (
    select office from signal_recipient c
    where c.house_consignment_id = h.id and c.first_presented_at is not null
  ) end) as "customsOfficeOfFirstEntry", m.mode as "lodgedMode",
  m.import_procedure as "importProcedure", m.outgoing_procedure as "outgoingProcedure",
  coalesce(m.carrier, case when m.mode is not null then (
    select t.carrier from signal_recipient c join movement t on t.declaration_id = c.transport
    where c.house_consignment_id = h.id and c.transport is not null limit 1
  ) end) as "carrierIdentificationNumber",
  m.consignor_country as "consignorCountry", m.weight::float8 as "grossMass",
  e.transport_means_type as "typeOfIdentification", h.routing,
  h.routing_control_location as "routingControlLocation"
from house_consignment h join declaration e on e.id = h.ens_id left join movement m on m.declaration_id = e.id
where h.id = any ($1::uuid[]) and coalesce(cardinality(m.reasons), 0) = 0;

-- select-decided
-- packages/service/src/routing/decision-queries.ts
select f.houses, f.house, case
    when current.number is not null and (h.routing is not null or current.routing = 'UNDECIDED')
      then json_build_object('number', current.number, 'routing', current.routing,
        'routingControlLocation', current.routing_control_location, 'origin', current.origin,
        'organisationId', current.organisation_id, 'clientId', current.client_id, 'reason', current.reason,
        'run', current.run_id, 'decidedAt', api_time(current.decided_at))
    -- A server of the previous release has registered it.
    when h.routing is not null
      then json_build_object('number', 0, 'routing', h.routing,
        'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION',
        'decidedAt', (select api_time(r.at) from registration r where r.id = h.registration))
  end as current,
  (select max(d.number) from routing_decision d where d.house_consignment_id = f.house) as last,
  (
    select json_build_object('house', d.house_consignment_id, 'number', d.number, 'routing', d.routing,
      'routingControlLocation', d.routing_control_location, 'signals', (
        select count(*) from issued_signal i
        where i.house_consignment_id = d.house_consignment_id and i.decision = d.number))
    from routing_decision d
    where d.organisation_id = $2::integer and d.decision_id = decision.decision_id
    limit 1
  ) as stored,
  array_remove(array[e.declarant, e.representative], null) as parties,
  array(select organisation_id from signal_recipient c where c.house_consignment_id = f.house order by 1) as recipients,
  case when ((
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is not null and (
    select true from house_consignment o
    where o.document_key = h.document_key and o.document_type = h.document_type
      and o.ens_id <> h.ens_id limit 1
  ) is not null)
    then (
    select json_agg(json_build_object('house', h.id, 'goods', null, 'current', case
    when current.number is not null and (h.routing is not null or current.routing = 'UNDECIDED')
      then json_build_object('number', current.number, 'routing', current.routing,
        'routingControlLocation', current.routing_control_location, 'origin', current.origin,
        'organisationId', current.organisation_id, 'clientId', current.client_id, 'reason', current.reason,
        'run', current.run_id, 'decidedAt', api_time(current.decided_at))
    -- A server of the previous release has registered it.
    when h.routing is not null
      then json_build_object('number', 0, 'routing', h.routing,
        'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION',
        'decidedAt', (select api_time(r.at) from registration r where r.id = h.registration))
  end,
      'last', (select max(d.number) from routing_decision d where d.house_consignment_id = h.id),
      'parties', array_remove(array[e.declarant, e.representative], null),
      'recipients', array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id)
    ) order by h.id)
    from same_goods(f.house, $1::boolean)
    join house_consignment h on h.id = other
    join declaration e on e.id = h.ens_id
    left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1) current on true) end as others,
  case when decision.routing in ('TO_CONTROL', 'ENTRY_DENIED') and ((
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is not null and (
    select true from house_consignment o
    where o.document_key = h.document_key and o.document_type = h.document_type
      and o.ens_id <> h.ens_id limit 1
  ) is not null)
    then (
    select json_agg(json_build_object('house', h.id, 'goods', goods, 'current', case
    when current.number is not null and (h.routing is not null or current.routing = 'UNDECIDED')
      then json_build_object('number', current.number, 'routing', current.routing,
        'routingControlLocation', current.routing_control_location, 'origin', current.origin,
        'organisationId', current.organisation_id, 'clientId', current.client_id, 'reason', current.reason,
        'run', current.run_id, 'decidedAt', api_time(current.decided_at))
    -- A server of the previous release has registered it.
    when h.routing is not null
      then json_build_object('number', 0, 'routing', h.routing,
        'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION',
        'decidedAt', (select api_time(r.at) from registration r where r.id = h.registration))
  end,
      'last', (select max(d.number) from routing_decision d where d.house_consignment_id = h.id),
      'parties', array_remove(array[e.declarant, e.representative], null),
      'recipients', array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id)
    ) order by h.id)
    from (select * from goods_beside(f.house, $1::boolean) where not is_same) found
    join house_consignment h on h.id = other
    join declaration e on e.id = h.ens_id
    left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1) current on true)
  end as beside,
  (select record_time($3::timestamptz)) as now
from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::uuid[]) with ordinality as decision (mrn, document_number, document_type, routing, location, reason, decision_id, number)
cross join lateral find_house_consignment_of_any_kind(mrn, document_number, document_type) f
left join house_consignment h on h.id = f.house
left join declaration e on e.id = h.ens_id
left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = f.house and d.takes_effect order by d.number desc limit 1) current on true
order by decision.number;

-- select-decided-before
-- packages/service/src/routing/decision-queries.ts
select house.id,
  case
    when current.number is not null then json_build_object('routing', current.routing,
      'routingControlLocation', current.routing_control_location, 'origin', current.origin)
    -- A server of the previous release has registered it.
    when h.routing is not null then json_build_object('routing', h.routing,
      'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION')
  end as current,
  coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = house.id), 0) as last
from unnest($1::uuid[]) as house (id)
left join house_consignment h on h.id = house.id
left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = house.id and d.takes_effect order by d.number desc limit 1) current on true;

-- select-explained
-- packages/service/src/routing/explanation-queries.ts
select connection.connected is not null as presented, h.routing is not null as decided,
  connection.later is null as before, signal.id as marker, signal.at as "issuedAt"
from (
  select * from house_consignment where document_key = $2 limit $4
) h
cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
cross join lateral (
  select (
      select array[signal_position] from signal_recipient c
      where c.house_consignment_id = h.id and c.organisation_id = $1 limit 1
    ) as connected,
    (
      select max(i.position) from issued_signal i where i.house_consignment_id = h.id and i.owner = $1
    ) as later
) connection
left join lateral (
  select id, entry::json #>> '{routingResult,documentIssueDate}' as at from routing_signal s
  where s.owner = $1 and s.position = coalesce(connection.later, connection.connected[1]) limit 1
) signal on true
where h.document_type = any ($3::text[])
  and ($1 in (e.declarant, e.representative) or connection.connected is not null)
limit 2;

-- select-explained-with-mrn
-- packages/service/src/routing/explanation-queries.ts
select connection.connected is not null as presented, h.routing is not null as decided,
  connection.later is null as before, signal.id as marker, signal.at as "issuedAt"
from (
  select h.*
  from (select id from declaration where mrn = $5) e
  cross join lateral (
    select * from house_consignment where document_key = $2 and ens_id = e.id limit $4
  ) h
) h
cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
cross join lateral (
  select (
      select array[signal_position] from signal_recipient c
      where c.house_consignment_id = h.id and c.organisation_id = $1 limit 1
    ) as connected,
    (
      select max(i.position) from issued_signal i where i.house_consignment_id = h.id and i.owner = $1
    ) as later
) connection
left join lateral (
  select id, entry::json #>> '{routingResult,documentIssueDate}' as at from routing_signal s
  where s.owner = $1 and s.position = coalesce(connection.later, connection.connected[1]) limit 1
) signal on true
where h.document_type = any ($3::text[])
  and ($1 in (e.declarant, e.representative) or connection.connected is not null)
limit 2;

-- select-last-of-consignments
-- packages/service/src/routing/profile-queries.ts
select id from house_consignment
where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
order by id offset $2 - 1 limit 1;

-- select-latest-consignments
-- packages/service/src/routing/profile-queries.ts
select h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
  h.receptacle_id as "receptacleId", h.subheadings,
  coalesce(e.customs_office_of_first_entry, case when m.mode is not null then (
    select office from signal_recipient c
    where c.house_consignment_id = h.id and c.first_presented_at is not null
  ) end) as "customsOfficeOfFirstEntry", m.mode as "lodgedMode",
  m.import_procedure as "importProcedure", m.outgoing_procedure as "outgoingProcedure",
  coalesce(m.carrier, case when m.mode is not null then (
    select t.carrier from signal_recipient c join movement t on t.declaration_id = c.transport
    where c.house_consignment_id = h.id and c.transport is not null limit 1
  ) end) as "carrierIdentificationNumber",
  m.consignor_country as "consignorCountry", m.weight::float8 as "grossMass",
  e.transport_means_type as "typeOfIdentification", h.routing,
  h.routing_control_location as "routingControlLocation"
from house_consignment h join declaration e on e.id = h.ens_id left join movement m on m.declaration_id = e.id
where h.id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
order by h.id desc limit $2;

-- select-live-routing-profile
-- packages/service/src/routing/profile-queries.ts
select * from routing_profile where live_since is not null;

-- select-presented-lodged
-- packages/service/src/routing/presented-queries.ts
select h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
  h.receptacle_id as "receptacleId", h.subheadings,
  coalesce(e.customs_office_of_first_entry, case when m.mode is not null then (
    select office from signal_recipient c
    where c.house_consignment_id = h.id and c.first_presented_at is not null
  ) end) as "customsOfficeOfFirstEntry", m.mode as "lodgedMode",
  m.import_procedure as "importProcedure", m.outgoing_procedure as "outgoingProcedure",
  coalesce(m.carrier, case when m.mode is not null then (
    select t.carrier from signal_recipient c join movement t on t.declaration_id = c.transport
    where c.house_consignment_id = h.id and c.transport is not null limit 1
  ) end) as "carrierIdentificationNumber",
  m.consignor_country as "consignorCountry", m.weight::float8 as "grossMass",
  e.transport_means_type as "typeOfIdentification", h.routing,
  h.routing_control_location as "routingControlLocation", m.submitter as "submitterId", cardinality(m.reasons) > 0 as "isIncomplete",
  (select identifier from organisation o where o.id = m.submitter) as submitter
from house_consignment h join declaration e on e.id = h.ens_id join movement m on m.declaration_id = e.id
where h.id = any ($1::uuid[]) and (h.routing is null or h.routing = 'ENTRY_PENDING' and (
  select origin from routing_decision d
  where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1
) = 'PROFILE');

-- select-records-of-goods
-- packages/service/src/routing/same-goods-queries.ts
select h.id, e.mrn, case when e.kind is not null then e.id end as "lodgedAs",
  jsonb_set((case
    when current.number is not null and (h.routing is not null or current.routing = 'UNDECIDED')
      then json_build_object('number', current.number, 'routing', current.routing,
        'routingControlLocation', current.routing_control_location, 'origin', current.origin,
        'organisationId', current.organisation_id, 'clientId', current.client_id, 'reason', current.reason,
        'run', current.run_id, 'decidedAt', api_time(current.decided_at))
    -- A server of the previous release has registered it.
    when h.routing is not null
      then json_build_object('number', 0, 'routing', h.routing,
        'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION',
        'decidedAt', (select api_time(r.at) from registration r where r.id = h.registration))
  end)::jsonb, '{rule}', coalesce(to_jsonb(current.profile_rule), 'null'))
    || jsonb_build_object('profile', current.profile, 'profileVersion', current.profile_version,
      'takenFrom', current.taken_from, 'firstDecidedAt', api_time(current.first_decided_at)) as current,
  (
    select api_time(max(coalesce(d.first_decided_at, d.decided_at))) from routing_decision d
    where d.house_consignment_id = h.id and d.origin = 'OFFICER' and d.takes_effect
  ) as "officerDecidedAt",
  coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = h.id), 0) as last,
  e.declarant, array_remove(array[e.declarant, e.representative], null) as parties,
  array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id) as recipients
from house_consignment h
join declaration e on e.id = h.ens_id
left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1) current on true
where h.id = any ($1::uuid[]);

-- select-release
-- packages/service/src/routing/release-queries.ts
with of_mrn as materialized (
  select e.id from declaration e
  where e.mrn = $2 and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null)
),
master as materialized (
  with recursive found (identifier, ens) as (
    select $2::text, (select h.ens_id from house_consignment h where h.master_document_key = $2 order by h.ens_id limit 1)
    union all
    select identifier, (
      select h.ens_id from house_consignment h
      where h.master_document_key = identifier and h.ens_id > ens order by h.ens_id limit 1)
    from found where ens is not null
  )
  select identifier, ens from found
  where (select true from declaration e where e.id = ens and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null) limit 1)
),
receptacle as materialized (
  with recursive found (identifier, ens) as (
    select $2::text, (select h.ens_id from house_consignment h where h.receptacle_id = $2 order by h.ens_id limit 1)
    union all
    select identifier, (
      select h.ens_id from house_consignment h
      where h.receptacle_id = identifier and h.ens_id > ens order by h.ens_id limit 1)
    from found where ens is not null
  )
  select identifier, ens from found
  where (select true from declaration e where e.id = ens and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null) limit 1)
),
container as materialized (
  with recursive found (identifier, ens) as (
    select $2::text, (select h.ens_id from house_consignment_container h where h.container_id = $2 order by h.ens_id limit 1)
    union all
    select identifier, (
      select h.ens_id from house_consignment_container h
      where h.container_id = identifier and h.ens_id > ens order by h.ens_id limit 1)
    from found where ens is not null
  )
  select identifier, ens from found
  where (select true from declaration e where e.id = ens and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null) limit 1)
),
matching as materialized (
  (select h.id, h.ens_id, h.routing, h.routing_control_location as location from house_consignment h
    where h.document_key = $2 limit $3::integer + 1)
  union
  (select h.id, h.ens_id, h.routing, h.routing_control_location
    from master cross join lateral (
      select * from house_consignment h where h.master_document_key = identifier and h.ens_id = ens
      offset 0) h limit $3 + 1)
  union
  (select h.id, h.ens_id, h.routing, h.routing_control_location
    from receptacle cross join lateral (
      select * from house_consignment h where h.receptacle_id = identifier and h.ens_id = ens
      offset 0) h limit $3 + 1)
  union
  (select h.id, h.ens_id, h.routing, h.routing_control_location
    from container
    cross join lateral (
      select c.house_consignment_id from house_consignment_container c
      where c.container_id = identifier and c.ens_id = ens
      offset 0) c
    cross join lateral (select * from house_consignment h where h.id = c.house_consignment_id limit 1) h
    limit $3 + 1)
  union
  (select h.id, h.ens_id, h.routing, h.routing_control_location from house_consignment h
    where h.ens_id = any (array(select id from of_mrn)) limit $3 + 1)
),
presented as materialized (
  select candidate.*, (
    select array[c.signal_position] from signal_recipient c
    where c.house_consignment_id = candidate.id and ($1 is null or c.organisation_id = $1) limit 1
  ) as first_signal
  from (select * from matching limit $3) candidate
),
lodged as materialized (
  select e.id from declaration e
  where e.id in (select ens_id from matching) and $1 in (e.declarant, e.representative)
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
  order by array_position(array['TO_CONTROL', 'ENTRY_DENIED', 'UNDECIDED', 'ENTRY_PENDING', 'NOT_PRESENTED', 'TO_ENTRY'], state), id
  limit $4
)
select
  (count(*) filter (where state = 'TO_ENTRY'))::integer as to_entry,
  (count(*) filter (where state = 'TO_CONTROL'))::integer as to_control,
  (count(*) filter (where state = 'ENTRY_PENDING'))::integer as entry_pending,
  (count(*) filter (where state = 'ENTRY_DENIED'))::integer as entry_denied,
  (count(*) filter (where state = 'UNDECIDED'))::integer as undecided,
  (count(*) filter (where state = 'NOT_PRESENTED'))::integer as not_presented,
  coalesce(json_agg(distinct location) filter (where state = 'TO_CONTROL'), '[]') as locations,
  (select count(*) from matching) <= $3 as complete,
  -- Only who has presented the reference is told, and only that there is something.
  (
    select true from presented_reference p
    cross join lateral (
      select house_consignment_id as house from entered_house_consignment e where e.presentation = p.number offset 0
    ) e
    cross join lateral (select * from house_consignment h where h.id = e.house limit 1) h
    where p.reference = $2 and ($1 is null or p.presenter = $1)
      and (h.routing is null
        or (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
        or (h.routing <> 'TO_ENTRY' and $1 is not null and (
          select true from signal_recipient c
          where c.house_consignment_id = h.id and c.organisation_id = $1 limit 1) is null))
    limit 1
  ) is not null or (
    select true from matching m
    cross join lateral (
      select presentation from entered_house_consignment e where e.house_consignment_id = m.id offset 0
    ) entered
    cross join lateral (select presenter from presented_reference p where p.number = entered.presentation limit 1) p
    cross join lateral (select * from declaration e where e.id = m.ens_id limit 1) e
    where ($1 is null or p.presenter = $1) and (
    $1::integer is null or $1 in (e.declarant, e.representative)
    or (select true from validation_status s
      where s.owner = $1 and s.ens_id = e.id and not s.failed limit 1) is not null
    or (select true from level_presentation l where l.ens_id = e.id and l.presenter = $1 limit 1) is not null
    or (select true from removed_status_ens r where r.ens_id = e.id and r.owner = $1 limit 1) is not null)
      and (m.routing is null
        or (select true from signal_recipient c where c.house_consignment_id = m.id limit 1) is null
        or (m.routing <> 'TO_ENTRY' and $1 is not null and (
          select true from signal_recipient c
          where c.house_consignment_id = m.id and c.organisation_id = $1 limit 1) is null))
    limit 1
  ) is not null as entered,
  (select true from presented where first_signal is null and ens_id in (select id from lodged) limit 1) is not null
    as unpresented,
  coalesce(json_agg(position order by position) filter (where position is not null), '[]') as positions,
  (
    select '[' || coalesce(string_agg(h.signal_head || ',"state":"' || l.state || '"'
      || coalesce(',"routingControlLocation":"' || l.location || '"', '')
      || coalesce(',"documentIssueDate":' || (
        (select entry from routing_signal s where s.owner = $1 and s.position = l.position limit 1)::json
          -> 'routingResult' -> 'documentIssueDate')::text, '')
      || '}', ','
      order by array_position(array['TO_CONTROL', 'ENTRY_DENIED', 'UNDECIDED', 'ENTRY_PENDING', 'NOT_PRESENTED', 'TO_ENTRY'], l.state), l.id), '')
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
select name, version, created_at, profile, live_since, following from (
  select listed.*, count(*) over ()::integer as following,
    sum(octet_length(profile)) over (order by name, version) - octet_length(profile) as before
  from (
    select * from routing_profile
    where (name, version) > ($1, $2::integer) and name >= $3 and name < $4
    order by name, version limit $5
  ) listed
) measured
where before < $6::bigint
order by name, version;

-- select-same-goods
-- packages/service/src/routing/same-goods-queries.ts
with found as materialized (
  select h.id as of, other, found_as, goods
  from (
    select h.id
    from unnest($1::uuid[]) written (id)
    cross join lateral (select * from house_consignment where id = written.id offset 0) h
    where ((
    select true from movement m
    where m.house_key = h.document_key and m.document_type = h.document_type limit 1
  ) is not null and (
    select true from house_consignment o
    where o.document_key = h.document_key and o.document_type = h.document_type
      and o.ens_id <> h.ens_id limit 1
  ) is not null) or ((
    select true from kept_control k
    where k.document_key = h.document_key and k.document_type = h.document_type limit 1
  ) is not null)
    offset 0
  ) h
  cross join lateral (
    select other, case when is_same then 'SAME' else 'BESIDE' end, goods from goods_beside(h.id, $2)
    union all
    select other, 'KEPT', null from controls_kept_for(h.id, $2)
  ) record (other, found_as, goods)
)
select record.of, record.found_as as "foundAs", record.goods, h.id, e.mrn, case when e.kind is not null then e.id end as "lodgedAs",
  jsonb_set((case
    when current.number is not null and (h.routing is not null or current.routing = 'UNDECIDED')
      then json_build_object('number', current.number, 'routing', current.routing,
        'routingControlLocation', current.routing_control_location, 'origin', current.origin,
        'organisationId', current.organisation_id, 'clientId', current.client_id, 'reason', current.reason,
        'run', current.run_id, 'decidedAt', api_time(current.decided_at))
    -- A server of the previous release has registered it.
    when h.routing is not null
      then json_build_object('number', 0, 'routing', h.routing,
        'routingControlLocation', h.routing_control_location, 'origin', 'REGISTRATION',
        'decidedAt', (select api_time(r.at) from registration r where r.id = h.registration))
  end)::jsonb, '{rule}', coalesce(to_jsonb(current.profile_rule), 'null'))
    || jsonb_build_object('profile', current.profile, 'profileVersion', current.profile_version,
      'takenFrom', current.taken_from, 'firstDecidedAt', api_time(current.first_decided_at)) as current,
  (
    select api_time(max(coalesce(d.first_decided_at, d.decided_at))) from routing_decision d
    where d.house_consignment_id = h.id and d.origin = 'OFFICER' and d.takes_effect
  ) as "officerDecidedAt",
  coalesce((select max(d.number) from routing_decision d where d.house_consignment_id = h.id), 0) as last,
  e.declarant, array_remove(array[e.declarant, e.representative], null) as parties,
  array(select organisation_id from signal_recipient c where c.house_consignment_id = h.id) as recipients
from (
  select of, other, found_as, goods from found union all select distinct of, of, 'SAME', null from found
) record
cross join lateral (
  select id, ens_id, routing, routing_control_location, registration from house_consignment where id = record.other
  union all
  select id, ens_id, routing, routing_control_location, registration
  from withdrawn_house_consignment where id = record.other
  offset 0
) h
join declaration e on e.id = h.ens_id
left join lateral (select d.* from routing_decision d
    where d.house_consignment_id = h.id and d.takes_effect order by d.number desc limit 1) current on true
order by record.of, record.found_as, h.id;

-- select-undecided-consignments
-- packages/service/src/routing/profile-queries.ts
select h.id, e.mrn, h.document_number as "documentNumber", h.document_type as "documentType",
  h.receptacle_id as "receptacleId", h.subheadings,
  coalesce(e.customs_office_of_first_entry, case when m.mode is not null then (
    select office from signal_recipient c
    where c.house_consignment_id = h.id and c.first_presented_at is not null
  ) end) as "customsOfficeOfFirstEntry", m.mode as "lodgedMode",
  m.import_procedure as "importProcedure", m.outgoing_procedure as "outgoingProcedure",
  coalesce(m.carrier, case when m.mode is not null then (
    select t.carrier from signal_recipient c join movement t on t.declaration_id = c.transport
    where c.house_consignment_id = h.id and c.transport is not null limit 1
  ) end) as "carrierIdentificationNumber",
  m.consignor_country as "consignorCountry", m.weight::float8 as "grossMass",
  e.transport_means_type as "typeOfIdentification", h.routing,
  h.routing_control_location as "routingControlLocation"
from (
  select * from house_consignment
  where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
  order by id limit $3
) h join declaration e on e.id = h.ens_id left join movement m on m.declaration_id = e.id
-- What is incomplete is decided by hand alone.
where h.routing is null and coalesce(cardinality(m.reasons), 0) = 0
order by h.id limit $2;

-- select-undecided-lodged
-- packages/service/src/routing/presented-queries.ts
select waiting.*, (
  select e.kind is not null from house_consignment h cross join lateral (
    select kind from declaration where id = h.ens_id offset 0
  ) e
  where h.id = waiting.id
) as "isLodged"
from (
  select first_presented_at as at, house_consignment_id as id from signal_recipient
  where awaits_decision and (first_presented_at, house_consignment_id) > ($1::timestamptz, $2::uuid)
  order by first_presented_at, house_consignment_id limit $3
) waiting
order by at, id;

-- set-live-routing-profile
-- packages/service/src/routing/profile-queries.ts
update routing_profile set live_since = $3 where name = $1 and version = $2 returning *;

-- write-decisions
-- packages/service/src/routing/decision-queries.ts
with change as materialized (
  select * from unnest($1::uuid[], $2::integer[], $3::boolean[], $4::boolean[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::integer[]) with ordinality as change (house, decision, takes_effect, changes_routing, is_last, routing, location, reason, decision_id, rule, number)
),
new_decision as (
  insert into routing_decision (house_consignment_id, number, takes_effect, decided_at, routing, routing_control_location,
    reason, organisation_id, client_id, request_id, origin, decision_id, profile, profile_version, profile_rule, run_id,
    taken_from, first_decided_at)
  select house, decision, takes_effect, $11::timestamptz, routing, location, reason,
    $12::integer, $13::text, $14::text,
    $15::text, decision_id,
    $16::text, $17::integer, rule,
    $18::uuid, $19::text, $20::timestamptz
  from change
),
applied as (
  update house_consignment h
  set routing = nullif(change.routing, 'UNDECIDED'), routing_control_location = location
  from change where is_last and h.id = house
),
-- The declarant's row of presented goods has the mark while they wait for a decision, and no other row.
awaited as (
  update signal_recipient s set awaits_decision = case when routing = 'UNDECIDED' then true end
  from change
  where is_last and s.house_consignment_id = house
    and (s.awaits_decision or routing = 'UNDECIDED' and s.first_presented_at is not null)
),
signal as materialized (
  select changed.*, c.organisation_id as owner, row_number() over (order by changed.number, c.organisation_id) as entry
  from (
    select change.*, (select arrived_signal_head(signal_head, id) from house_consignment where id = house) as head
    from change where changes_routing and routing <> 'UNDECIDED'
    offset 0 -- so that each head is put together once, not for each recipient
  ) changed
  join signal_recipient c on c.house_consignment_id = house
),
appended as materialized (
  select part, a.*
  from (
    select (entry - 1) / 5000 as part, array_agg(new_signal(owner, head, routing, location,
      $21::text) order by entry) as entries
    from signal
    group by (entry - 1) / 5000
  ) parts
  cross join lateral append_to_feeds(entries, 3, null) a
),
new_issued_signal as (
  insert into issued_signal (house_consignment_id, owner, position, decision)
  select house, owner, positions[(entry - 1) % 5000 + 1], decision
  from signal join appended on part = (entry - 1) / 5000
),
appended_text as materialized (
  select string_agg(appended, ',' order by part) as appended from appended
),
recorded as (
  select set_config('landfall.record', $22::text
    || coalesce(',"appended":[' || appended || ']', '') || '}}', true) as record, appended
  from appended_text
)
select appended, record is not null as recorded from recorded;
