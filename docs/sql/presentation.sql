-- The SQL of packages/service/src/presentation/. Generated: change the sources, then npm run generate.

-- commit-container
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'CONTAINER' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'CONTAINER' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'CONTAINER' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'CONTAINER' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
),
judged as materialized (
  select r.*, (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    (
      select organisation from (select r.presenter union all select owner from growing) needed (organisation)
      where organisation not in (select organisation from locked) limit 1
    ) as held
  from found r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'CONTAINER', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'CONTAINER', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
feed_end as materialized (
  select owner, coalesce(
    (select max(position) from routing_signal s
      where s.owner = organisation.owner and position >= case when owner = $1 then $14::bigint else 0 end),
    (select max(position) from routing_signal s where s.owner = organisation.owner), 0) as position
  from (select distinct owner from affected, status where not failed) organisation
),
connected as materialized (
  select owner, is_declarant, house, stored_at, decided, feed_end.position + row_number() over (
      -- House consignments with a signal come first, so that the positions of signals have no gap.
      partition by owner order by not decided, house
    ) as position
  from missing join feed_end using (owner)
),
new_connection as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, case when decided then connected.position end,
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then notified::timestamptz end,
    case when is_declarant then office end,
    case when is_declarant and not decided then true end
  from connected cross join status
),
new_signal as (
  insert into routing_signal (owner, position, id, entry)
  select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $15)
  from (
    select owner, position, stored_at,
      mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
    from connected where decided
    offset 0 -- so that each marker is minted once, not wherever it is used
  ) minted
  join house_consignment h on h.ctid = minted.stored_at
  returning owner, position, entry_digest(entry) as digest
),
entry as (
  select 1 as feed, owner, position, digest from new_status
  union all
  select 2, owner, position, digest from new_signal
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  (select json_object_agg(owner, position) from (
    select owner, max(position) as position from connected where decided group by owner
  ) grown) as signal_ends;

-- commit-entry-summary-declaration
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'ENTRY_SUMMARY_DECLARATION' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'ENTRY_SUMMARY_DECLARATION' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'ENTRY_SUMMARY_DECLARATION' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'ENTRY_SUMMARY_DECLARATION' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
),
judged as materialized (
  select r.*, (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    (
      select organisation from (select r.presenter union all select owner from growing) needed (organisation)
      where organisation not in (select organisation from locked) limit 1
    ) as held
  from found r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'ENTRY_SUMMARY_DECLARATION', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'ENTRY_SUMMARY_DECLARATION', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
feed_end as materialized (
  select owner, coalesce(
    (select max(position) from routing_signal s
      where s.owner = organisation.owner and position >= case when owner = $1 then $14::bigint else 0 end),
    (select max(position) from routing_signal s where s.owner = organisation.owner), 0) as position
  from (select distinct owner from affected, status where not failed) organisation
),
connected as materialized (
  select owner, is_declarant, house, stored_at, decided, feed_end.position + row_number() over (
      -- House consignments with a signal come first, so that the positions of signals have no gap.
      partition by owner order by not decided, house
    ) as position
  from missing join feed_end using (owner)
),
new_connection as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, case when decided then connected.position end,
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then notified::timestamptz end,
    case when is_declarant then office end,
    case when is_declarant and not decided then true end
  from connected cross join status
),
new_signal as (
  insert into routing_signal (owner, position, id, entry)
  select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $15)
  from (
    select owner, position, stored_at,
      mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
    from connected where decided
    offset 0 -- so that each marker is minted once, not wherever it is used
  ) minted
  join house_consignment h on h.ctid = minted.stored_at
  returning owner, position, entry_digest(entry) as digest
),
entry as (
  select 1 as feed, owner, position, digest from new_status
  union all
  select 2, owner, position, digest from new_signal
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  (select json_object_agg(owner, position) from (
    select owner, max(position) as position from connected where decided group by owner
  ) grown) as signal_ends;

-- commit-house-consignments
-- packages/service/src/presentation/house-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as (
  select r.*, request_text::uuid as id
  from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::bigint[], $10::bigint[]) with ordinality
    as r (presenter, request_text, reference, document_type, mrn, office, notified, errors, status_end,
      signal_end, number)
),
-- A row for each house consignment that a request reaches, or one without.
found as materialized (
  select r.*, goods.*, count(house) over requests as houses, row_number() over requests as row_of_request,
    -- Not "exists": the planner may evaluate it by reading the whole table into a hash.
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused
  from request r
  left join lateral (
    select h.id as house, h.signal_head, h.routing, h.routing_control_location,
      e.id as ens, e.mrn as ens_mrn, e.declarant, e.representative
    from house_consignment h
    join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
    where h.document_number = r.reference and h.document_type = r.document_type
      and (not $11::boolean or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters))
  ) goods on true
  window requests as (partition by r.number)
),
judged as materialized (
  select *,
    case
      when houses = 0 and reference is not null then 'REFERENCE_NOT_FOUND'
      when houses > 1 then 'REFERENCE_AMBIGUOUS'
    end as problem,
    case
      when presenter not in (select organisation from locked) then presenter
      -- Looked up only if one is not locked: then the first statement has found that nothing is added.
      when houses = 1 and errors is null and not reused and unlocked is not null and (
    (select true from signal_recipient c
      where c.house_consignment_id = first_of_request.house and c.organisation_id = first_of_request.presenter limit 1) is null
    or (select true from signal_recipient c
      where c.house_consignment_id = first_of_request.house and c.organisation_id = first_of_request.declarant limit 1) is null
    or first_of_request.representative is not null and (select true from signal_recipient c
      where c.house_consignment_id = first_of_request.house and c.organisation_id = first_of_request.representative limit 1) is null) then unlocked
    end as held
  from (
    select *, case
        when declarant not in (select organisation from locked) then declarant
        when representative not in (select organisation from locked) then representative
      end as unlocked
    from found where row_of_request = 1
  ) first_of_request
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
recorded_request as (
  select *, problem is not null or errors is not null as failed
  from judged where id is not null and not reused and held is null
),
-- Of each request a row for every organisation that it affects, with the ends of its feeds in its first row.
affected as (
  select organisation.*,
    count(*) filter (where presents) over owners as status_step,
    count(*) filter (where signalled) over owners as signal_step,
    case when row_number() over owners = 1 then coalesce(
      (select max(position) from validation_status s
        where s.owner = organisation.owner and position >= cached_status_end),
      (select max(position) from validation_status s where s.owner = organisation.owner), 0) end as status_last,
    case when row_number() over owners = 1 then coalesce(
      (select max(position) from routing_signal s
        where s.owner = organisation.owner and position >= cached_signal_end),
      (select max(position) from routing_signal s where s.owner = organisation.owner), 0) end as signal_last
  from (
    select r.*, owner, owner = presenter as presents, connects, connects and routing is not null as signalled,
      case when owner = presenter then status_end else 0 end as cached_status_end,
      case when owner = presenter then signal_end else 0 end as cached_signal_end
    from recorded_request r
    cross join lateral (values
      (presenter),
      (nullif(declarant, presenter)),
      (case when representative not in (presenter, declarant) then representative end)
    ) each_once (owner)
    cross join lateral (
      select not failed and (
        select true from signal_recipient c where c.house_consignment_id = house and c.organisation_id = owner limit 1
      ) is null as connects
      offset 0 -- so that each is looked up once, not wherever it is used
    ) connection
    where owner is not null
  ) organisation
  window owners as (partition by owner order by number)
),
positioned as materialized (
  select affected.*, status_step + max(status_last) over same_owner as status_position,
    case when signalled then signal_step + max(signal_last) over same_owner end as signal_position
  from affected
  window same_owner as (partition by owner)
),
new_connection as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, signal_position,
    -- The first presentation connects the declarant, and no other one does.
    case when owner = declarant then notified::timestamptz end,
    case when owner = declarant then office end,
    case when owner = declarant and routing is null then true end
  from positioned where connects
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select owner, status_position, id, failed, case when houses = 1 then ens end,
    validation_status_entry(request_text, failed, 'HOUSE_CONSIGNMENT', notified,
      case when houses = 1 then ens_mrn end, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then $12 when 'REFERENCE_AMBIGUOUS' then $13 end) end)
  from positioned where presents
  returning owner, position, entry
),
-- An ambiguous document is under several declarations; it is under each of them once.
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select owner, found.ens, status_position
  from positioned join found using (number)
  where presents and positioned.houses > 1
),
new_signal as (
  insert into routing_signal (owner, position, id, entry)
  select owner, signal_position, id,
    routing_signal_entry(signal_head, id, routing, routing_control_location, $14)
  from (
    select owner, signal_position, signal_head, routing, routing_control_location,
      mint_marker(signal_position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
    from positioned where signalled
    offset 0 -- so that each marker is minted once, not wherever it is used
  ) minted
  returning owner, position, entry
),
appended as (
  select 1 as feed, owner, position, entry from new_status
  union all
  select 2, owner, position, entry from new_signal
),
recorded as (
  select append_audit_record(3, $15::text
    || coalesce(',"failed":' || (
      select json_agg(number - 1)::text from positioned where presents and failed), '')
    || coalesce(',"notRecorded":' || (
      select json_agg(number - 1)::text from judged where id is null or reused or held is not null), '')
    || ',"appended":{"entries":"' || string_agg(feed || '/' || owner || '/' || position, ' ')
    || '","digest":"' || encode(sha256(convert_to(string_agg(entry, ''), 'UTF8')), 'hex')
    || '"}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_agg(json_build_object('index', number - 1, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_object_agg(owner, position) from (
    select owner, max(status_position) as position from positioned where presents group by owner
  ) grown) as status_ends,
  (select json_object_agg(owner, position) from (
    select owner, max(signal_position) as position from positioned where signalled group by owner
  ) grown) as signal_ends;

-- commit-master-consignment
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'MASTER_CONSIGNMENT' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'MASTER_CONSIGNMENT' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'MASTER_CONSIGNMENT' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'MASTER_CONSIGNMENT' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
),
judged as materialized (
  select r.*, (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    (
      select organisation from (select r.presenter union all select owner from growing) needed (organisation)
      where organisation not in (select organisation from locked) limit 1
    ) as held
  from found r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'MASTER_CONSIGNMENT', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'MASTER_CONSIGNMENT', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
feed_end as materialized (
  select owner, coalesce(
    (select max(position) from routing_signal s
      where s.owner = organisation.owner and position >= case when owner = $1 then $14::bigint else 0 end),
    (select max(position) from routing_signal s where s.owner = organisation.owner), 0) as position
  from (select distinct owner from affected, status where not failed) organisation
),
connected as materialized (
  select owner, is_declarant, house, stored_at, decided, feed_end.position + row_number() over (
      -- House consignments with a signal come first, so that the positions of signals have no gap.
      partition by owner order by not decided, house
    ) as position
  from missing join feed_end using (owner)
),
new_connection as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, case when decided then connected.position end,
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then notified::timestamptz end,
    case when is_declarant then office end,
    case when is_declarant and not decided then true end
  from connected cross join status
),
new_signal as (
  insert into routing_signal (owner, position, id, entry)
  select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $15)
  from (
    select owner, position, stored_at,
      mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
    from connected where decided
    offset 0 -- so that each marker is minted once, not wherever it is used
  ) minted
  join house_consignment h on h.ctid = minted.stored_at
  returning owner, position, entry_digest(entry) as digest
),
entry as (
  select 1 as feed, owner, position, digest from new_status
  union all
  select 2, owner, position, digest from new_signal
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  (select json_object_agg(owner, position) from (
    select owner, max(position) as position from connected where decided group by owner
  ) grown) as signal_ends;

-- commit-receptacle
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'RECEPTACLE' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'RECEPTACLE' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'RECEPTACLE' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'RECEPTACLE' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
),
judged as materialized (
  select r.*, (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    (
      select organisation from (select r.presenter union all select owner from growing) needed (organisation)
      where organisation not in (select organisation from locked) limit 1
    ) as held
  from found r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'RECEPTACLE', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'RECEPTACLE', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
feed_end as materialized (
  select owner, coalesce(
    (select max(position) from routing_signal s
      where s.owner = organisation.owner and position >= case when owner = $1 then $14::bigint else 0 end),
    (select max(position) from routing_signal s where s.owner = organisation.owner), 0) as position
  from (select distinct owner from affected, status where not failed) organisation
),
connected as materialized (
  select owner, is_declarant, house, stored_at, decided, feed_end.position + row_number() over (
      -- House consignments with a signal come first, so that the positions of signals have no gap.
      partition by owner order by not decided, house
    ) as position
  from missing join feed_end using (owner)
),
new_connection as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, case when decided then connected.position end,
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then notified::timestamptz end,
    case when is_declarant then office end,
    case when is_declarant and not decided then true end
  from connected cross join status
),
new_signal as (
  insert into routing_signal (owner, position, id, entry)
  select owner, position, minted.id, routing_signal_entry(signal_head, minted.id, routing, routing_control_location, $15)
  from (
    select owner, position, stored_at,
      mint_marker(position, (select hashtextextended(gen_random_uuid()::text, 0))) as id
    from connected where decided
    offset 0 -- so that each marker is minted once, not wherever it is used
  ) minted
  join house_consignment h on h.ctid = minted.stored_at
  returning owner, position, entry_digest(entry) as digest
),
entry as (
  select 1 as feed, owner, position, digest from new_status
  union all
  select 2, owner, position, digest from new_signal
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  (select json_object_agg(owner, position) from (
    select owner, max(position) as position from connected where decided group by owner
  ) grown) as signal_ends;

-- find-container
-- packages/service/src/presentation/level-goods-queries.ts
with request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'CONTAINER' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'CONTAINER' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'CONTAINER' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'CONTAINER' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
)
select (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused, problem, houses, one_ens, one_mrn,
  array(select id from declaration) as declarations, array(select owner from growing) as organisations
from found r;

-- find-entry-summary-declaration
-- packages/service/src/presentation/level-goods-queries.ts
with request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'ENTRY_SUMMARY_DECLARATION' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'ENTRY_SUMMARY_DECLARATION' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'ENTRY_SUMMARY_DECLARATION' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'ENTRY_SUMMARY_DECLARATION' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
)
select (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused, problem, houses, one_ens, one_mrn,
  array(select id from declaration) as declarations, array(select owner from growing) as organisations
from found r;

-- find-master-consignment
-- packages/service/src/presentation/level-goods-queries.ts
with request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'MASTER_CONSIGNMENT' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'MASTER_CONSIGNMENT' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'MASTER_CONSIGNMENT' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'MASTER_CONSIGNMENT' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
)
select (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused, problem, houses, one_ens, one_mrn,
  array(select id from declaration) as declarations, array(select owner from growing) as organisations
from found r;

-- find-receptacle
-- packages/service/src/presentation/level-goods-queries.ts
with request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
-- The goods that the reference leads to. The planner removes the parts for other levels.
goods as (
  select r.presenter, r.expected_only, h.id as house, h.ctid as stored_at, h.routing is not null as decided, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.master_document_number = r.reference and h.master_document_type = r.document_type and h.ens_id = e.id
    offset 0
  ) h
  where (r.mrn is null or e.mrn = r.mrn) and 'RECEPTACLE' = 'MASTER_CONSIGNMENT'
    and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment_container h where h.container_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment_container h
        where h.container_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select goods.id, goods.ctid, goods.routing from house_consignment_container h
    join house_consignment goods on goods.id = h.house_consignment_id
    where h.container_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'RECEPTACLE' = 'CONTAINER' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  cross join lateral (
    with recursive found_declaration (ens) as (
      (select h.ens_id from house_consignment h where h.receptacle_id = r.reference order by h.ens_id limit 1)
      union all
      select (select h.ens_id from house_consignment h
        where h.receptacle_id = r.reference and h.ens_id > found_declaration.ens order by h.ens_id limit 1)
      from found_declaration where found_declaration.ens is not null
    )
    select ens from found_declaration where ens is not null
  ) found_declaration
  cross join lateral (
    select * from entry_summary_declaration where id = found_declaration.ens
    offset 0 -- so that it is judged before its goods are read
  ) e
  cross join lateral (
    select h.id, h.ctid, h.routing from house_consignment h where h.receptacle_id = r.reference and h.ens_id = e.id
    offset 0
  ) h
  where 'RECEPTACLE' = 'RECEPTACLE' and (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
  union all
  -- One without house consignments is presented too.
  select r.presenter, r.expected_only, h.id, h.ctid, h.routing is not null, e.*
  from request r
  join entry_summary_declaration e on e.mrn = r.reference
  left join house_consignment h on h.ens_id = e.id
  where 'RECEPTACLE' = 'ENTRY_SUMMARY_DECLARATION'
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select house, stored_at, decided, id as ens from goods
  where (not expected_only or may_present(presenter, declarant, representative, carrier, presenters))
),
declaration as materialized (
  select e.id, e.mrn, e.declarant, e.representative, houses
  from (select ens, count(house) as houses from reached group by ens) reached
  join entry_summary_declaration e on e.id = reached.ens
),
affected as materialized (
  select d.id as ens, owner, owner = d.declarant as is_declarant
  from request r cross join declaration d
  cross join lateral (values
    (r.presenter),
    (nullif(d.declarant, r.presenter)),
    (case when d.representative not in (r.presenter, d.declarant) then d.representative end)
  ) each_once (owner)
  where owner is not null
),
missing as materialized (
  select ens, owner, is_declarant, r.house, r.stored_at, r.decided
  from reached r join affected using (ens)
  where r.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = r.house and c.organisation_id = owner limit 1
  ) is null
),
found as materialized (
  select r.*, houses, one_ens, one_mrn,
    case
      when declarations = 0 and r.reference is not null then 'REFERENCE_NOT_FOUND'
      when declarations > 1 and r.document_type is not null then 'REFERENCE_AMBIGUOUS'
    end as problem
  from request r cross join (
    select count(*) as declarations, coalesce(sum(houses), 0)::bigint as houses,
      case when count(*) = 1 then min(id) end as one_ens, case when count(*) = 1 then min(mrn) end as one_mrn
    from declaration
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select distinct owner from affected, found
  where problem is null and errors is null and ens in (select ens from missing)
)
select (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused, problem, houses, one_ens, one_mrn,
  array(select id from declaration) as declarations, array(select owner from growing) as organisations
from found r;

-- lock-house-consignments
-- packages/service/src/presentation/house-queries.ts
with request as (
  select r.*, request_text::uuid as id
  from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $7::text[])
    with ordinality as r (presenter, reference, document_type, mrn, request_text, number)
),
found as (
  select r.presenter, r.id, h.id as house, e.declarant, e.representative,
    count(*) over (partition by r.number) as houses
  from request r
  join house_consignment h on h.document_number = r.reference and h.document_type = r.document_type
  join entry_summary_declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
  where not $5::boolean or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters)
),
affected as (
  select presenter as organisation from request
  union all
  select unnest(array[declarant, representative]) from found
  where houses = 1 and (
    (select true from signal_recipient c
      where c.house_consignment_id = found.house and c.organisation_id = found.presenter limit 1) is null
    or (select true from signal_recipient c
      where c.house_consignment_id = found.house and c.organisation_id = found.declarant limit 1) is null
    or found.representative is not null and (select true from signal_recipient c
      where c.house_consignment_id = found.house and c.organisation_id = found.representative limit 1) is null) and (
    select true from validation_status s where s.owner = presenter and s.id = found.id limit 1) is null
),
locked as materialized (
  select lock_in_order(1, array(select organisation from affected), $6::integer) as organisations
)
select set_config('landfall.locked', organisations::text, true) from locked;

-- lock-level
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select lock_in_order(1, $1::integer[], 50) as organisations
)
select set_config('landfall.locked', organisations::text, true) from locked;

-- record-container
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
declaration as (
  select unnest($14::integer[]) as id
),
judged as materialized (
  select r.*, $15::text as problem, $16::bigint as houses, $17::integer as one_ens, $18::text as one_mrn,
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    case when presenter not in (select organisation from locked) then presenter end as held
  from request r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'CONTAINER', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'CONTAINER', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
entry as (
  select 1 as feed, owner, position, digest from new_status
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  null::json as signal_ends;

-- record-entry-summary-declaration
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
declaration as (
  select unnest($14::integer[]) as id
),
judged as materialized (
  select r.*, $15::text as problem, $16::bigint as houses, $17::integer as one_ens, $18::text as one_mrn,
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    case when presenter not in (select organisation from locked) then presenter end as held
  from request r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'ENTRY_SUMMARY_DECLARATION', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'ENTRY_SUMMARY_DECLARATION', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
entry as (
  select 1 as feed, owner, position, digest from new_status
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  null::json as signal_ends;

-- record-master-consignment
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
declaration as (
  select unnest($14::integer[]) as id
),
judged as materialized (
  select r.*, $15::text as problem, $16::bigint as houses, $17::integer as one_ens, $18::text as one_mrn,
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    case when presenter not in (select organisation from locked) then presenter end as held
  from request r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'MASTER_CONSIGNMENT', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'MASTER_CONSIGNMENT', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
entry as (
  select 1 as feed, owner, position, digest from new_status
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  null::json as signal_ends;

-- record-receptacle
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
request as materialized (
  select $1::integer as presenter, $2::text as reference, $3::text as document_type, $4::text as mrn,
    $5::boolean as expected_only, $6::text as request_text, $6::uuid as id, $7::text as errors,
    $8::bigint as status_end, $9::text as notified, $10::text as office, $11::text as not_found,
    $12::text as ambiguous
),
declaration as (
  select unnest($14::integer[]) as id
),
judged as materialized (
  select r.*, $15::text as problem, $16::bigint as houses, $17::integer as one_ens, $18::text as one_mrn,
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    case when presenter not in (select organisation from locked) then presenter end as held
  from request r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed,
    1 + coalesce(
      (select max(position) from validation_status s where s.owner = presenter and position >= status_end),
      (select max(position) from validation_status s where s.owner = presenter), 0) as position
  from judged where id is not null and not reused and held is null
),
new_status as (
  insert into validation_status (owner, position, id, failed, ens_id, entry)
  select presenter, position, id, failed, one_ens,
    validation_status_entry(request_text, failed, 'RECEPTACLE', notified, one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then not_found when 'REFERENCE_AMBIGUOUS' then ambiguous end) end)
  from status
  returning owner, position, entry_digest(entry) as digest
),
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.id, s.presenter, s.id, s.notified::timestamptz, 'RECEPTACLE', s.reference, s.document_type
  from status s cross join declaration d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.id, s.position
  from status s cross join declaration d
  where s.one_ens is null
),
entry as (
  select 1 as feed, owner, position, digest from new_status
),
-- A digest of digests for each feed, because a text of all entries may not fit into memory.
appended as (
  select feed || '/' || owner || '/' || min(position) || '-' || max(position) as range,
    encode(sha256(string_agg(digest, '' order by position)), 'hex') as digest
  from entry
  group by feed, owner
),
recorded as (
  select append_audit_record(3, $13::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":{"ranges":[' || string_agg('{"range":"' || range || '","digest":"' || digest || '"}', ',')
    || ']}}}') as chain_end
  from appended having count(*) > 0
)
select (select chain_end::text from recorded) as recorded,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues,
  (select json_build_object(presenter, position) from status) as status_ends,
  null::json as signal_ends;

-- select-validation-status
-- packages/service/src/presentation/status-queries.ts
select entry, position from validation_status where owner = $1 and id = $2;
