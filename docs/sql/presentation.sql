-- The SQL of packages/service/src/presentation/. Generated: change the sources, then npm run generate.

-- commit-house-consignments
-- packages/service/src/presentation/house-queries.ts
with
recording as materialized (
  select at, api_time(at) as text
  from (select record_time($1::timestamptz) as at offset 0) once
),
-- In this order: the requests as submitted, the goods of each, its problem and whether it has to wait (judged), whom
-- it adds (affected), what is appended (entry), and the positions of that (appended).
request as (
  select r.*, request_text::uuid as id
  from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) with ordinality as r (presenter, request_text, reference, key, document_type, mrn, office, errors, ignored, number)
),
locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
-- A row for each house consignment that a request reaches, or one without.
found as materialized (
  select r.*, goods.*, count(house) over requests as houses, row_number() over requests as row_of_request,
    -- Not "exists": the planner may evaluate it by reading the whole table into a hash.
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused
  from request r
  left join lateral (
    select h.id as house, h.signal_head, h.routing, h.routing_control_location,
      e.id as ens, e.mrn as ens_mrn, e.kind, e.declarant, e.representative
    from house_consignment h
    join declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
    where h.document_key = r.key and h.document_type = r.document_type and (h.only_spelling is null or h.only_spelling = r.reference)
      and (not $11::boolean
        or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters))
  ) goods on true
  window requests as (partition by r.number order by kind is not null)
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
      when houses = 1 and errors is null and not reused and unlocked is not null
        and ((select true from signal_recipient c
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
    offset 0 -- so that it is looked up once, not wherever it is used
  ) first_of_request
),
-- Of each request a row for every organisation that it affects. One whose requestId is unreadable or was used
-- before, or that has to wait, is not recorded.
affected as (
  select r.*, owner, owner = presenter as presents, connects, connects and routing is not null as signalled
  from (
    select *, problem is not null or errors is not null as failed
    from judged where id is not null and not reused and held is null
  ) r
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
),
-- The entries in their order: the status of a request, then its signals.
entry as materialized (
  select *, count(*) filter (where presents) over up_to + count(*) filter (where signalled) over up_to as last_entry
  from affected
  window up_to as (order by number, not presents rows unbounded preceding)
),
appended as materialized (
  select appended.* from (
    select array_agg(new_entry order by at) as entries
    from (
      select last_entry - signalled::integer as at, new_status(owner, id, failed, case when houses = 1 then ens end,
        validation_status_entry(request_text, failed, 'HOUSE_CONSIGNMENT', (select text from recording),
          case when houses = 1 then ens_mrn end, office, houses,
          case when failed then concat_ws(',', errors, case problem
            when 'REFERENCE_NOT_FOUND' then $12::text
            when 'REFERENCE_AMBIGUOUS' then $13::text end) end, ignored)) as new_entry
      from entry where presents
      union all
      select last_entry, new_signal(owner, signal_head, routing, routing_control_location,
        (select text from recording))
      from entry where signalled
    ) each
    having count(*) > 0
  ) all_entries
  cross join append_to_feeds(entries, 3, null) as appended
),
new_recipient as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, case when signalled then positions[last_entry] end,
    -- The first presentation connects the declarant, and no other one does.
    case when owner = declarant then (select at from recording) end,
    case when owner = declarant then office end,
    case when owner = declarant and routing is null then true end
  from entry cross join appended where connects
),
-- An ambiguous document is under several declarations; it is under each of them once. Those that it does not mean have
-- another number of houses.
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select owner, found.ens, positions[last_entry]
  from entry join found using (number, houses) cross join appended
  where presents and houses > 1
)
select (select appended from appended) as appended,
  (select set_config('landfall.record', '{"at":"' || (select text from recording) || '",' || $14::text
    || coalesce(',"failed":' || (
      select json_agg(number - 1)::text from entry where presents and failed), '')
    || coalesce(',"notRecorded":' || (
      select json_agg(number - 1)::text from judged where id is null or reused or held is not null), '')
    || ',"appended":[' || appended || ']}}', true) from appended) is not null as recorded,
  (select json_agg(json_build_object('index', number - 1, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues;

-- commit-level
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
recording as materialized (
  select at, api_time(at) as text
  from (select record_time($1::timestamptz) as at offset 0) once
),
request as materialized (
  select $2::integer as presenter,
    $3::text as level,
    $4::text as reference,
    $5::text as document_type,
    $6::text as mrn,
    $7::text as request_text,
    $8::uuid as id,
    $9::text as office,
    $10::text as errors,
    $11::text as ignored
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select g.* from request r
  cross join reach_level(r.level, r.reference, r.document_type, r.mrn, r.presenter,
    $12::boolean) g
),
reached_ens as materialized (
  select ens, ens_mrn, declarant, representative, count(house) as houses from reached
  group by ens, ens_mrn, declarant, representative
),
missing as materialized (
  select g.ens, owner, owner = g.declarant as is_declarant, g.house, g.stored_at, g.decided
  from request r cross join reached g
  cross join lateral (values
    (r.presenter),
    (nullif(g.declarant, r.presenter)),
    (case when g.representative not in (r.presenter, g.declarant) then g.representative end)
  ) each_once (owner)
  where owner is not null and g.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = g.house and c.organisation_id = owner limit 1
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
      case when count(*) = 1 then min(ens) end as one_ens, case when count(*) = 1 then min(ens_mrn) end as one_mrn
    from reached_ens
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select presenter as owner from found where problem is null and errors is null and exists (select from missing)
  union
  select party from found cross join reached_ens d
  cross join lateral (values (declarant), (representative)) parties (party)
  where problem is null and errors is null and party is not null and d.ens in (select ens from missing)
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
  select *, problem is not null or errors is not null as failed
  from judged where id is not null and not reused and held is null
),
status_entry as (
  select new_status(presenter, id, failed, one_ens,
    validation_status_entry(request_text, failed, level, (select text from recording), one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then $13::text
        when 'REFERENCE_AMBIGUOUS' then $14::text end) end, ignored)) as entry
  from status
),
new_presented_reference as (
  insert into presented_reference (level, reference, document_type, mrn, presenter, request_id, at, expected_only)
  select level, reference, document_type, mrn, presenter, id, (select at from recording),
    $15::boolean
  from status where not failed
),
-- Servers of the previous release read these.
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.ens, s.presenter, s.id, (select at from recording), s.level, s.reference, s.document_type
  from status s cross join reached_ens d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
-- The status is entry 0, and the signals follow in the order of their feeds.
added as materialized (
  select missing.*, row_number() over (order by decided desc, owner, house) as number
  from missing cross join status where not failed
),
appended as materialized (
  select part, a.*
  from (
    select number / 5000 as part, array_agg(entry order by number) as entries
    from (
      select 0 as number, entry from status_entry
      union all
      select number, new_signal(owner, signal_head, routing, routing_control_location,
        (select text from recording))
      from added join house_consignment h on h.ctid = added.stored_at
      where decided
    ) entry
    group by number / 5000
  ) parts
  cross join lateral append_to_feeds(entries, 3, null) a
),
new_recipient as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision)
  select house, owner, presenter, id, positions[number % 5000 + 1],
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then (select at from recording) end,
    case when is_declarant then office end,
    case when is_declarant and not decided then true end
  from added cross join status left join appended on decided and part = number / 5000
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.ens, a.positions[1]
  from status s cross join reached_ens d cross join appended a
  where s.one_ens is null and a.part = 0
),
recorded as (
  select set_config('landfall.record', '{"at":"' || (select text from recording) || '",' || $16::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":[' || string_agg(appended, ',' order by part) || ']}}', true) as record
  from appended having count(*) > 0
)
select (select record from recorded) is not null as recorded,
  (select string_agg(appended, ',') from appended) as appended,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues;

-- find-level
-- packages/service/src/presentation/level-queries.ts
with request as materialized (
  select $1::integer as presenter,
    $2::text as level,
    $3::text as reference,
    $4::text as document_type,
    $5::text as mrn,
    $6::text as request_text,
    $7::uuid as id,
    $8::text as office,
    $9::text as errors,
    $10::text as ignored
),
-- Narrow rows: the texts of signals are read from their rows when the signals are written.
reached as materialized (
  select g.* from request r
  cross join reach_level(r.level, r.reference, r.document_type, r.mrn, r.presenter,
    $11::boolean) g
),
reached_ens as materialized (
  select ens, ens_mrn, declarant, representative, count(house) as houses from reached
  group by ens, ens_mrn, declarant, representative
),
missing as materialized (
  select g.ens, owner, owner = g.declarant as is_declarant, g.house, g.stored_at, g.decided
  from request r cross join reached g
  cross join lateral (values
    (r.presenter),
    (nullif(g.declarant, r.presenter)),
    (case when g.representative not in (r.presenter, g.declarant) then g.representative end)
  ) each_once (owner)
  where owner is not null and g.house is not null and (
    select true from signal_recipient c where c.house_consignment_id = g.house and c.organisation_id = owner limit 1
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
      case when count(*) = 1 then min(ens) end as one_ens, case when count(*) = 1 then min(ens_mrn) end as one_mrn
    from reached_ens
  ) tally
),
-- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
growing as materialized (
  select presenter as owner from found where problem is null and errors is null and exists (select from missing)
  union
  select party from found cross join reached_ens d
  cross join lateral (values (declarant), (representative)) parties (party)
  where problem is null and errors is null and party is not null and d.ens in (select ens from missing)
)
select (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused, problem, houses, one_ens, one_mrn,
  array(select ens from reached_ens) as declarations,
  (select true from presented_reference p
    where p.reference = r.reference and p.level = r.level and p.presenter = r.presenter
      and p.document_type is not distinct from r.document_type and (p.mrn is null or p.mrn = r.mrn)
      and (not p.expected_only or $12::boolean)
    limit 1) is not null as repeated,
  array(select owner from growing) as organisations
from found r;

-- lock-house-consignments
-- packages/service/src/presentation/house-queries.ts
with request as (
  select r.*, request_text::uuid as id
  from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as r (presenter, request_text, reference, key, document_type, mrn, number)
),
found as (
  select r.presenter, r.id, h.id as house, e.declarant, e.representative,
    count(*) over (partition by r.number order by kind is not null) as houses
  from request r
  join house_consignment h on h.document_key = r.key and h.document_type = r.document_type
    and (h.only_spelling is null or h.only_spelling = r.reference)
  join declaration e on e.id = h.ens_id and (r.mrn is null or e.mrn = r.mrn)
  where not $7::boolean
    or may_present(r.presenter, e.declarant, e.representative, e.carrier, e.presenters)
),
-- Those to whose goods presenting adds the presenter, the declarant or the representative.
growing as (
  select declarant, representative from found
  where houses = 1 and ((select true from signal_recipient c
      where c.house_consignment_id = found.house and c.organisation_id = found.presenter limit 1) is null
    or (select true from signal_recipient c
      where c.house_consignment_id = found.house and c.organisation_id = found.declarant limit 1) is null
    or found.representative is not null and (select true from signal_recipient c
      where c.house_consignment_id = found.house and c.organisation_id = found.representative limit 1) is null)
    and (select true from validation_status s where s.owner = presenter and s.id = found.id limit 1) is null
),
affected as (
  select presenter as organisation from request
  union all select declarant from growing
  union all select representative from growing
),
locked as materialized (
  select lock_in_order(1, array(select organisation from affected), $8::integer)
    as organisations
)
select set_config('landfall.locked', organisations::text, true) from locked;

-- lock-level
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select lock_in_order(1, $1::integer[], 50) as organisations
),
-- It reads what was locked, so the feeds come first.
referenced as materialized (
  select lock_references(5,
    case when organisations is not null then array_remove(array[$2::text], null) end, false) from locked
)
select set_config('landfall.locked', organisations::text, true) from locked cross join referenced;

-- record-level
-- packages/service/src/presentation/level-queries.ts
with locked as materialized (
  select unnest(current_setting('landfall.locked')::integer[]) as organisation
),
recording as materialized (
  select at, api_time(at) as text
  from (select record_time($1::timestamptz) as at offset 0) once
),
request as materialized (
  select $2::integer as presenter,
    $3::text as level,
    $4::text as reference,
    $5::text as document_type,
    $6::text as mrn,
    $7::text as request_text,
    $8::uuid as id,
    $9::text as office,
    $10::text as errors,
    $11::text as ignored
),
reached_ens as (
  select unnest($12::integer[]) as ens
),
judged as materialized (
  select r.*, $13::text as problem, $14::bigint as houses,
    $15::integer as one_ens, $16::text as one_mrn,
    (select true from validation_status s where s.owner = r.presenter and s.id = r.id limit 1) is not null as reused,
    case when presenter not in (select organisation from locked) then presenter end as held
  from request r
),
-- A request is recorded unless its requestId is unreadable or was used before, or the request has to wait.
status as materialized (
  select *, problem is not null or errors is not null as failed
  from judged where id is not null and not reused and held is null
),
status_entry as (
  select new_status(presenter, id, failed, one_ens,
    validation_status_entry(request_text, failed, level, (select text from recording), one_mrn, office, houses,
      case when failed then concat_ws(',', errors, case problem
        when 'REFERENCE_NOT_FOUND' then $17::text
        when 'REFERENCE_AMBIGUOUS' then $18::text end) end, ignored)) as entry
  from status
),
new_presented_reference as (
  insert into presented_reference (level, reference, document_type, mrn, presenter, request_id, at, expected_only)
  select level, reference, document_type, mrn, presenter, id, (select at from recording),
    $19::boolean
  from status where not failed
),
-- Servers of the previous release read these.
new_level_presentation as (
  insert into level_presentation (ens_id, presenter, request_id, at, level, reference, document_type)
  select d.ens, s.presenter, s.id, (select at from recording), s.level, s.reference, s.document_type
  from status s cross join reached_ens d
  where not s.failed
  -- A requestId can be used again after its status was removed.
  on conflict (ens_id, presenter, request_id) do update set at = excluded.at, level = excluded.level,
    reference = excluded.reference, document_type = excluded.document_type
),
appended as materialized (
  select 0 as part, a.* from status_entry cross join append_to_feeds(array[entry], 3, null) a
),
new_status_ens as (
  insert into validation_status_ens (owner, ens_id, position)
  select s.presenter, d.ens, a.positions[1]
  from status s cross join reached_ens d cross join appended a
  where s.one_ens is null and a.part = 0
),
recorded as (
  select set_config('landfall.record', '{"at":"' || (select text from recording) || '",' || $20::text
    || case when (select failed from status) then ',"failed":[0]' else '' end
    || ',"appended":[' || string_agg(appended, ',' order by part) || ']}}', true) as record
  from appended having count(*) > 0
)
select (select record from recorded) is not null as recorded,
  (select string_agg(appended, ',') from appended) as appended,
  (select json_build_array(json_build_object('index', 0, 'reused', reused, 'problem', problem, 'held', held))
    from judged where reused or problem is not null or held is not null) as issues;

-- select-validation-status
-- packages/service/src/presentation/status-queries.ts
select entry, position from validation_status where owner = $1 and id = $2;
