-- The SQL of packages/service/src/consignments/. Generated: change the sources, then npm run generate.

-- collect-decision-records
-- packages/service/src/consignments/decision-export-queries.ts
insert into decision_record (digest, chain, position)
select digest, chain, position from audited_row_record
where table_name = 'routing_decision' and rows = 1 and recorded_at >= $1;

-- count-arrivals-by-hour
-- packages/service/src/consignments/arrival-queries.ts
with arrival as (
  select office, first_presented_at as at,
    (select routing from house_consignment h where h.id = s.house_consignment_id limit 1) as routing
  from signal_recipient s
  where first_presented_at >= $1 and first_presented_at < $2 and ($3::text is null or office = $3)
  offset 0 -- so that each consignment is looked up once, not in every count
)
select office as "customsOfficeOfPresentation", api_time(date_trunc('hour', at, 'UTC')) as hour,
  count(*)::integer as presented,
  (count(*) filter (where routing = 'TO_CONTROL'))::integer as "toControl",
  (count(*) filter (where routing = 'TO_ENTRY'))::integer as "toEntry",
  (count(*) filter (where routing = 'ENTRY_PENDING'))::integer as "entryPending",
  (count(*) filter (where routing = 'ENTRY_DENIED'))::integer as "entryDenied",
  (count(*) filter (where routing is null))::integer as undecided,
  api_time(min(at) filter (where routing is null)) as "oldestUndecided"
from arrival
group by office, date_trunc('hour', at, 'UTC')
order by date_trunc('hour', at, 'UTC'), office;

-- find-decisions
-- packages/service/src/consignments/decision-queries.ts
with candidate as materialized (
  select d.* from routing_decision d
  where d.decided_at >= greatest($1::timestamptz, $3::timestamptz) and d.decided_at < $2::timestamptz
    and (d.decided_at, d.house_consignment_id, d.number) > ($3::timestamptz, $4::uuid, $5::integer)
  order by d.decided_at, d.house_consignment_id, d.number limit $6::bigint
),
page as materialized (
  select d.*, row_number() over (order by d.decided_at, d.house_consignment_id, d.number) as place
  from candidate d
  where ($7::text is null
      or d.organisation_id = (select o.id from organisation o where o.identifier = $7::text))
    and ($8::text is null or d.client_id = $8::text)
    and ($9::text is null or d.origin = $9::text)
    and ($10::text is null or d.profile = $10::text)
    and ($11::text is null or strpos(lower(d.reason), $11::text) > 0)
  order by place limit $12::bigint
)
select
  array(select json_strip_nulls(json_build_object('number', d.number,
    'houseConsignmentId', d.house_consignment_id, 'routing', d.routing,
    'routingControlLocation', d.routing_control_location, 'origin', d.origin, 'takesEffect', d.takes_effect,
    'decidedAt', api_time(d.decided_at),
    'decidedBy', (select identifier from organisation o where o.id = d.organisation_id), 'client', d.client_id,
    'requestId', d.request_id, 'reason', d.reason, 'decisionId', d.decision_id,
    'profile', case when d.profile is not null then
      json_build_object('name', d.profile, 'version', d.profile_version, 'rule', d.profile_rule) end,
    'run', d.run_id))::text from page d order by d.place) as found,
  (select count(*)::integer from candidate) as examined,
  (select house_consignment_id || '.' || d.number from page d order by d.place desc limit 1) as "lastFound",
  (
    select house_consignment_id || '.' || d.number from candidate d
    order by d.decided_at desc, d.house_consignment_id desc, d.number desc limit 1
  ) as "lastExamined";

-- find-decisions-of-run
-- packages/service/src/consignments/decision-queries.ts
with candidate as materialized (
  select d.* from routing_decision d
  where d.decided_at >= greatest($1::timestamptz, $3::timestamptz) and d.decided_at < $2::timestamptz
    and (d.decided_at, d.house_consignment_id, d.number) > ($3::timestamptz, $4::uuid, $5::integer)
    and d.run_id = $13::uuid
  order by d.decided_at, d.house_consignment_id, d.number limit $6::bigint
),
page as materialized (
  select d.*, row_number() over (order by d.decided_at, d.house_consignment_id, d.number) as place
  from candidate d
  where ($7::text is null
      or d.organisation_id = (select o.id from organisation o where o.identifier = $7::text))
    and ($8::text is null or d.client_id = $8::text)
    and ($9::text is null or d.origin = $9::text)
    and ($10::text is null or d.profile = $10::text)
    and ($11::text is null or strpos(lower(d.reason), $11::text) > 0)
  order by place limit $12::bigint
)
select
  array(select json_strip_nulls(json_build_object('number', d.number,
    'houseConsignmentId', d.house_consignment_id, 'routing', d.routing,
    'routingControlLocation', d.routing_control_location, 'origin', d.origin, 'takesEffect', d.takes_effect,
    'decidedAt', api_time(d.decided_at),
    'decidedBy', (select identifier from organisation o where o.id = d.organisation_id), 'client', d.client_id,
    'requestId', d.request_id, 'reason', d.reason, 'decisionId', d.decision_id,
    'profile', case when d.profile is not null then
      json_build_object('name', d.profile, 'version', d.profile_version, 'rule', d.profile_rule) end,
    'run', d.run_id))::text from page d order by d.place) as found,
  (select count(*)::integer from candidate) as examined,
  (select house_consignment_id || '.' || d.number from page d order by d.place desc limit 1) as "lastFound",
  (
    select house_consignment_id || '.' || d.number from candidate d
    order by d.decided_at desc, d.house_consignment_id desc, d.number desc limit 1
  ) as "lastExamined";

-- find-decisions-with-id
-- packages/service/src/consignments/decision-queries.ts
with candidate as materialized (
  select d.* from routing_decision d
  where d.decided_at >= greatest($1::timestamptz, $3::timestamptz) and d.decided_at < $2::timestamptz
    and (d.decided_at, d.house_consignment_id, d.number) > ($3::timestamptz, $4::uuid, $5::integer)
    and d.decision_id = $13::uuid
    and d.organisation_id = (select o.id from organisation o where o.identifier = $7::text)
  order by d.decided_at, d.house_consignment_id, d.number limit $6::bigint
),
page as materialized (
  select d.*, row_number() over (order by d.decided_at, d.house_consignment_id, d.number) as place
  from candidate d
  where ($7::text is null
      or d.organisation_id = (select o.id from organisation o where o.identifier = $7::text))
    and ($8::text is null or d.client_id = $8::text)
    and ($9::text is null or d.origin = $9::text)
    and ($10::text is null or d.profile = $10::text)
    and ($11::text is null or strpos(lower(d.reason), $11::text) > 0)
  order by place limit $12::bigint
)
select
  array(select json_strip_nulls(json_build_object('number', d.number,
    'houseConsignmentId', d.house_consignment_id, 'routing', d.routing,
    'routingControlLocation', d.routing_control_location, 'origin', d.origin, 'takesEffect', d.takes_effect,
    'decidedAt', api_time(d.decided_at),
    'decidedBy', (select identifier from organisation o where o.id = d.organisation_id), 'client', d.client_id,
    'requestId', d.request_id, 'reason', d.reason, 'decisionId', d.decision_id,
    'profile', case when d.profile is not null then
      json_build_object('name', d.profile, 'version', d.profile_version, 'rule', d.profile_rule) end,
    'run', d.run_id))::text from page d order by d.place) as found,
  (select count(*)::integer from candidate) as examined,
  (select house_consignment_id || '.' || d.number from page d order by d.place desc limit 1) as "lastFound",
  (
    select house_consignment_id || '.' || d.number from candidate d
    order by d.decided_at desc, d.house_consignment_id desc, d.number desc limit 1
  ) as "lastExamined";

-- list-house-consignments-all
-- packages/service/src/consignments/queries.ts
with
matching as not materialized (
  select id from house_consignment h
),
candidate as materialized (
  select id from matching
  where id > $1::uuid
    and id >= $2::uuid and id < $3::uuid
  order by id limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($6::text is null or h.document_type = $6::text)
    and ($7::text is null or e.customs_office_of_first_entry = $7::text)
    and ($8::text is null
      or (select o.id from organisation o where o.identifier = $8::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $8::text) limit 1))
    and ($9::text is null or state = $9::text)
    and ($10::text[] is null or state = any ($10::text[]))
    and ($11::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($11::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($11::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($11::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $17::boolean or (
      select ($13::text is null or d.profile = $13::text)
        and ($14::integer is null or d.profile_version = $14::integer)
        and ($15::integer is null or d.profile_rule = $15::integer)
        and ($16::uuid is null or d.run_id = $16::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($12::text is null
      or may_present((select o.id from organisation o where o.identifier = $12::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($18::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $5::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-containerId
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.id in (select h.house_consignment_id from house_consignment_container h where h.container_id = $1::text)
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-containerId-masterDocumentNumber-mrn-by-documents
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  limit 1
),
candidate as not materialized (
  select id, document_number, document_type from house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $3::text) and
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $6::uuid
    and candidate.id < $7::uuid
    and (select true from house_consignment_container h where h.house_consignment_id = candidate.id
      and h.container_id = (select $1::text) limit 1) is not null
    and h.master_document_key = (select identifier_key($2::text))
    and ($9::text is null or h.document_type = $9::text)
    and ($10::text is null or e.customs_office_of_first_entry = $10::text)
    and ($11::text is null
      or (select o.id from organisation o where o.identifier = $11::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $11::text) limit 1))
    and ($12::text is null or state = $12::text)
    and ($13::text[] is null or state = any ($13::text[]))
    and ($14::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($14::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($14::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($14::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $20::boolean or (
      select ($16::text is null or d.profile = $16::text)
        and ($17::integer is null or d.profile_version = $17::integer)
        and ($18::integer is null or d.profile_rule = $18::integer)
        and ($19::uuid is null or d.run_id = $19::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($15::text is null
      or may_present((select o.id from organisation o where o.identifier = $15::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($21::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $8::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by document_number, document_type), '') || ']' as body,
  ($4::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by document_number desc, document_type desc limit 1) as "lastFound",
  case when count(*) < $8::bigint then (select count(*)::integer from candidate) end as candidates,
  case when count(*) < $8::bigint then (select id::text from candidate order by document_number desc, document_type desc limit 1) end as "lastCandidate"
from described;

-- list-house-consignments-containerId-masterDocumentNumber-mrn-by-filters
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  limit 1
),
led_0 as materialized (
  select h.house_consignment_id as id from house_consignment_container h
  where h.ens_id = (select e.id from declaration e where e.mrn = $3::text) and h.container_id = $1::text order by h.house_consignment_id limit 10001
),
led_1 as materialized (
  select h.id as id from house_consignment h
  where h.ens_id = (select e.id from declaration e where e.mrn = $3::text) and h.master_document_key = identifier_key($2::text) order by h.master_document_type limit 10001
),
matching as materialized (
  select h.id, h.document_number, h.document_type from (select id from led_0 where case  when (select count(*) from led_0) <= 10000 then true end union all select id from led_1 where case when (select count(*) from led_0) <= 10000 then false when (select count(*) from led_1) <= 10000 then true end) led
  -- Each by its id: a join might scan the table.
  cross join lateral (select * from house_consignment g where g.id = led.id limit 1) h
),
candidate as materialized (
  select id, document_number, document_type from matching where
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $6::uuid
    and candidate.id < $7::uuid
    and (select true from house_consignment_container h where h.house_consignment_id = candidate.id
      and h.container_id = (select $1::text) limit 1) is not null
    and h.master_document_key = (select identifier_key($2::text))
    and ($9::text is null or h.document_type = $9::text)
    and ($10::text is null or e.customs_office_of_first_entry = $10::text)
    and ($11::text is null
      or (select o.id from organisation o where o.identifier = $11::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $11::text) limit 1))
    and ($12::text is null or state = $12::text)
    and ($13::text[] is null or state = any ($13::text[]))
    and ($14::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($14::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($14::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($14::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $20::boolean or (
      select ($16::text is null or d.profile = $16::text)
        and ($17::integer is null or d.profile_version = $17::integer)
        and ($18::integer is null or d.profile_rule = $18::integer)
        and ($19::uuid is null or d.run_id = $19::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($15::text is null
      or may_present((select o.id from organisation o where o.identifier = $15::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($21::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $8::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by document_number, document_type), '') || ']' as body,
  ($4::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown", ((select count(*) from led_0) <= 10000 or (select count(*) from led_1) <= 10000) as "isFound", count(*)::integer as found,
  (select id::text from page order by document_number desc, document_type desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-documentNumber
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.document_key = identifier_key($1::text)
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-ids
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.id = any ($1::uuid[])
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-masterDocumentNumber
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.master_document_key = identifier_key($1::text)
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-mrn-by-documents
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $2::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $2::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  limit 1
),
candidate as not materialized (
  select id, document_number, document_type from house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $3::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $4::uuid
    and candidate.id < $5::uuid
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by document_number, document_type), '') || ']' as body,
  ($2::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by document_number desc, document_type desc limit 1) as "lastFound",
  case when count(*) < $6::bigint then (select count(*)::integer from candidate) end as candidates,
  case when count(*) < $6::bigint then (select id::text from candidate order by document_number desc, document_type desc limit 1) end as "lastCandidate"
from described;

-- list-house-consignments-mrn-ids-by-documents
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  limit 1
),
candidate as not materialized (
  select id, document_number, document_type from house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $5::uuid
    and candidate.id < $6::uuid
    and h.id = any ($2::uuid[])
    and ($8::text is null or h.document_type = $8::text)
    and ($9::text is null or e.customs_office_of_first_entry = $9::text)
    and ($10::text is null
      or (select o.id from organisation o where o.identifier = $10::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $10::text) limit 1))
    and ($11::text is null or state = $11::text)
    and ($12::text[] is null or state = any ($12::text[]))
    and ($13::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($13::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($13::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($13::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $19::boolean or (
      select ($15::text is null or d.profile = $15::text)
        and ($16::integer is null or d.profile_version = $16::integer)
        and ($17::integer is null or d.profile_rule = $17::integer)
        and ($18::uuid is null or d.run_id = $18::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($14::text is null
      or may_present((select o.id from organisation o where o.identifier = $14::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($20::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $7::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by document_number, document_type), '') || ']' as body,
  ($3::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by document_number desc, document_type desc limit 1) as "lastFound",
  case when count(*) < $7::bigint then (select count(*)::integer from candidate) end as candidates,
  case when count(*) < $7::bigint then (select id::text from candidate order by document_number desc, document_type desc limit 1) end as "lastCandidate"
from described;

-- list-house-consignments-mrn-ids-by-filters
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  limit 1
),
led_0 as materialized (
  select h.id as id from house_consignment h
  where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and h.id = any ($2::uuid[]) limit 10001
),
matching as materialized (
  select h.id, h.document_number, h.document_type from (select id from led_0 where case  when (select count(*) from led_0) <= 10000 then true end) led
  -- Each by its id: a join might scan the table.
  cross join lateral (select * from house_consignment g where g.id = led.id limit 1) h
),
candidate as materialized (
  select id, document_number, document_type from matching where
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $5::uuid
    and candidate.id < $6::uuid
    and h.id = any ($2::uuid[])
    and ($8::text is null or h.document_type = $8::text)
    and ($9::text is null or e.customs_office_of_first_entry = $9::text)
    and ($10::text is null
      or (select o.id from organisation o where o.identifier = $10::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $10::text) limit 1))
    and ($11::text is null or state = $11::text)
    and ($12::text[] is null or state = any ($12::text[]))
    and ($13::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($13::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($13::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($13::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $19::boolean or (
      select ($15::text is null or d.profile = $15::text)
        and ($16::integer is null or d.profile_version = $16::integer)
        and ($17::integer is null or d.profile_rule = $17::integer)
        and ($18::uuid is null or d.run_id = $18::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($14::text is null
      or may_present((select o.id from organisation o where o.identifier = $14::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($20::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $7::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by document_number, document_type), '') || ']' as body,
  ($3::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown", ((select count(*) from led_0) <= 10000) as "isFound", count(*)::integer as found,
  (select id::text from page order by document_number desc, document_type desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-receptacleId
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.receptacle_id = $1::text
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    null::json as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-withdrawn
-- packages/service/src/consignments/queries.ts
with
matching as not materialized (
  select id from withdrawn_house_consignment h
),
candidate as materialized (
  select id from matching
  where id > $1::uuid
    and id >= $2::uuid and id < $3::uuid
  order by id limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from withdrawn_house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when true then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($6::text is null or h.document_type = $6::text)
    and ($7::text is null or e.customs_office_of_first_entry = $7::text)
    and ($8::text is null
      or (select o.id from organisation o where o.identifier = $8::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $8::text) limit 1))
    and ($9::text is null or state = $9::text)
    and ($10::text[] is null or state = any ($10::text[]))
    and ($11::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($11::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($11::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($11::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $17::boolean or (
      select ($13::text is null or d.profile = $13::text)
        and ($14::integer is null or d.profile_version = $14::integer)
        and ($15::integer is null or d.profile_rule = $15::integer)
        and ($16::uuid is null or d.run_id = $16::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($12::text is null
      or may_present((select o.id from organisation o where o.identifier = $12::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($18::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $5::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    (
      select json_strip_nulls(json_build_object('at', api_time(r.at),
        'by', (select identifier from organisation o where o.id = r.organisation_id), 'requestId', r.request_id))
      from registration r where r.id = page.withdrawal
    ) as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-withdrawn-containerId
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from withdrawn_house_consignment h where (h.signal_head || '}')::jsonb -> 'containerId' ? $1::text
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from withdrawn_house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when true then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    (
      select json_strip_nulls(json_build_object('at', api_time(r.at),
        'by', (select identifier from organisation o where o.id = r.organisation_id), 'requestId', r.request_id))
      from registration r where r.id = page.withdrawal
    ) as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- list-house-consignments-withdrawn-mrn-ids
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from withdrawn_house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and h.id = any ($2::uuid[])
),
candidate as materialized (
  select id from matching
  where id > $3::uuid
    and id >= $4::uuid and id < $5::uuid
  order by id limit $6::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from withdrawn_house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when true then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($8::text is null or h.document_type = $8::text)
    and ($9::text is null or e.customs_office_of_first_entry = $9::text)
    and ($10::text is null
      or (select o.id from organisation o where o.identifier = $10::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $10::text) limit 1))
    and ($11::text is null or state = $11::text)
    and ($12::text[] is null or state = any ($12::text[]))
    and ($13::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($13::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($13::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($13::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $19::boolean or (
      select ($15::text is null or d.profile = $15::text)
        and ($16::integer is null or d.profile_version = $16::integer)
        and ($17::integer is null or d.profile_rule = $17::integer)
        and ($18::uuid is null or d.run_id = $18::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($14::text is null
      or may_present((select o.id from organisation o where o.identifier = $14::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($20::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $7::bigint
),
described as (
  select page.*,
    case when not presented then entered_after_presentation(id) end as added,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'origin', origin, 'decidedAt', api_time(decided_at)))
      from routing_decision d where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) as decision,
    (
      select json_strip_nulls(json_build_object('number', number, 'routing', d.routing,
        'routingControlLocation', d.routing_control_location, 'decidedAt', api_time(decided_at)))
      from (
        select * from routing_decision d where d.house_consignment_id = page.id order by number desc limit 1
      ) d
      where not takes_effect
        and (d.routing, d.routing_control_location) is distinct from (page.routing, page.routing_control_location)
    ) as difference,
    (
      select json_strip_nulls(json_build_object('at', api_time(r.at),
        'by', (select identifier from organisation o where o.id = r.organisation_id), 'requestId', r.request_id))
      from registration r where r.id = page.withdrawal
    ) as withdrawn,
    case when presented then (
      select json_build_object('by', by, 'at', at, 'requestId', request_id)
      from (
        select request_id,
          (select identifier from organisation o where o.id = presenter) as by,
          -- Without its status, the time of the first presentation is known, and of others nothing.
          first_presented_at, coalesce((
            select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
          )::json ->> 'notificationDate', api_time(first_presented_at)) as at
        from signal_recipient where house_consignment_id = page.id
        offset 0
      ) presentation
      where at is not null order by first_presented_at, at, request_id limit 1
    ) end as first_presentation,
    case when presented then (
      select json_strip_nulls(json_build_object('at', result ->> 'documentIssueDate',
        'routing', result ->> 'routing', 'routingControlLocation', result ->> 'routingControlLocation'))
      from (
        select (
          select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
        )::json -> 'routingResult' as result, decision
        from (
          select organisation_id as owner, signal_position as position, null as decision from signal_recipient
          where house_consignment_id = page.id and signal_position is not null
          union all
          select owner, position, decision from issued_signal where house_consignment_id = page.id
        ) issued
        offset 0
      ) signal
      -- Several decisions of one request have one time.
      where result is not null order by result ->> 'documentIssueDate' desc, decision desc nulls last limit 1
    ) end as last_signal
  from page
)
select '[' || coalesce(string_agg(
    '{"id":"' || id || '",' || substr(signal_head, 2)
      || coalesce(',"customsOfficeOfFirstEntry":' || to_json(office), '')
      || ',"declarant":' || to_json(declarant)
      || coalesce(',"representative":' || to_json(representative), '')
      || coalesce(',"harmonizedSystemSubheadingCode":' || to_json(subheadings), '')
      || ',"state":"' || state || '"'
      || coalesce(',"routing":"' || routing || '"', '')
      || coalesce(',"routingControlLocation":"' || routing_control_location || '"', '')
      || coalesce(',"decision":' || decision::text, '')
      || coalesce(',"difference":' || difference::text, '')
      || coalesce(',"withdrawn":' || withdrawn::text, '')
      || coalesce(',"addedAfterPresentation":' || added::text, '')
      || coalesce(',"presented":' || first_presentation::text, '')
      || coalesce(',"lastSignal":' || last_signal::text, '')
      || '}', ',' order by id), '') || ']' as body,
  true as "isKnown", true as "isFound", count(*)::integer as found,
  (select id::text from page order by id desc limit 1) as "lastFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate"
from described;

-- select-chain-ends-of-export
-- packages/service/src/consignments/decision-export-queries.ts
select chain, position, encode(digest, 'hex') as digest from audit_chain_end where position > 0 order by chain;

-- select-decision-time
-- packages/service/src/consignments/decision-queries.ts
select decided_at::text as at from routing_decision where house_consignment_id = $1 and number = $2;

-- select-exported-decisions
-- packages/service/src/consignments/decision-export-queries.ts
select d.decided_at::text as at, d.house_consignment_id as house, d.number, found.chain is not null as "hasRecord",
  '{"decision":' || json_strip_nulls(json_build_object('number', d.number,
    'houseConsignmentId', d.house_consignment_id, 'routing', d.routing,
    'routingControlLocation', d.routing_control_location, 'origin', d.origin, 'takesEffect', d.takes_effect,
    'decidedAt', api_time(d.decided_at),
    'decidedBy', (select identifier from organisation o where o.id = d.organisation_id), 'client', d.client_id,
    'requestId', d.request_id, 'reason', d.reason, 'decisionId', d.decision_id,
    'profile', case when d.profile is not null then
      json_build_object('name', d.profile, 'version', d.profile_version, 'rule', d.profile_rule) end,
    'run', d.run_id))::text
    || ',"row":"' || translate(encode(contents, 'base64'), E'\n', '') || '","digest":"' || audited_digest(contents)
    || '","record":' || case when found.chain is null then 'null' else json_build_object('chain', found.chain,
      'position', found.position, 'digest', encode(found.digest, 'hex'))::text end || '}' as line
from (
  select * from routing_decision
  where decided_at >= $1 and decided_at < $2
    and (decided_at, house_consignment_id, number) > ($3::timestamptz, $4::uuid, $5::integer)
  order by decided_at, house_consignment_id, number limit $6
) d
cross join lateral (select audited_contents(d::routing_decision) as contents offset 0) bytes
left join lateral (
  select r.chain, r.position, r.digest
  from decision_record known join audit_record r on r.chain = known.chain and r.position = known.position
  where known.digest = audited_digest(contents)
  order by r.recorded_at desc limit 1
) found on true
order by d.decided_at, d.house_consignment_id, d.number;

-- select-first-presentation
-- packages/service/src/consignments/arrival-queries.ts
select first_presented_at as at from signal_recipient
where house_consignment_id = $1 and first_presented_at is not null limit 1;

-- select-house-consignment-decisions
-- packages/service/src/consignments/decision-queries.ts
select
  (select true from house_consignment where id = $1) is not null
    or (select true from withdrawn_house_consignment where id = $1) is not null as exists,
  '[' || coalesce(string_agg(json_strip_nulls(json_build_object('number', d.number,
    'houseConsignmentId', d.house_consignment_id, 'routing', d.routing,
    'routingControlLocation', d.routing_control_location, 'origin', d.origin, 'takesEffect', d.takes_effect,
    'decidedAt', api_time(d.decided_at),
    'decidedBy', (select identifier from organisation o where o.id = d.organisation_id), 'client', d.client_id,
    'requestId', d.request_id, 'reason', d.reason, 'decisionId', d.decision_id,
    'profile', case when d.profile is not null then
      json_build_object('name', d.profile, 'version', d.profile_version, 'rule', d.profile_rule) end,
    'run', d.run_id))::text, ',' order by d.number), '') || ']' as body
from routing_decision d where d.house_consignment_id = $1;

-- select-house-consignment-history
-- packages/service/src/consignments/history-queries.ts
with goods as materialized (
  select id, registration, ('00000000-0000-8000-8000-' || lpad(to_hex(ens_id), 12, '0'))::uuid as declaration_events
  from (
    select id, ens_id, registration from house_consignment where id = $1
    union all select id, ens_id, registration from withdrawn_house_consignment where id = $1
  ) house
),
pre_notification as (
  select goods.id, r.at, r.organisation_id, r.client_id, r.request_id
  from goods join registration r on r.id = goods.registration
),
-- Those that are kept.
signal as materialized (
  select * from (
    select owner, position, (
      select entry from routing_signal s where s.owner = issued.owner and s.position = issued.position limit 1
    )::json -> 'routingResult' as result
    from (
      select organisation_id as owner, signal_position as position from signal_recipient
      where house_consignment_id = $1 and signal_position is not null
      union
      select owner, position from issued_signal where house_consignment_id = $1
    ) issued
  ) found
  where result is not null
),
-- Without its status, the time and the office of the first presentation are known, and of others nothing.
presentation as (
  select presenter, request_id, coalesce(status ->> 'notificationDate', api_time(first_presented_at)) as at,
    coalesce(status ->> 'level', case when transport is not null then 'ARRIVAL' end) as level,
    (select mrn from declaration d where d.id = transport) as transport,
    (select mrn from declaration d where d.id = master) as master, coalesce(status ->> 'customsOfficeOfPresentation', office) as office, signalled,
    first_presented_at is not null as is_first,
    -- Who has presented gets the signals of all decisions that follow.
    coalesce((
      select max(decision) from issued_signal i
      where i.house_consignment_id = $1 and not exists (
        select from issued_signal own
        where own.house_consignment_id = $1 and own.owner = presenter and own.decision = i.decision
      )
    ), 0) as decisions
  from (
    select presenter, request_id, max(first_presented_at) as first_presented_at, max(office) as office,
      max(transport) as transport, max(master) as master, bool_or(signal_position is not null) as signalled,
      -- The UUID of an arrival may be that of a presentation of other goods too, of whoever has lodged the transport.
      case when max(transport) is null then (
        select entry from validation_status s where s.owner = presenter and s.id = request_id limit 1
      )::json end as status
    from signal_recipient where house_consignment_id = $1 group by presenter, request_id
  ) request
),
audited as (
  select house_consignment_id, entry ->> 'at' as at, entry ->> 'action' as action,
    entry #>> '{actor,organisation}' as organisation, entry #>> '{actor,client}' as client,
    entry ->> 'requestId' as request_id, (entry #>> '{details,registration}')::bigint as registration,
    (entry -> 'details') - 'registration' as details
  from (
    select house_consignment_id, entry::jsonb as entry from consignment_event
    where house_consignment_id in (select id from goods union all select declaration_events from goods)
  ) found
),
own_event as (select * from audited where house_consignment_id = $1),
declaration_event as (
  select at, action, organisation, client, request_id, registration, details - 'mrn' as details
  from audited where house_consignment_id <> $1
),
event as (
  select api_time(at) as at, 1 as step, 0::bigint as sequence, 'PRE_NOTIFIED' as event,
    (select identifier from organisation o where o.id = organisation_id) as organisation,
    client_id as client, request_id::text as request_id, null::jsonb as details
  from pre_notification
  union all
  -- Also when it was presented by itself later.
  select api_time(at), 1, 1, 'ADDED_AFTER_PRESENTATION', null, null, null, added::jsonb
  from pre_notification
  cross join lateral (select entered_after_presentation(id) as added offset 0) presentation
  where added is not null
  union all
  select at, 2, registration, upper(action), organisation, client, request_id, details from own_event
  union all
  -- Changes of its declaration since it was added, also while it was withdrawn, unless it is still.
  select at, 2, registration, upper(action), organisation, client, request_id, details from declaration_event change
  where registration > coalesce((select registration from goods), 0)
    and not exists (
      select from own_event gone
      where action = 'withdrawn' and gone.registration <= change.registration and not exists (
        select from own_event back
        where action = 'returned' and back.registration >= change.registration
          and back.registration > gone.registration
      ) and not exists (
        select from own_event back
        where action = 'returned' and back.registration > gone.registration
          and back.registration < change.registration
      )
    )
  union all
  select api_time(decided_at), case when signalled then 4 else 3 end, 3 * number, 'DECIDED',
    (select identifier from organisation o where o.id = organisation_id), client_id, request_id,
    jsonb_strip_nulls(jsonb_build_object('number', number, 'origin', origin,
      'takesEffect', nullif(takes_effect, true), 'routing', routing,
      'routingControlLocation', routing_control_location, 'reason', reason, 'decisionId', decision_id,
      'profile', profile, 'profileVersion', profile_version, 'profileRule', profile_rule, 'run', run_id))
  from routing_decision d
  cross join lateral (
    select exists (
      select from issued_signal i where i.house_consignment_id = d.house_consignment_id and i.decision <= d.number
    ) as signalled
  ) issued
  where house_consignment_id = $1
  union all
  select at, case when signalled or decisions > 0 then 4 else 2 end,
    3 * decisions + case when is_first then 1 else 2 end, 'PRESENTED',
    (select identifier from organisation o where o.id = presenter), null, request_id::text,
    jsonb_strip_nulls(jsonb_build_object('level', level, 'customsOfficeOfPresentation', office, 'transport', transport,
      'masterConsignment', master))
  from presentation where at is not null
  union all
  select result ->> 'documentIssueDate', 5, position, 'SIGNALLED',
    (select identifier from organisation o where o.id = owner), null, null,
    jsonb_strip_nulls(jsonb_build_object('id', result ->> 'id', 'routing', result ->> 'routing',
      'routingControlLocation', result ->> 'routingControlLocation'))
  from signal
  union all
  select api_time(min(r.at)), 6, s.position, 'READ',
    (select identifier from organisation o where o.id = s.owner), r.client_id, null,
    jsonb_build_object('id', s.result ->> 'id', 'days', count(distinct (r.at at time zone 'UTC')::date))
  from signal s
  join feed_access r on r.owner = s.owner and r.kind = $2
    and r.last_position >= s.position and r.last_position < s.position + $3 and r.first_position <= s.position
  group by s.owner, s.position, s.result ->> 'id', r.client_id
)
select count(*)::integer as events, '[' || coalesce(string_agg(
  json_strip_nulls(json_build_object('at', at, 'event', event, 'organisation', organisation,
    'client', client, 'requestId', request_id, 'details', details))::text, ','
  order by at, step, sequence, organisation), '') || ']' as body
from event;

-- select-houses-by-beginning
-- packages/service/src/consignments/queries.ts
with of_mrn as materialized (
  select id from declaration where mrn >= $1 and mrn < $2 order by mrn limit $3
),
found as materialized (
  (select 'house document' as kind, id from house_consignment
    where document_key >= $1 and document_key < $2 order by document_key, document_type limit $3)
  union all
  (select 'master document', id from house_consignment
    where master_document_key >= $1 and master_document_key < $2 order by master_document_key, ens_id limit $3)
  union all
  (select 'receptacle', id from house_consignment
    where receptacle_id >= $1 and receptacle_id < $2 order by receptacle_id limit $3)
  union all
  (select 'container', house_consignment_id from house_consignment_container
    where container_id >= $1 and container_id < $2 order by container_id, house_consignment_id limit $3)
  union all
  -- Each declaration by its index: a join might scan the table.
  (select 'MRN', house.id from of_mrn d
    cross join lateral (select id from house_consignment h where h.ens_id = d.id limit $3) house
    limit $3)
)
select coalesce((select array_agg(distinct id) from found), '{}') as ids,
  (select count(*) from of_mrn) = $3
    or coalesce((select max(rows) from (select count(*) as rows from found group by kind) kinds) = $3, false)
    as more;

-- select-matching-all
-- packages/service/src/consignments/queries.ts
with
matching as not materialized (
  select id from house_consignment h
),
candidate as materialized (
  select id from matching
  where id > $1::uuid
    and id >= $2::uuid and id < $3::uuid
  order by id limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($6::text is null or h.document_type = $6::text)
    and ($7::text is null or e.customs_office_of_first_entry = $7::text)
    and ($8::text is null
      or (select o.id from organisation o where o.identifier = $8::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $8::text) limit 1))
    and ($9::text is null or state = $9::text)
    and ($10::text[] is null or state = any ($10::text[]))
    and ($11::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($11::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($11::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($11::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $17::boolean or (
      select ($13::text is null or d.profile = $13::text)
        and ($14::integer is null or d.profile_version = $14::integer)
        and ($15::integer is null or d.profile_rule = $15::integer)
        and ($16::uuid is null or d.run_id = $16::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($12::text is null
      or may_present((select o.id from organisation o where o.identifier = $12::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($18::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $5::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-containerId
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.id in (select h.house_consignment_id from house_consignment_container h where h.container_id = $1::text)
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-containerId-masterDocumentNumber-mrn-by-documents
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  limit 1
),
candidate as not materialized (
  select id, document_number, document_type from house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $3::text) and
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $6::uuid
    and candidate.id < $7::uuid
    and (select true from house_consignment_container h where h.house_consignment_id = candidate.id
      and h.container_id = (select $1::text) limit 1) is not null
    and h.master_document_key = (select identifier_key($2::text))
    and ($9::text is null or h.document_type = $9::text)
    and ($10::text is null or e.customs_office_of_first_entry = $10::text)
    and ($11::text is null
      or (select o.id from organisation o where o.identifier = $11::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $11::text) limit 1))
    and ($12::text is null or state = $12::text)
    and ($13::text[] is null or state = any ($13::text[]))
    and ($14::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($14::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($14::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($14::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $20::boolean or (
      select ($16::text is null or d.profile = $16::text)
        and ($17::integer is null or d.profile_version = $17::integer)
        and ($18::integer is null or d.profile_rule = $18::integer)
        and ($19::uuid is null or d.run_id = $19::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($15::text is null
      or may_present((select o.id from organisation o where o.identifier = $15::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($21::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $8::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  ($4::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate";

-- select-matching-containerId-masterDocumentNumber-mrn-by-filters
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $4::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $3::text)
  limit 1
),
led_0 as materialized (
  select h.house_consignment_id as id from house_consignment_container h
  where h.ens_id = (select e.id from declaration e where e.mrn = $3::text) and h.container_id = $1::text order by h.house_consignment_id limit 10001
),
led_1 as materialized (
  select h.id as id from house_consignment h
  where h.ens_id = (select e.id from declaration e where e.mrn = $3::text) and h.master_document_key = identifier_key($2::text) order by h.master_document_type limit 10001
),
matching as materialized (
  select h.id, h.document_number, h.document_type from (select id from led_0 where case  when (select count(*) from led_0) <= 10000 then true end union all select id from led_1 where case when (select count(*) from led_0) <= 10000 then false when (select count(*) from led_1) <= 10000 then true end) led
  -- Each by its id: a join might scan the table.
  cross join lateral (select * from house_consignment g where g.id = led.id limit 1) h
),
candidate as materialized (
  select id, document_number, document_type from matching where
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $6::uuid
    and candidate.id < $7::uuid
    and (select true from house_consignment_container h where h.house_consignment_id = candidate.id
      and h.container_id = (select $1::text) limit 1) is not null
    and h.master_document_key = (select identifier_key($2::text))
    and ($9::text is null or h.document_type = $9::text)
    and ($10::text is null or e.customs_office_of_first_entry = $10::text)
    and ($11::text is null
      or (select o.id from organisation o where o.identifier = $11::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $11::text) limit 1))
    and ($12::text is null or state = $12::text)
    and ($13::text[] is null or state = any ($13::text[]))
    and ($14::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($14::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($14::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($14::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $20::boolean or (
      select ($16::text is null or d.profile = $16::text)
        and ($17::integer is null or d.profile_version = $17::integer)
        and ($18::integer is null or d.profile_rule = $18::integer)
        and ($19::uuid is null or d.run_id = $19::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($15::text is null
      or may_present((select o.id from organisation o where o.identifier = $15::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($21::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $8::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  ($4::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown",
  ((select count(*) from led_0) <= 10000 or (select count(*) from led_1) <= 10000) as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate";

-- select-matching-documentNumber
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.document_key = identifier_key($1::text)
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-ids
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.id = any ($1::uuid[])
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-masterDocumentNumber
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.master_document_key = identifier_key($1::text)
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-mrn-by-documents
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $2::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $2::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  limit 1
),
candidate as not materialized (
  select id, document_number, document_type from house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $3::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $4::uuid
    and candidate.id < $5::uuid
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  ($2::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate";

-- select-matching-mrn-ids-by-documents
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  limit 1
),
candidate as not materialized (
  select id, document_number, document_type from house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $5::uuid
    and candidate.id < $6::uuid
    and h.id = any ($2::uuid[])
    and ($8::text is null or h.document_type = $8::text)
    and ($9::text is null or e.customs_office_of_first_entry = $9::text)
    and ($10::text is null
      or (select o.id from organisation o where o.identifier = $10::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $10::text) limit 1))
    and ($11::text is null or state = $11::text)
    and ($12::text[] is null or state = any ($12::text[]))
    and ($13::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($13::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($13::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($13::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $19::boolean or (
      select ($15::text is null or d.profile = $15::text)
        and ($16::integer is null or d.profile_version = $16::integer)
        and ($17::integer is null or d.profile_rule = $17::integer)
        and ($18::uuid is null or d.run_id = $18::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($14::text is null
      or may_present((select o.id from organisation o where o.identifier = $14::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($20::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $7::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  ($3::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate";

-- select-matching-mrn-ids-by-filters
-- packages/service/src/consignments/queries.ts
with
position as materialized (
  -- The goods may have been withdrawn since the page before.
  select document_number, document_type from house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  union all
  select document_number, document_type from withdrawn_house_consignment h where id = $3::uuid and h.ens_id = (select e.id from declaration e where e.mrn = $1::text)
  limit 1
),
led_0 as materialized (
  select h.id as id from house_consignment h
  where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and h.id = any ($2::uuid[]) limit 10001
),
matching as materialized (
  select h.id, h.document_number, h.document_type from (select id from led_0 where case  when (select count(*) from led_0) <= 10000 then true end) led
  -- Each by its id: a join might scan the table.
  cross join lateral (select * from house_consignment g where g.id = led.id limit 1) h
),
candidate as materialized (
  select id, document_number, document_type from matching where
    (document_number, document_type) >
    (coalesce((select document_number from position), ''), coalesce((select document_type from position), ''))
  order by document_number, document_type limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where candidate.id >= $5::uuid
    and candidate.id < $6::uuid
    and h.id = any ($2::uuid[])
    and ($8::text is null or h.document_type = $8::text)
    and ($9::text is null or e.customs_office_of_first_entry = $9::text)
    and ($10::text is null
      or (select o.id from organisation o where o.identifier = $10::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $10::text) limit 1))
    and ($11::text is null or state = $11::text)
    and ($12::text[] is null or state = any ($12::text[]))
    and ($13::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($13::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($13::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($13::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $19::boolean or (
      select ($15::text is null or d.profile = $15::text)
        and ($16::integer is null or d.profile_version = $16::integer)
        and ($17::integer is null or d.profile_rule = $17::integer)
        and ($18::uuid is null or d.run_id = $18::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($14::text is null
      or may_present((select o.id from organisation o where o.identifier = $14::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($20::boolean and e.carrier is null and e.presenters is null))
  order by candidate.document_number, candidate.document_type limit $7::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  ($3::uuid = '00000000-0000-0000-0000-000000000000' or exists (select from position)) as "isKnown",
  ((select count(*) from led_0) <= 10000) as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by document_number desc, document_type desc limit 1) as "lastCandidate";

-- select-matching-receptacleId
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from house_consignment h where h.receptacle_id = $1::text
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when false then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-withdrawn
-- packages/service/src/consignments/queries.ts
with
matching as not materialized (
  select id from withdrawn_house_consignment h
),
candidate as materialized (
  select id from matching
  where id > $1::uuid
    and id >= $2::uuid and id < $3::uuid
  order by id limit $4::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from withdrawn_house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when true then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($6::text is null or h.document_type = $6::text)
    and ($7::text is null or e.customs_office_of_first_entry = $7::text)
    and ($8::text is null
      or (select o.id from organisation o where o.identifier = $8::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $8::text) limit 1))
    and ($9::text is null or state = $9::text)
    and ($10::text[] is null or state = any ($10::text[]))
    and ($11::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($11::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($11::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($11::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $17::boolean or (
      select ($13::text is null or d.profile = $13::text)
        and ($14::integer is null or d.profile_version = $14::integer)
        and ($15::integer is null or d.profile_rule = $15::integer)
        and ($16::uuid is null or d.run_id = $16::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($12::text is null
      or may_present((select o.id from organisation o where o.identifier = $12::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($18::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $5::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-withdrawn-containerId
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from withdrawn_house_consignment h where (h.signal_head || '}')::jsonb -> 'containerId' ? $1::text
),
candidate as materialized (
  select id from matching
  where id > $2::uuid
    and id >= $3::uuid and id < $4::uuid
  order by id limit $5::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from withdrawn_house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when true then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($7::text is null or h.document_type = $7::text)
    and ($8::text is null or e.customs_office_of_first_entry = $8::text)
    and ($9::text is null
      or (select o.id from organisation o where o.identifier = $9::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $9::text) limit 1))
    and ($10::text is null or state = $10::text)
    and ($11::text[] is null or state = any ($11::text[]))
    and ($12::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($12::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($12::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($12::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $18::boolean or (
      select ($14::text is null or d.profile = $14::text)
        and ($15::integer is null or d.profile_version = $15::integer)
        and ($16::integer is null or d.profile_rule = $16::integer)
        and ($17::uuid is null or d.run_id = $17::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($13::text is null
      or may_present((select o.id from organisation o where o.identifier = $13::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($19::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $6::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-matching-withdrawn-mrn-ids
-- packages/service/src/consignments/queries.ts
with
matching as materialized (
  select id from withdrawn_house_consignment h where h.ens_id = (select e.id from declaration e where e.mrn = $1::text) and h.id = any ($2::uuid[])
),
candidate as materialized (
  select id from matching
  where id > $3::uuid
    and id >= $4::uuid and id < $5::uuid
  order by id limit $6::bigint
),
page as materialized (
  select h.*, customs_office_of_first_entry as office, presented, state,
    (select identifier from organisation o where o.id = e.declarant) as declarant,
    (select identifier from organisation o where o.id = e.representative) as representative
  from candidate
  cross join lateral (select * from withdrawn_house_consignment h where h.id = candidate.id limit 1) h
  cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
  cross join lateral (
    select (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
    offset 0 -- so that it is looked up once, not wherever it is used
  ) connected
  cross join lateral (
    select case
      when true then 'WITHDRAWN'
      when presented and h.routing is null then 'PRESENTED'
      when presented then 'SIGNALLED'
      when h.routing is null then 'PRE_NOTIFIED'
      else 'DECIDED'
    end as state
  ) progress
  where true
    and ($8::text is null or h.document_type = $8::text)
    and ($9::text is null or e.customs_office_of_first_entry = $9::text)
    and ($10::text is null
      or (select o.id from organisation o where o.identifier = $10::text) in (e.declarant, e.representative)
      or (select true from signal_recipient c
        where c.house_consignment_id = h.id
          and c.presenter = (select o.id from organisation o where o.identifier = $10::text) limit 1))
    and ($11::text is null or state = $11::text)
    and ($12::text[] is null or state = any ($12::text[]))
    and ($13::text[] is null or (
      ('MASTER_CONSIGNMENT' <> all ($13::text[]) or h.master_document_number is null)
      and ('RECEPTACLE' <> all ($13::text[]) or h.receptacle_id is null)
      and ('CONTAINER' <> all ($13::text[]) or (
        select true from house_consignment_container c where c.house_consignment_id = h.id limit 1) is null)))
    and (not $19::boolean or (
      select ($15::text is null or d.profile = $15::text)
        and ($16::integer is null or d.profile_version = $16::integer)
        and ($17::integer is null or d.profile_rule = $17::integer)
        and ($18::uuid is null or d.run_id = $18::uuid)
      from routing_decision d where d.house_consignment_id = h.id and takes_effect order by number desc limit 1))
    and ($14::text is null
      or may_present((select o.id from organisation o where o.identifier = $14::text),
        e.declarant, e.representative, e.carrier, e.presenters)
      or ($20::boolean and e.carrier is null and e.presenters is null))
  order by candidate.id limit $7::bigint
)
select
  coalesce((
    select json_agg(json_build_array(page.id, case
        when current.number is not null and (page.routing is not null or current.routing = 'UNDECIDED')
          then current.number
        -- A server of the previous release has registered it.
        when page.routing is not null then 0
      end, page.routing) order by page.id)
    from page
    left join lateral (
      select number, routing from routing_decision d
      where d.house_consignment_id = page.id and takes_effect order by number desc limit 1
    ) current on true
  ), '[]') as selected,
  true as "isKnown",
  true as "isFound",
  (select count(*)::integer from candidate) as candidates,
  (select id::text from candidate order by id desc limit 1) as "lastCandidate";

-- select-undecided-arrivals
-- packages/service/src/consignments/arrival-queries.ts
with waiting as materialized (
  select house_consignment_id as id, first_presented_at as at, office from signal_recipient
  where awaits_decision and ($4::text is null or office = $4)
    and (first_presented_at, house_consignment_id) > ($1::timestamptz, $2::uuid)
  order by first_presented_at, house_consignment_id limit $3
)
select h.id, api_time(waiting.at) as "presentedAt", waiting.office as "customsOfficeOfPresentation",
  (select identifier from organisation o where o.id = e.declarant) as declarant,
  json_build_object('documentNumber', h.document_number, 'type', h.document_type)
    as "transportDocumentHouseLevel",
  json_strip_nulls(json_build_object(
    'customsOfficeOfFirstEntry', e.customs_office_of_first_entry,
    'entrySummaryDeclarationMRN', case when e.kind is null then e.mrn end,
    'houseConsignmentMRN', case when e.kind = 'HOUSE' then e.mrn end,
    'receptacleId', h.receptacle_id, 'containerId', (signal_head || '}')::json -> 'containerId')) as known
from waiting
cross join lateral (select * from house_consignment h where h.id = waiting.id limit 1) h
cross join lateral (select * from declaration e where e.id = h.ens_id limit 1) e
order by waiting.at, waiting.id;
