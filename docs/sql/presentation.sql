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
  window requests as (partition by r.number order by kind is not null, kind is not null and is_closed(ens))
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
      select last_entry, new_signal(owner, arrived_signal_head(signal_head, house), routing, routing_control_location,
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
    from judged where reused or problem is not null or held is not null) as issues,
  array(select house from entry where connects and owner = declarant and routing is null and kind is not null)
    as undecided;

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
      when declarations > 1 and r.document_type is not null and (
        -- House consignments that were lodged under one master are declarations of their own.
        select count(distinct coalesce(m.mode || ' ' || m.carrier, e.ens::text))
        from reached_ens e left join movement m on m.declaration_id = e.ens
      ) > 1 then 'REFERENCE_AMBIGUOUS'
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
      select number, new_signal(owner, arrived_signal_head(signal_head, house), routing, routing_control_location,
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
    from judged where reused or problem is not null or held is not null) as issues,
  array(
    select house from added cross join status
    where is_declarant and not decided and not failed and ens in (
      select e.id from reached_ens r cross join lateral (select * from declaration where id = r.ens offset 0) e
      where e.kind is not null
    )
    limit 10000
  ) as undecided;

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
      when declarations > 1 and r.document_type is not null and (
        -- House consignments that were lodged under one master are declarations of their own.
        select count(distinct coalesce(m.mode || ' ' || m.carrier, e.ens::text))
        from reached_ens e left join movement m on m.declaration_id = e.ens
      ) > 1 then 'REFERENCE_AMBIGUOUS'
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

-- find-reached-by-houses
-- packages/service/src/presentation/reached-queries.ts
with transport as materialized (
  select m.declaration_id as id, e.mrn, m.submitter, m.representative, m.arrival_office as office,
    m.arrival_request_id as request_id, m.arrival_signal
  -- Without the offset, a plan made for few messages reads the index of all current ones.
  from (select * from movement where declaration_id = $3::integer offset 0) m
  join declaration e on e.id = m.declaration_id
  where m.state is null
),
-- Under several masters, a house consignment is there once for each.
lodged as materialized (
  select h.*, e.declarant, e.representative, r.master, t.submitter as transport_submitter,
    t.representative as transport_representative
  from transport t
  cross join lateral (
    select house.id, above.master
    from unnest($2::integer[]) house (id)
    cross join lateral transports_of_house(house.id, $1::boolean) above
    where above.id = t.id
  ) r
  cross join lateral (select declarant, representative from declaration where id = r.id offset 0) e
  cross join lateral (
    select id, ctid as stored_at, routing is not null as decided, document_key, document_type
    from house_consignment where ens_id = r.id offset 0
  ) h
),
-- The other records of these goods, each with the first house consignment that it is the same goods as. Of one document,
-- only the first hundred that were lodged can be.
declared as materialized (
  select told.declared as id, (array_agg(told.lodged order by told.lodged))[1] as goods
  from (
    select * from (
      select document_key, document_type, (array_agg(distinct id))[1:100] as ids
      from lodged group by document_key, document_type
    ) each
    -- Most goods are in no ENS: finding that out costs half of looking for pairs.
    where (
      select true from house_consignment o
      cross join lateral (select kind from declaration where id = o.ens_id offset 0) e
      where o.document_key = each.document_key and o.document_type = each.document_type and e.kind is null limit 1
    )
    offset 0
  ) documents
  cross join lateral told_twice(document_key, document_type, $1::boolean) told
  where told.lodged = any (ids)
  group by told.declared
),
missing as materialized (
  select lacking.*, dense_rank() over (order by goods) as rank, bool_or(is_declarant) over (partition by house) as is_first
  from (
    select h.id as goods, h.id as house, true as is_lodged, h.stored_at, h.decided, h.declarant, h.representative, owner,
      owner = h.declarant as is_declarant, min(h.master) as master
    from lodged h
    left join lateral (select submitter, representative from movement where declaration_id = h.master offset 0) m on true
    cross join lateral (
      select distinct party as owner
      from (values (h.transport_submitter), (h.transport_representative), (m.submitter), (m.representative),
        (h.declarant), (h.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = h.id and c.organisation_id = owner limit 1
    ) is null
    group by h.id, h.stored_at, h.decided, h.declarant, h.representative, owner
    union all
    select d.goods, d.id, false, h.stored_at, h.decided, e.declarant, e.representative, owner, owner = e.declarant, null
    from declared d
    cross join lateral (
      select ens_id, ctid as stored_at, routing is not null as decided from house_consignment where id = d.id offset 0
    ) h
    cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
    cross join lateral (
      select distinct party as owner from (values (e.declarant), (e.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = d.id and c.organisation_id = owner limit 1
    ) is null
  ) lacking
),
due as materialized (
  select * from missing where rank <= $4::integer
),
affected as materialized (
  -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
  select distinct party from due cross join lateral (values (owner), (declarant), (representative)) parties (party)
  where party is not null
)
select (select coalesce(max(rank), 0)::integer from due) as houses, array(select party from affected) as organisations;

-- find-reached-by-transport
-- packages/service/src/presentation/reached-queries.ts
with transport as materialized (
  select m.declaration_id as id, e.mrn, m.submitter, m.representative, m.arrival_office as office,
    m.arrival_request_id as request_id, m.arrival_signal
  -- Without the offset, a plan made for few messages reads the index of all current ones.
  from (select * from movement where declaration_id = $2::integer offset 0) m
  join declaration e on e.id = m.declaration_id
  where m.state is null
),
-- Under several masters, a house consignment is there once for each.
lodged as materialized (
  select h.*, e.declarant, e.representative, r.master, t.submitter as transport_submitter,
    t.representative as transport_representative
  from transport t
  cross join lateral houses_of_transport(t.id, $1::boolean) r
  cross join lateral (select declarant, representative from declaration where id = r.id offset 0) e
  cross join lateral (
    select id, ctid as stored_at, routing is not null as decided, document_key, document_type
    from house_consignment where ens_id = r.id offset 0
  ) h
),
-- The other records of these goods, each with the first house consignment that it is the same goods as. Of one document,
-- only the first hundred that were lodged can be.
declared as materialized (
  select told.declared as id, (array_agg(told.lodged order by told.lodged))[1] as goods
  from (
    select * from (
      select document_key, document_type, (array_agg(distinct id))[1:100] as ids
      from lodged group by document_key, document_type
    ) each
    -- Most goods are in no ENS: finding that out costs half of looking for pairs.
    where (
      select true from house_consignment o
      cross join lateral (select kind from declaration where id = o.ens_id offset 0) e
      where o.document_key = each.document_key and o.document_type = each.document_type and e.kind is null limit 1
    )
    offset 0
  ) documents
  cross join lateral told_twice(document_key, document_type, $1::boolean) told
  where told.lodged = any (ids)
  group by told.declared
),
missing as materialized (
  select lacking.*, dense_rank() over (order by goods) as rank, bool_or(is_declarant) over (partition by house) as is_first
  from (
    select h.id as goods, h.id as house, true as is_lodged, h.stored_at, h.decided, h.declarant, h.representative, owner,
      owner = h.declarant as is_declarant, min(h.master) as master
    from lodged h
    left join lateral (select submitter, representative from movement where declaration_id = h.master offset 0) m on true
    cross join lateral (
      select distinct party as owner
      from (values (h.transport_submitter), (h.transport_representative), (m.submitter), (m.representative),
        (h.declarant), (h.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = h.id and c.organisation_id = owner limit 1
    ) is null
    group by h.id, h.stored_at, h.decided, h.declarant, h.representative, owner
    union all
    select d.goods, d.id, false, h.stored_at, h.decided, e.declarant, e.representative, owner, owner = e.declarant, null
    from declared d
    cross join lateral (
      select ens_id, ctid as stored_at, routing is not null as decided from house_consignment where id = d.id offset 0
    ) h
    cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
    cross join lateral (
      select distinct party as owner from (values (e.declarant), (e.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = d.id and c.organisation_id = owner limit 1
    ) is null
  ) lacking
),
due as materialized (
  select * from missing where rank <= $3::integer
),
affected as materialized (
  -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
  select distinct party from due cross join lateral (values (owner), (declarant), (representative)) parties (party)
  where party is not null
)
select (select coalesce(max(rank), 0)::integer from due) as houses, array(select party from affected) as organisations;

-- lock-house-consignments
-- packages/service/src/presentation/house-queries.ts
with request as (
  select r.*, request_text::uuid as id
  from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as r (presenter, request_text, reference, key, document_type, mrn, number)
),
found as (
  select r.presenter, r.id, h.id as house, e.declarant, e.representative,
    count(*) over (partition by r.number order by kind is not null, kind is not null and is_closed(e.id)) as houses
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

-- present-reached-by-houses
-- packages/service/src/presentation/reached-queries.ts
with recording as materialized (
  select at, api_time(at) as text
  from (select record_time($1::timestamptz) as at offset 0) once
),
transport as materialized (
  select m.declaration_id as id, e.mrn, m.submitter, m.representative, m.arrival_office as office,
    m.arrival_request_id as request_id, m.arrival_signal
  -- Without the offset, a plan made for few messages reads the index of all current ones.
  from (select * from movement where declaration_id = $4::integer offset 0) m
  join declaration e on e.id = m.declaration_id
  where m.state is null and m.arrived_at is not null
),
-- Under several masters, a house consignment is there once for each.
lodged as materialized (
  select h.*, e.declarant, e.representative, r.master, t.submitter as transport_submitter,
    t.representative as transport_representative
  from transport t
  cross join lateral (
    select house.id, above.master
    from unnest($3::integer[]) house (id)
    cross join lateral transports_of_house(house.id, $2::boolean) above
    where above.id = t.id
  ) r
  cross join lateral (select declarant, representative from declaration where id = r.id offset 0) e
  cross join lateral (
    select id, ctid as stored_at, routing is not null as decided, document_key, document_type
    from house_consignment where ens_id = r.id offset 0
  ) h
),
-- The other records of these goods, each with the first house consignment that it is the same goods as. Of one document,
-- only the first hundred that were lodged can be.
declared as materialized (
  select told.declared as id, (array_agg(told.lodged order by told.lodged))[1] as goods
  from (
    select * from (
      select document_key, document_type, (array_agg(distinct id))[1:100] as ids
      from lodged group by document_key, document_type
    ) each
    -- Most goods are in no ENS: finding that out costs half of looking for pairs.
    where (
      select true from house_consignment o
      cross join lateral (select kind from declaration where id = o.ens_id offset 0) e
      where o.document_key = each.document_key and o.document_type = each.document_type and e.kind is null limit 1
    )
    offset 0
  ) documents
  cross join lateral told_twice(document_key, document_type, $2::boolean) told
  where told.lodged = any (ids)
  group by told.declared
),
missing as materialized (
  select lacking.*, dense_rank() over (order by goods) as rank, bool_or(is_declarant) over (partition by house) as is_first
  from (
    select h.id as goods, h.id as house, true as is_lodged, h.stored_at, h.decided, h.declarant, h.representative, owner,
      owner = h.declarant as is_declarant, min(h.master) as master
    from lodged h
    left join lateral (select submitter, representative from movement where declaration_id = h.master offset 0) m on true
    cross join lateral (
      select distinct party as owner
      from (values (h.transport_submitter), (h.transport_representative), (m.submitter), (m.representative),
        (h.declarant), (h.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = h.id and c.organisation_id = owner limit 1
    ) is null
    group by h.id, h.stored_at, h.decided, h.declarant, h.representative, owner
    union all
    select d.goods, d.id, false, h.stored_at, h.decided, e.declarant, e.representative, owner, owner = e.declarant, null
    from declared d
    cross join lateral (
      select ens_id, ctid as stored_at, routing is not null as decided from house_consignment where id = d.id offset 0
    ) h
    cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
    cross join lateral (
      select distinct party as owner from (values (e.declarant), (e.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = d.id and c.organisation_id = owner limit 1
    ) is null
  ) lacking
),
due as materialized (
  select * from missing where rank <= $5::integer
),
affected as materialized (
  -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
  select distinct party from due cross join lateral (values (owner), (declarant), (representative)) parties (party)
  where party is not null
),
held as materialized (
  select party from affected where party <> all ($6::integer[]) limit 1
),
-- Signals come first, in the order of their feeds. Goods that were presented before keep what they arrived with.
added as materialized (
  select *, row_number() over (order by decided desc, owner, house) - 1 as number
  from due where not exists (select from held)
),
appended as materialized (
  select part, a.*
  from (
    select number / 5000 as part, array_agg(new_signal(owner,
      case when is_first and is_lodged then h.signal_head || coalesce(t.arrival_signal, '')
        else arrived_signal_head(h.signal_head, house) end,
      routing, routing_control_location, (select text from recording)) order by number) as entries
    from added cross join transport t join house_consignment h on h.ctid = added.stored_at
    where decided
    group by number / 5000
  ) parts
  cross join lateral append_to_feeds(entries, 3, null) a
),
new_recipient as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision, transport, master)
  -- On behalf of whoever has lodged the transport.
  select house, owner, t.submitter, t.request_id, positions[number % 5000 + 1],
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then (select at from recording) end,
    case when is_declarant then t.office end,
    case when is_declarant and not decided then true end,
    case when is_declarant then t.id end,
    case when is_declarant then added.master end
  from added cross join transport t left join appended on decided and part = number / 5000
),
presented as materialized (
  select coalesce(max(rank), 0)::integer as houses, count(*) filter (where decided)::integer as signals from added
),
recorded as (
  select set_config('landfall.record', '{"at":"' || (select text from recording)
    || '","requestId":"' || request_id || '","action":"consignments.arrived","details":{"mrn":"' || mrn
    || '","office":"' || office || '","houseConsignments":' || houses
    || coalesce(',"appended":[' || (select string_agg(appended, ',' order by part) from appended) || ']', '')
    || '}}', true) as record
  from transport cross join presented where houses > 0
)
select houses, signals, (select party from held) as held, (select record from recorded) is not null as recorded,
  not exists (select from held)
    and (select max(rank) from missing) > (select max(rank) from due) as "hasMore",
  (select string_agg(appended, ',' order by part) from appended) as appended,
  array(select house from added where is_declarant and is_lodged and not decided) as undecided
from presented;

-- present-reached-by-transport
-- packages/service/src/presentation/reached-queries.ts
with recording as materialized (
  select at, api_time(at) as text
  from (select record_time($1::timestamptz) as at offset 0) once
),
transport as materialized (
  select m.declaration_id as id, e.mrn, m.submitter, m.representative, m.arrival_office as office,
    m.arrival_request_id as request_id, m.arrival_signal
  -- Without the offset, a plan made for few messages reads the index of all current ones.
  from (select * from movement where declaration_id = $3::integer offset 0) m
  join declaration e on e.id = m.declaration_id
  where m.state is null and m.arrived_at is not null
),
-- Under several masters, a house consignment is there once for each.
lodged as materialized (
  select h.*, e.declarant, e.representative, r.master, t.submitter as transport_submitter,
    t.representative as transport_representative
  from transport t
  cross join lateral houses_of_transport(t.id, $2::boolean) r
  cross join lateral (select declarant, representative from declaration where id = r.id offset 0) e
  cross join lateral (
    select id, ctid as stored_at, routing is not null as decided, document_key, document_type
    from house_consignment where ens_id = r.id offset 0
  ) h
),
-- The other records of these goods, each with the first house consignment that it is the same goods as. Of one document,
-- only the first hundred that were lodged can be.
declared as materialized (
  select told.declared as id, (array_agg(told.lodged order by told.lodged))[1] as goods
  from (
    select * from (
      select document_key, document_type, (array_agg(distinct id))[1:100] as ids
      from lodged group by document_key, document_type
    ) each
    -- Most goods are in no ENS: finding that out costs half of looking for pairs.
    where (
      select true from house_consignment o
      cross join lateral (select kind from declaration where id = o.ens_id offset 0) e
      where o.document_key = each.document_key and o.document_type = each.document_type and e.kind is null limit 1
    )
    offset 0
  ) documents
  cross join lateral told_twice(document_key, document_type, $2::boolean) told
  where told.lodged = any (ids)
  group by told.declared
),
missing as materialized (
  select lacking.*, dense_rank() over (order by goods) as rank, bool_or(is_declarant) over (partition by house) as is_first
  from (
    select h.id as goods, h.id as house, true as is_lodged, h.stored_at, h.decided, h.declarant, h.representative, owner,
      owner = h.declarant as is_declarant, min(h.master) as master
    from lodged h
    left join lateral (select submitter, representative from movement where declaration_id = h.master offset 0) m on true
    cross join lateral (
      select distinct party as owner
      from (values (h.transport_submitter), (h.transport_representative), (m.submitter), (m.representative),
        (h.declarant), (h.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = h.id and c.organisation_id = owner limit 1
    ) is null
    group by h.id, h.stored_at, h.decided, h.declarant, h.representative, owner
    union all
    select d.goods, d.id, false, h.stored_at, h.decided, e.declarant, e.representative, owner, owner = e.declarant, null
    from declared d
    cross join lateral (
      select ens_id, ctid as stored_at, routing is not null as decided from house_consignment where id = d.id offset 0
    ) h
    cross join lateral (select declarant, representative from declaration where id = h.ens_id offset 0) e
    cross join lateral (
      select distinct party as owner from (values (e.declarant), (e.representative)) parties (party)
      where party is not null
    ) parties
    where (
      select true from signal_recipient c where c.house_consignment_id = d.id and c.organisation_id = owner limit 1
    ) is null
  ) lacking
),
due as materialized (
  select * from missing where rank <= $4::integer
),
affected as materialized (
  -- Deciding on goods needs the locks of their parties too, so no signal is missed (decision 0063).
  select distinct party from due cross join lateral (values (owner), (declarant), (representative)) parties (party)
  where party is not null
),
held as materialized (
  select party from affected where party <> all ($5::integer[]) limit 1
),
-- Signals come first, in the order of their feeds. Goods that were presented before keep what they arrived with.
added as materialized (
  select *, row_number() over (order by decided desc, owner, house) - 1 as number
  from due where not exists (select from held)
),
appended as materialized (
  select part, a.*
  from (
    select number / 5000 as part, array_agg(new_signal(owner,
      case when is_first and is_lodged then h.signal_head || coalesce(t.arrival_signal, '')
        else arrived_signal_head(h.signal_head, house) end,
      routing, routing_control_location, (select text from recording)) order by number) as entries
    from added cross join transport t join house_consignment h on h.ctid = added.stored_at
    where decided
    group by number / 5000
  ) parts
  cross join lateral append_to_feeds(entries, 3, null) a
),
new_recipient as (
  insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position,
    first_presented_at, office, awaits_decision, transport, master)
  -- On behalf of whoever has lodged the transport.
  select house, owner, t.submitter, t.request_id, positions[number % 5000 + 1],
    -- The first presentation connects the declarant, and no other one does.
    case when is_declarant then (select at from recording) end,
    case when is_declarant then t.office end,
    case when is_declarant and not decided then true end,
    case when is_declarant then t.id end,
    case when is_declarant then added.master end
  from added cross join transport t left join appended on decided and part = number / 5000
),
presented as materialized (
  select coalesce(max(rank), 0)::integer as houses, count(*) filter (where decided)::integer as signals from added
),
recorded as (
  select set_config('landfall.record', '{"at":"' || (select text from recording)
    || '","requestId":"' || request_id || '","action":"consignments.arrived","details":{"mrn":"' || mrn
    || '","office":"' || office || '","houseConsignments":' || houses
    || coalesce(',"appended":[' || (select string_agg(appended, ',' order by part) from appended) || ']', '')
    || '}}', true) as record
  from transport cross join presented where houses > 0
)
select houses, signals, (select party from held) as held, (select record from recorded) is not null as recorded,
  not exists (select from held)
    and (select max(rank) from missing) > (select max(rank) from due) as "hasMore",
  (select string_agg(appended, ',' order by part) from appended) as appended,
  array(select house from added where is_declarant and is_lodged and not decided) as undecided
from presented;

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
    from judged where reused or problem is not null or held is not null) as issues,
  '{}'::uuid[] as undecided;

-- select-arrivals
-- packages/service/src/presentation/reached-queries.ts
select arrival_recorded_at as at, declaration_id as id from movement
where arrival_recorded_at is not null and (arrival_recorded_at, declaration_id) > ($1::timestamptz, $2::integer)
order by arrival_recorded_at, declaration_id limit $3;

-- select-lodged-after
-- packages/service/src/presentation/reached-queries.ts
select lodged.at, lodged.id
from unnest('{TRANSPORT,MASTER_CONSIGNMENT,HOUSE_CONSIGNMENT}'::text[]) levels (level)
cross join lateral (
  select lodged_at as at, declaration_id as id from movement
  where level = levels.level and state is null and (lodged_at, declaration_id) > ($1::timestamptz, $2::integer)
  order by lodged_at, declaration_id limit $3::integer
) lodged
union all
(
  select greatest(replaced_at, completed_at), declaration_id from movement
  where (replaced_at is not null or completed_at is not null)
    and (greatest(replaced_at, completed_at), declaration_id) > ($1::timestamptz, $2::integer)
  order by greatest(replaced_at, completed_at), declaration_id limit $3::integer
)
union all
(
  select related_at, child from movement_relation
  where (related_at, child) > ($1::timestamptz, $2::integer)
  order by related_at, child limit $3::integer
)
order by at, id limit $3::integer;

-- select-reaching-transports
-- packages/service/src/presentation/reached-queries.ts
select distinct m.declaration_id as message, m.level = 'HOUSE_CONSIGNMENT' as "isHouse", t.id as transport
from unnest($4::integer[]) as message (id)
cross join lateral (select declaration_id, level from movement where declaration_id = message.id offset 0) m
cross join lateral (
  select m.declaration_id as id where m.level = 'TRANSPORT'
  union all
  select id from transports_of_master(m.declaration_id, $3::boolean) where m.level = 'MASTER_CONSIGNMENT'
  union all
  select id from transports_of_house(m.declaration_id, $3::boolean) where m.level = 'HOUSE_CONSIGNMENT'
) t
cross join lateral (select arrival_recorded_at from movement where declaration_id = t.id offset 0) a
where (select true from movement where arrival_recorded_at > coalesce($1::timestamptz, statement_timestamp())
    - make_interval(hours => $2::integer) limit 1)
  and a.arrival_recorded_at > coalesce($1::timestamptz, statement_timestamp())
    - make_interval(hours => $2::integer);

-- select-validation-status
-- packages/service/src/presentation/status-queries.ts
select entry, position from validation_status where owner = $1 and id = $2;
