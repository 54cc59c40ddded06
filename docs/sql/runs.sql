-- The SQL of packages/service/src/runs/. Generated: change the sources, then npm run generate.

-- confirm-routing-run
-- packages/service/src/runs/queries.ts
update routing_run r
set state = 'RUNNING', version = version + 1, state_changed_at = now.at,
  confirmed_at = now.at, confirmed_organisation_id = $2, confirmed_client_id = $3
from (select record_time($4::timestamptz) as at) now
where id = $1
returning json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
    'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
    'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
    'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
    'client', r.client_id,
    'confirmedBy', case when r.confirmed_at is not null then json_build_object(
      'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
      'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
    'requestId', r.request_id, 'reverses', r.reverses,
    'houseConsignments', r.house_consignments,
    'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
    'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
    'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body, state, version;

-- insert-routing-run
-- packages/service/src/runs/queries.ts
with r as (
  insert into routing_run (id, state, version, created_at, state_changed_at, selection, routing,
    routing_control_location, reason, origin, organisation_id, client_id, request_id, reverses, house_consignments)
  select $1::uuid, $2::text, 1, now.at, now.at, $3::jsonb, $4::text,
    $5::text, $6::text, $7::text,
    $8::integer, $9::text, $10::text,
    $11::uuid, $12::integer
  from (select record_time($13::timestamptz) as at) now
  returning *
),
item as (
  insert into routing_run_result (run_id, house_consignment_id, expected, routing, routing_control_location)
  select $1::uuid, house, expected, routing, location
  from unnest($14::uuid[], $15::integer[], $16::text[], $17::text[]) with ordinality as i (house, expected, routing, location, number)
)
select json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
    'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
    'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
    'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
    'client', r.client_id,
    'confirmedBy', case when r.confirmed_at is not null then json_build_object(
      'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
      'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
    'requestId', r.request_id, 'reverses', r.reverses,
    'houseConsignments', r.house_consignments,
    'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
    'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
    'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body, state, version from r;

-- lock-routing-run
-- packages/service/src/runs/queries.ts
select json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
    'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
    'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
    'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
    'client', r.client_id,
    'confirmedBy', case when r.confirmed_at is not null then json_build_object(
      'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
      'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
    'requestId', r.request_id, 'reverses', r.reverses,
    'houseConsignments', r.house_consignments,
    'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
    'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
    'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body, state, version, client_id as "clientId"
from routing_run r where id = $1 for update;

-- select-open-routing-run-items
-- packages/service/src/runs/queries.ts
with page as materialized (
  select * from routing_run_result
  where run_id = $1 and status is null and house_consignment_id > $2::uuid
  order by house_consignment_id limit $3
)
select i.house_consignment_id as id, i.expected, i.routing,
  i.routing_control_location as "routingControlLocation",
  (select mrn from declaration e where e.id = h.ens_id) as mrn,
  h.document_number as "documentNumber", h.document_type as "documentType"
from page i
left join lateral (select * from house_consignment where id = i.house_consignment_id limit 1) h on true
order by i.house_consignment_id;

-- select-reversible-decisions
-- packages/service/src/runs/queries.ts
select i.house_consignment_id as id, i.decision,
  case when i.expected is null then 'UNDECIDED' else before.routing end as routing,
  before.routing_control_location as "routingControlLocation",
  (select h.routing from house_consignment h where h.id = i.house_consignment_id) as current
from routing_run_result i
left join routing_decision before
  on before.house_consignment_id = i.house_consignment_id and before.number = i.expected
where i.run_id = $1 and i.status = 'DECIDED'
order by i.house_consignment_id;

-- select-routing-run
-- packages/service/src/runs/queries.ts
select json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
'client', r.client_id,
'confirmedBy', case when r.confirmed_at is not null then json_build_object(
  'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
  'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
'requestId', r.request_id, 'reverses', r.reverses,
'houseConsignments', r.house_consignments,
'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body, state, version from routing_run r where id = $1;

-- select-routing-run-access
-- packages/service/src/runs/access-queries.ts
select may_still_act(r.organisation_id, r.client_id, '{authority/routing}') as "isAllowed" from routing_run r where id = $1;

-- select-routing-run-results
-- packages/service/src/runs/queries.ts
with page as materialized (
  select * from routing_run_result
  where run_id = $1 and house_consignment_id > $2::uuid
    and ($3::text is null or coalesce(status, 'PENDING') = $3)
  order by house_consignment_id limit $4
)
select i.house_consignment_id as id, json_strip_nulls(json_build_object(
    'houseConsignmentId', i.house_consignment_id,
    'entrySummaryDeclarationMRN', case when e.kind is null then e.mrn end,
    'houseConsignmentMRN', case when e.kind = 'HOUSE' then e.mrn end,
    'transportDocumentHouseLevel', case when goods.document_number is not null then
      json_build_object('documentNumber', goods.document_number, 'type', goods.document_type) end,
    'status', coalesce(i.status, 'PENDING'), 'code', i.error_code,
    'before', (
      select json_strip_nulls(json_build_object('number', d.number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', d.origin,
        'decidedAt', api_time(d.decided_at))) from routing_decision d
      where d.house_consignment_id = i.house_consignment_id and d.number = i.expected
    ),
    'after', case when i.status in ('DECIDED', 'UNCHANGED') then (
      select json_strip_nulls(json_build_object('number', d.number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', d.origin,
        'decidedAt', api_time(d.decided_at))) from routing_decision d
      where d.house_consignment_id = i.house_consignment_id and d.number = i.decision
    ) end,
    'current', case when i.status = 'CONFLICT' then (
      select json_strip_nulls(json_build_object('number', d.number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', d.origin,
        'decidedAt', api_time(d.decided_at))) from routing_decision d
      where d.house_consignment_id = i.house_consignment_id and d.number = i.decision
    ) end))::text as body
from page i
left join lateral (
  select ens_id, document_number, document_type from house_consignment where id = i.house_consignment_id
  union all
  select ens_id, document_number, document_type from withdrawn_house_consignment
  where id = i.house_consignment_id
) goods on true
left join lateral (select * from declaration e where e.id = goods.ens_id limit 1) e on true
order by i.house_consignment_id;

-- select-routing-runs-asc
-- packages/service/src/runs/queries.ts
select id, json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
    'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
    'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
    'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
    'client', r.client_id,
    'confirmedBy', case when r.confirmed_at is not null then json_build_object(
      'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
      'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
    'requestId', r.request_id, 'reverses', r.reverses,
    'houseConsignments', r.house_consignments,
    'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
    'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
    'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body from routing_run r
where id > $1::uuid and ($2::text is null or state = $2)
order by id asc limit $3;

-- select-routing-runs-desc
-- packages/service/src/runs/queries.ts
select id, json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
    'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
    'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
    'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
    'client', r.client_id,
    'confirmedBy', case when r.confirmed_at is not null then json_build_object(
      'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
      'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
    'requestId', r.request_id, 'reverses', r.reverses,
    'houseConsignments', r.house_consignments,
    'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
    'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
    'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body from routing_run r
where id < $1::uuid and ($2::text is null or state = $2)
order by id desc limit $3;

-- select-running-routing-runs
-- packages/service/src/runs/queries.ts
select r.id, routing, routing_control_location as "routingControlLocation", reason, origin,
  organisation_id as "organisationId", o.identifier as organisation, client_id as "clientId",
  request_id as "requestId", reverses,
  may_still_act(r.organisation_id, r.client_id, '{authority/routing}') as "isAllowed", confirmed_at is not null as "isConfirmed"
from routing_run r join organisation o on o.id = r.organisation_id
where state = 'RUNNING' order by r.id;

-- update-routing-run-state
-- packages/service/src/runs/queries.ts
update routing_run r
set state = $2, problem = $3, version = version + 1, state_changed_at = record_time($4::timestamptz)
where id = $1
returning json_strip_nulls(json_build_object('id', r.id, 'state', r.state, 'problem', r.problem,
    'createdAt', api_time(r.created_at), 'changedAt', api_time(r.state_changed_at), 'select', r.selection,
    'routing', r.routing, 'routingControlLocation', r.routing_control_location, 'reason', r.reason,
    'origin', r.origin, 'decidedBy', (select identifier from organisation o where o.id = r.organisation_id),
    'client', r.client_id,
    'confirmedBy', case when r.confirmed_at is not null then json_build_object(
      'organisation', (select identifier from organisation o where o.id = r.confirmed_organisation_id),
      'client', r.confirmed_client_id, 'at', api_time(r.confirmed_at)) end,
    'requestId', r.request_id, 'reverses', r.reverses,
    'houseConsignments', r.house_consignments,
    'pending', r.house_consignments - r.decided - r.unchanged - r.conflicts - r.refused,
    'decided', r.decided, 'unchanged', r.unchanged, 'conflicts', r.conflicts, 'refused', r.refused,
    'signals', r.signals, 'etag', '"' || r.version || '"'))::text as body, state, version;

-- write-routing-run-results
-- packages/service/src/runs/queries.ts
with written as (
  update routing_run_result i set status = result.status, error_code = result.code, decision = result.decision
  from unnest($2::uuid[], $3::text[], $4::text[], $5::integer[], $6::integer[]) with ordinality as result (house, status, code, decision, signals, number)
  where i.run_id = $1::uuid and i.house_consignment_id = house and i.status is null
  returning i.status, result.signals
),
counted as (
  select count(*)::integer as results,
    count(*) filter (where status = 'DECIDED') as decided,
    count(*) filter (where status = 'UNCHANGED') as unchanged,
    count(*) filter (where status = 'CONFLICT') as conflicts,
    count(*) filter (where status = 'REFUSED') as refused,
    coalesce(sum(signals), 0) as signals
  from written
),
counting as (
  select r.id, results, r.decided + c.decided as decided, r.unchanged + c.unchanged as unchanged,
    r.conflicts + c.conflicts as conflicts, r.refused + c.refused as refused, r.signals + c.signals as signals,
    r.decided + r.unchanged + r.conflicts + r.refused + results = r.house_consignments as is_last
  from routing_run r cross join counted c where r.id = $1::uuid
)
update routing_run r
set decided = c.decided, unchanged = c.unchanged, conflicts = c.conflicts, refused = c.refused,
  signals = c.signals,
  state = case when is_last then 'COMPLETED' else state end,
  version = case when is_last then version + 1 else version end,
  state_changed_at = case when is_last then record_time($7::timestamptz)
    else state_changed_at end
from counting c where r.id = c.id
returning c.results as written, r.state;
