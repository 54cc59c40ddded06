-- The SQL of packages/service/src/movements/. Generated: change the sources, then npm run generate.

-- append-movement-statuses
-- packages/service/src/movements/lodging-queries.ts
select appended from append_to_feeds(array(
  select new_movement_status(owner, id, failed, entry)
  from unnest($1::integer[], $2::uuid[], $3::boolean[], $4::text[]) with ordinality as s (owner, id, failed, entry, number)
  order by number
), 3, $5::text);

-- begin-recording-movements
-- packages/service/src/movements/lodging-queries.ts
select record_time($1::timestamptz) as at, array(
  select (r.number - 1)::integer
  from unnest($2::integer[], $3::uuid[]) with ordinality as r (owner, id, number)
  where (select true from movement_status s where s.owner = r.owner and s.id = r.id limit 1)
) as used;

-- claim-movement-keys
-- packages/service/src/movements/lodging-queries.ts
with key_timeout as materialized (
  select current_setting('lock_timeout') as before, set_config('lock_timeout', '100', true)
),
claimed as (
insert into movement (declaration_id, level, mode, submitter, representative, key, request_id, lodged_at,
  document_number, document_type, house_key, carrier, means, conveyance, estimated_at, scheduled_at, office, weight,
  import_procedure, outgoing_procedure, consignor_country, listed, reasons)
select nextval(pg_get_serial_sequence('declaration', 'id')), level, mode, submitter, representative, key, request_id,
  $1::timestamptz, document_number, document_type,
  case when level = 'HOUSE_CONSIGNMENT' then identifier_key(document_number) end, carrier, means, conveyance,
  estimated_at, scheduled_at, office, weight, import_procedure, outgoing_procedure, consignor_country, listed,
  string_to_array(reasons, ' ')
from (
  select level, mode, submitter, representative, key, request_id, document_number, document_type, carrier, means,
    conveyance, estimated_at, scheduled_at, office, weight, import_procedure, outgoing_procedure, consignor_country,
    listed, reasons
  from unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::uuid[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::text[], $16::numeric[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[]) with ordinality as m (level, mode, submitter, representative, key, request_id, document_number, document_type, carrier, means, conveyance, estimated_at, scheduled_at, office, weight, import_procedure, outgoing_procedure, consignor_country, listed, reasons, number)
  order by key
) in_order
cross join key_timeout
on conflict (key) where state is null do nothing
returning declaration_id as id, key
)
select coalesce(json_agg(claimed) filter (where claimed.id is not null), '[]') as claimed, set_config('lock_timeout', min(key_timeout.before), true)
from key_timeout left join claimed on true;

-- delete-awaited-documents
-- packages/service/src/movements/waiting-queries.ts
delete from awaited_document where declaration_id = $1;

-- delete-found-documents
-- packages/service/src/movements/waiting-queries.ts
delete from awaited_document a
using unnest($1::text[], $2::text[]) with ordinality as sent (kind, reference, number)
where a.kind = sent.kind and a.reference = sent.reference and a.declaration_id = any ($3::integer[])
returning a.declaration_id as id, a.kind;

-- delete-movement-references
-- packages/service/src/movements/changing-queries.ts
delete from movement_reference where declaration_id = $1;

-- end-movement
-- packages/service/src/movements/changing-queries.ts
with awaited as (
  delete from awaited_document where declaration_id = $1
)
update movement set state = $2, request_id = $3, ended_at = $4 where declaration_id = $1;

-- end-relation
-- packages/service/src/movements/relation-queries.ts
update movement_relation set cancelled_at = $2 where mrn = $1;

-- find-movements-by-document
-- packages/service/src/movements/queries.ts
with candidate as materialized (
  select declaration_id from (
    (select declaration_id from movement
      where (document_number, declaration_id) < ($7::text, $2::integer) and document_number >= $7::text
      order by document_number desc, declaration_id desc limit $3::bigint)
  ) walked
  order by declaration_id desc limit $3::bigint
),
page as materialized (
  select m.* from candidate
  cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
  where $1::integer in (m.submitter, m.representative) and m.mode = $5::text and m.level = $6::text
    and ($7::text is null or m.document_number = $7::text)
    and ($8::text is null or m.document_type = $8::text)
    and ($9::text is null or m.carrier = $9::text)
    and ($10::text is null or m.means = $10::text)
    and ($11::text is null or coalesce(m.state, 'CURRENT') = $11::text)
  order by candidate.declaration_id desc limit $4::bigint
),
described as materialized (
  select m.declaration_id as id, mrn, left(json_strip_nulls(json_build_object('mrn', mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end))::text, -1)
    || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
  from page m
  cross join lateral (select mrn from declaration where id = m.declaration_id limit 1) d
)
select array(select entry from described order by id desc) as found,
  (select count(*)::integer from candidate) as examined,
  (select mrn from described order by id limit 1) as "lastFound",
  (
    select json_build_object('id', declaration_id,
      'mrn', (select mrn from declaration where id = declaration_id limit 1))
    from (select declaration_id from candidate order by declaration_id limit 1) last
  ) as "lastExamined";

-- find-movements-by-means
-- packages/service/src/movements/queries.ts
with candidate as materialized (
  select declaration_id from (
    (select declaration_id from movement
      where (means, declaration_id) < ($10::text, $2::integer) and means >= $10::text
      order by means desc, declaration_id desc limit $3::bigint)
  ) walked
  order by declaration_id desc limit $3::bigint
),
page as materialized (
  select m.* from candidate
  cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
  where $1::integer in (m.submitter, m.representative) and m.mode = $5::text and m.level = $6::text
    and ($7::text is null or m.document_number = $7::text)
    and ($8::text is null or m.document_type = $8::text)
    and ($9::text is null or m.carrier = $9::text)
    and ($10::text is null or m.means = $10::text)
    and ($11::text is null or coalesce(m.state, 'CURRENT') = $11::text)
  order by candidate.declaration_id desc limit $4::bigint
),
described as materialized (
  select m.declaration_id as id, mrn, left(json_strip_nulls(json_build_object('mrn', mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end))::text, -1)
    || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
  from page m
  cross join lateral (select mrn from declaration where id = m.declaration_id limit 1) d
)
select array(select entry from described order by id desc) as found,
  (select count(*)::integer from candidate) as examined,
  (select mrn from described order by id limit 1) as "lastFound",
  (
    select json_build_object('id', declaration_id,
      'mrn', (select mrn from declaration where id = declaration_id limit 1))
    from (select declaration_id from candidate order by declaration_id limit 1) last
  ) as "lastExamined";

-- find-movements-by-party
-- packages/service/src/movements/queries.ts
with candidate as materialized (
  select declaration_id from (
    (select declaration_id from movement
      where (submitter, declaration_id) < ($1::integer, $2::integer) and submitter >= $1::integer
      order by submitter desc, declaration_id desc limit $3::bigint)
    union
    (select declaration_id from movement
      where (representative, declaration_id) < ($1::integer, $2::integer) and representative >= $1::integer
      order by representative desc, declaration_id desc limit $3::bigint)
  ) walked
  order by declaration_id desc limit $3::bigint
),
page as materialized (
  select m.* from candidate
  cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
  where $1::integer in (m.submitter, m.representative) and m.mode = $5::text and m.level = $6::text
    and ($7::text is null or m.document_number = $7::text)
    and ($8::text is null or m.document_type = $8::text)
    and ($9::text is null or m.carrier = $9::text)
    and ($10::text is null or m.means = $10::text)
    and ($11::text is null or coalesce(m.state, 'CURRENT') = $11::text)
  order by candidate.declaration_id desc limit $4::bigint
),
described as materialized (
  select m.declaration_id as id, mrn, left(json_strip_nulls(json_build_object('mrn', mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end))::text, -1)
    || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
  from page m
  cross join lateral (select mrn from declaration where id = m.declaration_id limit 1) d
)
select array(select entry from described order by id desc) as found,
  (select count(*)::integer from candidate) as examined,
  (select mrn from described order by id limit 1) as "lastFound",
  (
    select json_build_object('id', declaration_id,
      'mrn', (select mrn from declaration where id = declaration_id limit 1))
    from (select declaration_id from candidate order by declaration_id limit 1) last
  ) as "lastExamined";

-- find-seen-transports-by-conveyance
-- packages/service/src/movements/arrival-queries.ts
select e.mrn, seen.distance
from (
  select m.declaration_id,
    case when m.arrived_at is null then abs(extract(epoch from m.estimated_at - $1::timestamptz))::float8 else -1 end as distance
  from movement m
  where m.conveyance = $3::text and m.mode = $4::text
    and m.level = 'TRANSPORT' and m.state is null
    and case when m.arrived_at is null then m.estimated_at between $1::timestamptz - make_interval(hours => $2::integer) and $1::timestamptz + make_interval(hours => $2::integer)
      else m.arrived_at = $1::timestamptz and m.arrival_office = $5::text end
  order by distance, m.declaration_id limit 2
) seen
cross join lateral (select mrn from declaration where id = seen.declaration_id offset 0) e
order by seen.distance, seen.declaration_id;

-- find-seen-transports-by-means
-- packages/service/src/movements/arrival-queries.ts
select e.mrn, seen.distance
from (
  select m.declaration_id,
    case when m.arrived_at is null then abs(extract(epoch from m.estimated_at - $1::timestamptz))::float8 else -1 end as distance
  from movement m
  where m.means = $3::text and m.mode = $4::text
    and m.level = 'TRANSPORT' and m.state is null
    and case when m.arrived_at is null then m.estimated_at between $1::timestamptz - make_interval(hours => $2::integer) and $1::timestamptz + make_interval(hours => $2::integer)
      else m.arrived_at = $1::timestamptz and m.arrival_office = $5::text end
  order by distance, m.declaration_id limit 2
) seen
cross join lateral (select mrn from declaration where id = seen.declaration_id offset 0) e
order by seen.distance, seen.declaration_id;

-- find-seen-transports-by-means-and-conveyance
-- packages/service/src/movements/arrival-queries.ts
select e.mrn, seen.distance
from (
  select m.declaration_id,
    case when m.arrived_at is null then abs(extract(epoch from m.estimated_at - $1::timestamptz))::float8 else -1 end as distance
  from movement m
  where m.means = $3::text and m.conveyance = $4::text and m.mode = $5::text
    and m.level = 'TRANSPORT' and m.state is null
    and case when m.arrived_at is null then m.estimated_at between $1::timestamptz - make_interval(hours => $2::integer) and $1::timestamptz + make_interval(hours => $2::integer)
      else m.arrived_at = $1::timestamptz and m.arrival_office = $6::text end
  order by distance, m.declaration_id limit 2
) seen
cross join lateral (select mrn from declaration where id = seen.declaration_id offset 0) e
order by seen.distance, seen.declaration_id;

-- find-transports-by-means
-- packages/service/src/movements/authority-queries.ts
with candidate as materialized (
  select declaration_id, estimated_at from movement
  where level = 'TRANSPORT' and (means, estimated_at, declaration_id) > ($6::text, greatest($1::timestamptz, $10::timestamptz), case when $1::timestamptz < $10::timestamptz then 0 else $2::integer end)
    and (means, estimated_at) < ($6::text, $11::timestamptz)
  order by means, estimated_at, declaration_id limit $3::bigint
),
page as materialized (
  select m.* from candidate
  cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
  where ($5::text is null or m.mode = $5::text)
    and ($6::text is null or m.means = $6::text)
    and ($7::text is null or coalesce(m.arrival_office, m.office) = $7::text)
    and ($8::text is null or coalesce(m.state, 'CURRENT') = $8::text)
    and ($9::boolean is null or (m.arrived_at is not null) = $9::boolean)
  order by candidate.estimated_at, candidate.declaration_id limit $4::bigint
),
described as materialized (
  select m.estimated_at, m.declaration_id, d.mrn, left(json_strip_nulls(json_build_object('mrn', d.mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end,
    'estimatedDateAndTimeOfArrival', api_time(m.estimated_at), 'customsOfficeOfFirstEntry', m.office,
    'submitter', (select identifier from organisation where id = m.submitter), 'representative', (select identifier from organisation where id = m.representative),
    'carrier', (select identifier from organisation where id = d.carrier)))::text, -1) || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
  from page m
  cross join lateral (select mrn, carrier from declaration where id = m.declaration_id limit 1) d
),
last as (
  select case when (select count(*) from described) = $4::bigint then (
    select to_char(estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || mrn from described order by estimated_at desc, declaration_id desc limit 1
  ) else (
    select to_char(estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || (select mrn from declaration where id = declaration_id limit 1)
    from candidate order by estimated_at desc, declaration_id desc limit 1
  ) end as marker
)
select array(select entry from described order by estimated_at, declaration_id) as found,
  (select count(*)::integer from candidate) as examined, marker as last
from last;

-- find-transports-by-office
-- packages/service/src/movements/authority-queries.ts
with candidate as materialized (
  select declaration_id, estimated_at from movement
  where level = 'TRANSPORT' and (coalesce(arrival_office, office), estimated_at, declaration_id) > ($7::text, greatest($1::timestamptz, $10::timestamptz), case when $1::timestamptz < $10::timestamptz then 0 else $2::integer end)
    and (coalesce(arrival_office, office), estimated_at) < ($7::text, $11::timestamptz)
  order by coalesce(arrival_office, office), estimated_at, declaration_id limit $3::bigint
),
page as materialized (
  select m.* from candidate
  cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
  where ($5::text is null or m.mode = $5::text)
    and ($6::text is null or m.means = $6::text)
    and ($7::text is null or coalesce(m.arrival_office, m.office) = $7::text)
    and ($8::text is null or coalesce(m.state, 'CURRENT') = $8::text)
    and ($9::boolean is null or (m.arrived_at is not null) = $9::boolean)
  order by candidate.estimated_at, candidate.declaration_id limit $4::bigint
),
described as materialized (
  select m.estimated_at, m.declaration_id, d.mrn, left(json_strip_nulls(json_build_object('mrn', d.mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end,
    'estimatedDateAndTimeOfArrival', api_time(m.estimated_at), 'customsOfficeOfFirstEntry', m.office,
    'submitter', (select identifier from organisation where id = m.submitter), 'representative', (select identifier from organisation where id = m.representative),
    'carrier', (select identifier from organisation where id = d.carrier)))::text, -1) || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
  from page m
  cross join lateral (select mrn, carrier from declaration where id = m.declaration_id limit 1) d
),
last as (
  select case when (select count(*) from described) = $4::bigint then (
    select to_char(estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || mrn from described order by estimated_at desc, declaration_id desc limit 1
  ) else (
    select to_char(estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || (select mrn from declaration where id = declaration_id limit 1)
    from candidate order by estimated_at desc, declaration_id desc limit 1
  ) end as marker
)
select array(select entry from described order by estimated_at, declaration_id) as found,
  (select count(*)::integer from candidate) as examined, marker as last
from last;

-- find-transports-by-time
-- packages/service/src/movements/authority-queries.ts
with candidate as materialized (
  select declaration_id, estimated_at from movement
  where level = 'TRANSPORT' and (estimated_at, declaration_id) > (greatest($1::timestamptz, $10::timestamptz), case when $1::timestamptz < $10::timestamptz then 0 else $2::integer end)
    and (estimated_at) < ($11::timestamptz)
  order by estimated_at, declaration_id limit $3::bigint
),
page as materialized (
  select m.* from candidate
  cross join lateral (select * from movement where declaration_id = candidate.declaration_id limit 1) m
  where ($5::text is null or m.mode = $5::text)
    and ($6::text is null or m.means = $6::text)
    and ($7::text is null or coalesce(m.arrival_office, m.office) = $7::text)
    and ($8::text is null or coalesce(m.state, 'CURRENT') = $8::text)
    and ($9::boolean is null or (m.arrived_at is not null) = $9::boolean)
  order by candidate.estimated_at, candidate.declaration_id limit $4::bigint
),
described as materialized (
  select m.estimated_at, m.declaration_id, d.mrn, left(json_strip_nulls(json_build_object('mrn', d.mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end,
    'estimatedDateAndTimeOfArrival', api_time(m.estimated_at), 'customsOfficeOfFirstEntry', m.office,
    'submitter', (select identifier from organisation where id = m.submitter), 'representative', (select identifier from organisation where id = m.representative),
    'carrier', (select identifier from organisation where id = d.carrier)))::text, -1) || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
  from page m
  cross join lateral (select mrn, carrier from declaration where id = m.declaration_id limit 1) d
),
last as (
  select case when (select count(*) from described) = $4::bigint then (
    select to_char(estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || mrn from described order by estimated_at desc, declaration_id desc limit 1
  ) else (
    select to_char(estimated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || (select mrn from declaration where id = declaration_id limit 1)
    from candidate order by estimated_at desc, declaration_id desc limit 1
  ) end as marker
)
select array(select entry from described order by estimated_at, declaration_id) as found,
  (select count(*)::integer from candidate) as examined, marker as last
from last;

-- insert-awaited-documents
-- packages/service/src/movements/waiting-queries.ts
insert into awaited_document (declaration_id, kind, reference)
select id, kind, reference
from unnest($1::integer[], $2::text[], $3::text[]) with ordinality as a (id, kind, reference, number);

-- insert-lodged-declarations
-- packages/service/src/movements/lodging-queries.ts
with lodged as materialized (
  select l.*, nextval(pg_get_serial_sequence('registration', 'id')) as registration
  from unnest($1::integer[], $2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[], $7::text[], $8::integer[], $9::text[], $10::uuid[]) with ordinality as l (id, mrn, kind, submitter, representative, carrier, body, organisation, client, request_id, number)
),
registered as (
  insert into registration (id, at, organisation_id, client_id, request_id) overriding system value
  select registration, $11::timestamptz, organisation, client, request_id from lodged
),
declared as (
  insert into declaration (id, mrn, kind, declarant, representative, carrier, version) overriding system value
  select id, mrn, kind, submitter, representative, carrier, registration from lodged
  where (select true from movement_relation r where r.mrn = lodged.mrn) is null
  on conflict (mrn) do nothing
  returning id
),
text as (
  insert into movement_text (declaration_id, body) select id, body from lodged
)
select id, registration from lodged join declared using (id);

-- insert-movement-references
-- packages/service/src/movements/lodging-queries.ts
insert into movement_reference (declaration_id, kind, number, reference, reference_type)
select id, kind, at, reference, type
from unnest($1::integer[], $2::text[], $3::integer[], $4::text[], $5::text[]) with ordinality as r (id, kind, at, reference, type, number);

-- insert-relation
-- packages/service/src/movements/relation-queries.ts
insert into movement_relation (mrn, parent, child, maker, request_id, related_at)
select $1::text, $2::integer, $3::integer,
  $4::integer, $5::uuid, $6::timestamptz
where not exists (select from declaration where mrn = $1::text)
on conflict do nothing
returning mrn;

-- record-arrival
-- packages/service/src/movements/arrival-queries.ts
update movement
set arrived_at = $2, arrival_office = $3, arrival_recorded_at = coalesce(arrival_recorded_at, $4),
  arrival_request_id = coalesce(arrival_request_id, $5), arrival_signal = coalesce(arrival_signal, $6)
where declaration_id = $1;

-- remove-reasons-of-movements
-- packages/service/src/movements/waiting-queries.ts
with verified as materialized (
  select distinct f.id, r.reason
  from unnest($2::integer[], $3::text[]) with ordinality as f (id, kind, number)
  join unnest($4::text[], $5::text[]) with ordinality as r (kind, reason, number) on r.kind = f.kind
  where (select true from awaited_document a where a.declaration_id = f.id and a.kind = f.kind limit 1) is null
),
remaining as materialized (
  select m.declaration_id as id, array(
    select reason from unnest(m.reasons) with ordinality as left_over (reason, number)
    where reason not in (select v.reason from verified v where v.id = m.declaration_id)
    order by number
  ) as reasons
  from movement m where m.declaration_id in (select id from verified)
),
changed as (
  update movement m set reasons = remaining.reasons,
    completed_at = case when remaining.reasons = '{}' then $1::timestamptz else completed_at end
  from remaining where m.declaration_id = remaining.id
  returning m.declaration_id as id, m.mode, m.reasons
)
select d.mrn, changed.mode, h.id as house, changed.reasons = '{}' as "isComplete", h.routing,
  (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
from changed
join declaration d on d.id = changed.id
join house_consignment h on h.ens_id = changed.id
order by d.mrn;

-- select-any-movement
-- packages/service/src/movements/authority-queries.ts
with asked as materialized (
  select m.*, e.mrn, e.carrier as carrier_organisation
  from (select id, mrn, carrier from declaration where mrn = $1::text) e
  cross join lateral (select * from movement where declaration_id = e.id limit 1) m
),
above as materialized (
  select coalesce(json_agg(entry::json order by number) filter (where number <= $3::bigint), '[]')::text as list,
    count(*) > $3::bigint or coalesce(sum(times), 0) >= 2 * ($3::bigint + 1) as has_more
  from (
    select row_number() over (order by m.declaration_id) as number, each.times, left(json_strip_nulls(json_build_object('mrn', d.mrn, 'relation', (select mrn from movement_relation where parent = each.id and child = (select declaration_id from asked) and cancelled_at is null limit 1), 'level', m.level,
        'state', coalesce(m.state, 'CURRENT')))::text, -1) || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
    from (select id, count(*) as times from (
    (select id from asked cross join lateral masters_of_house(asked.declaration_id, $2::boolean) reached
      where asked.level = 'HOUSE_CONSIGNMENT' limit 2 * ($3::bigint + 1))
    union all
    (select id from asked cross join lateral transports_of_house(asked.declaration_id, $2::boolean) reached
      where asked.level = 'HOUSE_CONSIGNMENT' limit 2 * ($3::bigint + 1))
    union all
    (select id from asked cross join lateral transports_of_master(asked.declaration_id, $2::boolean) reached
      where asked.level = 'MASTER_CONSIGNMENT' limit 2 * ($3::bigint + 1))
    ) found group by id) each
    cross join lateral (select * from movement where declaration_id = each.id limit 1) m
    cross join lateral (select mrn from declaration where id = each.id limit 1) d
  ) named
),
below as materialized (
  select coalesce(json_agg(entry::json order by number) filter (where number <= $3::bigint), '[]')::text as list,
    count(*) > $3::bigint or coalesce(sum(times), 0) >= 2 * ($3::bigint + 1) as has_more
  from (
    select row_number() over (order by m.declaration_id) as number, each.times, left(json_strip_nulls(json_build_object('mrn', d.mrn, 'relation', (select mrn from movement_relation where parent = (select declaration_id from asked) and child = each.id and cancelled_at is null limit 1), 'level', m.level,
        'state', coalesce(m.state, 'CURRENT')))::text, -1) || case when m.listed = '{}' then '}' else ',' || substr(m.listed, 2) end as entry
    from (select id, count(*) as times from (
    (select id from asked cross join lateral masters_of_transport(asked.declaration_id, $2::boolean) reached
      where asked.level = 'TRANSPORT' limit 2 * ($3::bigint + 1))
    union all
    (select id from asked cross join lateral direct_houses_of_transport(asked.declaration_id, $2::boolean) reached
      where asked.level = 'TRANSPORT' limit 2 * ($3::bigint + 1))
    union all
    (select id from asked cross join lateral houses_of_master(asked.declaration_id, $2::boolean) reached
      where asked.level = 'MASTER_CONSIGNMENT' limit 2 * ($3::bigint + 1))
    ) found group by id) each
    cross join lateral (select * from movement where declaration_id = each.id limit 1) m
    cross join lateral (select mrn from declaration where id = each.id limit 1) d
  ) named
)
select m.level, encode(sha256(convert_to(t.body, 'UTF8')), 'hex') as digest,
  left(json_strip_nulls(json_build_object('mrn', m.mrn, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end,
    'incompleteDocumentationReasonList', case when m.reasons <> '{}' then to_json(m.reasons) end,
    'submitter', (select identifier from organisation where id = m.submitter), 'representative', (select identifier from organisation where id = m.representative),
    'carrier', (select identifier from organisation where id = m.carrier_organisation),
    'houseConsignmentId', (select h.id from house_consignment h where h.ens_id = m.declaration_id limit 1)))::text, -1) || ',"above":' || above.list || ',"below":' || below.list || ',"moreAbove":' || above.has_more::text
    || ',"moreBelow":' || below.has_more::text || coalesce(',"message":' || t.body, '') || '}' as body
from asked m
cross join above cross join below
left join lateral (select body from movement_text where declaration_id = m.declaration_id limit 1) t on true;

-- select-entry-status
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative, d.carrier) and mode = $2::text and level = 'TRANSPORT'
    limit 1
  ) m
),
house as materialized (
  select h.id, h.routing, coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' as is_undecided,
    h.routing_control_location as location, m.reasons <> '{}' as is_incomplete,
    m.document_number, m.document_type
  from (
    select distinct reached.id
    from asked cross join lateral houses_of_transport(asked.id, $4::boolean) reached
  ) reached
  cross join lateral (select * from movement where declaration_id = reached.id offset 0) m
  cross join lateral (select * from house_consignment where ens_id = reached.id offset 0) h
),
counted as materialized (
  select count(*) as houses, count(*) filter (where is_undecided) as undecided,
    count(*) filter (where is_undecided and is_incomplete) as incomplete,
    count(*) filter (where is_incomplete) as lacking,
    count(*) filter (where routing = 'ENTRY_DENIED') as denied,
    count(*) filter (where routing = 'TO_CONTROL' and location is distinct from 'AFTER_ENTRY') as controlled
  from house
),
missing as materialized (
  select document_number, document_type, min(number) as number
  from (
    select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
    from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'MASTER_CONSIGNMENT'
    union all
    select master.document_number, master.document_type, null, true
    from asked cross join lateral masters_of_transport(asked.id, $4::boolean) reached
    cross join lateral (select * from movement where declaration_id = reached.id offset 0) master
  ) named
  group by document_number, document_type having not bool_or(is_lodged)
  union all
  select document_number, document_type, min(number) as number
  from (
    select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
    from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'HOUSE_CONSIGNMENT'
    union all
    select document_number, document_type, null, true from house
  ) named
  group by document_number, document_type having not bool_or(is_lodged)
),
judged as materialized (
  select asked.arrived_at, asked.arrival_office,
    array_remove(array[case when asked.arrived_at is null then 'NOT_ARRIVED' end, case when counted.houses = 0 then 'NOTHING_LODGED' end, case when exists (select from missing) then 'DOCUMENT_NOT_LODGED' end, case when case when asked.arrived_at is null then counted.lacking else counted.incomplete end > 0 then 'INCOMPLETE' end, case when asked.arrived_at is not null and counted.undecided > 0 then 'UNDECIDED' end, case when asked.arrived_at is not null and counted.denied > 0 then 'ENTRY_DENIED' end, case when asked.arrived_at is not null and counted.controlled > 0 then 'TO_CONTROL' end], null) as reasons
  from asked cross join counted
)
select json_strip_nulls(json_build_object(
    'validEntry', reasons = '{}',
    'customsOfficeOfEntry', arrival_office,
    'timeOfEntry', case when reasons = '{}' then api_time(greatest(arrived_at, (
      select max(decision.decided_at)
      from house
      cross join lateral (
        select decided_at from routing_decision d
        where d.house_consignment_id = house.id and d.takes_effect
        order by d.number desc limit 1
      ) decision))) end,
    'mrn', $5::text,
    'reasons', case when reasons <> '{}' then to_json(reasons) end))::text as body,
  reasons = '{}' as "validEntry", reasons
from judged;

-- select-existing-movement
-- packages/service/src/movements/changing-queries.ts
select m.declaration_id as id, m.level, m.mode, m.submitter, m.representative, e.carrier,
  array_remove(array[m.submitter, m.representative], null) as organisations, m.key, m.state, t.body, m.reasons,
  m.arrived_at as "arrivedAt", m.arrival_office as "arrivalOffice", m.means, m.estimated_at as "estimatedAt",
  m.scheduled_at as "scheduledAt", h.id as house, h.routing,
  (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null as presented
from declaration e
join movement m on m.declaration_id = e.id
left join movement_text t on t.declaration_id = e.id
left join house_consignment h on h.ens_id = e.id
where e.mrn = $1;

-- select-house-document-by-document
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select declaration_id as id, m.* from movement m
  where document_number = $3::text
    and document_type = $4::text and carrier = $5::text
    and $1::integer in (submitter, representative) and mode = $2::text and level = 'HOUSE_CONSIGNMENT'
  order by state is null desc, lodged_at desc, declaration_id desc
  limit 1
) select '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end as body from asked h;

-- select-house-document-by-mrn
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative) and mode = $2::text and level = 'HOUSE_CONSIGNMENT'
    limit 1
  ) m
) select '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end as body from asked h;

-- select-house-documents-of-master-by-document
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select declaration_id as id, m.* from movement m
  where document_number = $3::text
    and document_type = $4::text and carrier = $5::text
    and $1::integer in (submitter, representative) and mode = $2::text and level = 'MASTER_CONSIGNMENT'
  order by state is null desc, lodged_at desc, declaration_id desc
  limit 1
),
master as materialized (
  select 1 as number, m.id, m.document_number, m.document_type, m.weight, '{"documentNumber":' || to_json(m.document_number) || ',"type":' || to_json(m.document_type) || coalesce(',"weight":' || trim_scale(m.weight), '') as head,
    (select true from movement_relation where parent = m.id and cancelled_at is null limit 1) is not null as has_relations
  from asked m
),
reached as materialized (
  select master.number, master.id, master.head, master.has_relations, under.id as house
  from master left join lateral houses_of_master(master.id, $6::boolean) under on true
  limit 100001
),
under_master as materialized (
  select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
    h.document_number as house_number, h.document_type as house_type, '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end as entry
  from (select distinct on (id, house) * from reached limit 50001) r
  left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
)
select case when (select count(house) from under_master) <= 50000 then (select '[' || coalesce(string_agg(entry, ',' order by lodged_at, house), '') || ']' from under_master where house is not null) end as body from asked;

-- select-house-documents-of-master-by-mrn
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative) and mode = $2::text and level = 'MASTER_CONSIGNMENT'
    limit 1
  ) m
),
master as materialized (
  select 1 as number, m.id, m.document_number, m.document_type, m.weight, '{"documentNumber":' || to_json(m.document_number) || ',"type":' || to_json(m.document_type) || coalesce(',"weight":' || trim_scale(m.weight), '') as head,
    (select true from movement_relation where parent = m.id and cancelled_at is null limit 1) is not null as has_relations
  from asked m
),
reached as materialized (
  select master.number, master.id, master.head, master.has_relations, under.id as house
  from master left join lateral houses_of_master(master.id, $4::boolean) under on true
  limit 100001
),
under_master as materialized (
  select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
    h.document_number as house_number, h.document_type as house_type, '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end as entry
  from (select distinct on (id, house) * from reached limit 50001) r
  left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
)
select case when (select count(house) from under_master) <= 50000 then (select '[' || coalesce(string_agg(entry, ',' order by lodged_at, house), '') || ']' from under_master where house is not null) end as body from asked;

-- select-house-documents-of-receptacle
-- packages/service/src/movements/descendant-queries.ts
with found as materialized (
  select m.*
  from house_consignment h
  cross join lateral (select * from movement where declaration_id = h.ens_id offset 0) m
  where h.receptacle_id = $1 and $2::integer in (m.submitter, m.representative) and m.mode = $3 and m.state is null
  limit 50001
)
select case when count(*) <= 50000
  then '[' || coalesce(string_agg('{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end, ',' order by h.lodged_at, h.declaration_id), '') || ']' end as body
from found h;

-- select-house-documents-of-transport
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative) and mode = $2::text and level = 'TRANSPORT'
    limit 1
  ) m
),
master as materialized (
  select found.number, m.declaration_id as id, m.document_number, m.document_type, m.weight, '{"documentNumber":' || to_json(m.document_number) || ',"type":' || to_json(m.document_type) as head,
    (select true from movement_relation where parent = m.declaration_id and cancelled_at is null limit 1) is not null as has_relations
  from (
    select reached.id, min(reached.number) as number
    from asked cross join lateral masters_of_transport(asked.id, $4::boolean) reached
    group by reached.id
  ) found
  cross join lateral (select * from movement where declaration_id = found.id offset 0) m
),

reached as materialized (
  select master.number, master.id, master.head, master.has_relations, under.id as house
  from master left join lateral houses_of_master(master.id, $4::boolean) under on true
  limit 100001
),
under_master as materialized (
  select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
    h.document_number as house_number, h.document_type as house_type, '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end as entry
  from (select distinct on (id, house) * from reached limit 50001) r
  left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
),
direct as materialized (
  select found.id, found.number, h.weight, h.reasons = '{}' as is_complete, h.document_number, h.document_type,
    '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || ',"received":true,"documentStatus":'
    || case when h.reasons = '{}' then '"SUCCESS"}'
      else '"INCOMPLETE","incompleteDocumentationReasonList":' || array_to_json(h.reasons) || '}' end as entry
  from (
    select reached.id, min(reached.number) as number
    from asked cross join lateral direct_houses_of_transport(asked.id, $4::boolean) reached
    group by reached.id
  ) found
  cross join lateral (select * from movement where declaration_id = found.id offset 0) h
),
missing_house as materialized (
  select document_number, document_type, min(number) as number
  from (
    select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
    from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'HOUSE_CONSIGNMENT'
    union all
    select document_number, document_type, null, true from direct
    union all
    select house_number, house_type, null, true from under_master where house is not null and exists (
      select from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'HOUSE_CONSIGNMENT')
  ) named
  group by document_number, document_type having not bool_or(is_lodged)
),
listed (is_direct, number, lodged_at, id, entry) as (
  select false, min(number), lodged_at, house, entry from under_master where house is not null
  group by lodged_at, house, entry
  union all
  select true, number, null, id, entry from direct
  union all
  select true, number, null, null, '{"documentNumber":' || to_json(document_number) || ',"type":' || to_json(document_type) || ',"received":false,"documentStatus":"INCOMPLETE"}' from missing_house
)
select case when (select count(house) from under_master) + (select count(*) from direct) <= 50000 then (select '[' || coalesce(string_agg(entry, ',' order by is_direct, number, lodged_at, id), '') || ']' from listed) end as body from asked;

-- select-lodged-movement
-- packages/service/src/movements/changing-queries.ts
select o.id, o.identifier, t.body
from declaration e
join movement m on m.declaration_id = e.id
join organisation o on o.id = m.submitter
left join movement_text t on t.declaration_id = e.id
where e.mrn = $1 and $2::integer in (m.submitter, m.representative) and m.mode = $3 and m.level = $4;

-- select-marked-movement
-- packages/service/src/movements/queries.ts
select m.declaration_id as id
from (select id from declaration where mrn = $2) d
cross join lateral (
  select declaration_id from movement where declaration_id = d.id and $1::integer in (submitter, representative) limit 1
) m;

-- select-marked-transport
-- packages/service/src/movements/authority-queries.ts
select m.declaration_id as id
from (select id from declaration where mrn = $1) d
cross join lateral (select * from movement where declaration_id = d.id and level = 'TRANSPORT' limit 1) m;

-- select-master-descendants
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative) and mode = $2::text and level = 'MASTER_CONSIGNMENT'
    limit 1
  ) m
),
master as materialized (
  select 1 as number, m.id, m.document_number, m.document_type, m.weight, '{"documentNumber":' || to_json(m.document_number) || ',"type":' || to_json(m.document_type) || coalesce(',"weight":' || trim_scale(m.weight), '') as head,
    (select true from movement_relation where parent = m.id and cancelled_at is null limit 1) is not null as has_relations
  from asked m
),

reached as materialized (
  select master.number, master.id, master.head, master.has_relations, under.id as house
  from master left join lateral houses_of_master(master.id, $4::boolean) under on true
  limit 100001
),
under_master as materialized (
  select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
    h.document_number as house_number, h.document_type as house_type, '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || case when r.has_relations then coalesce(',"relation":"' || (select mrn from movement_relation where parent = r.id and child = r.house and cancelled_at is null limit 1) || '"', '') else '' end
    || coalesce(',"weight":' || trim_scale(h.weight), '') || ',"status":' || case when h.reasons = '{}' then '"SUCCESS"' else '"INCOMPLETE"' end || '}' as entry
  from (select distinct on (id, house) * from reached limit 50001) r
  left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
),
in_tree as materialized (
  select number, id, min(head collate "C") || ',"received":true,"sumOfWeightForHouseConsignments":' || trim_scale(coalesce(sum(house_weight), 0))
    || ',"houseConsignments":' || '[' || coalesce(string_agg(entry, ',' order by lodged_at, house), '') || ']' || '}' as entry
  from under_master
  group by number, id
)
select case when (select count(house) from under_master) <= 50000 then (select entry from in_tree) end as body from asked;

-- select-master-documents
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative) and mode = $2::text and level = 'TRANSPORT'
    limit 1
  ) m
),
master as materialized (
  select found.number, m.declaration_id as id, m.document_number, m.document_type, m.weight, '{"documentNumber":' || to_json(m.document_number) || ',"type":' || to_json(m.document_type) as head,
    (select true from movement_relation where parent = m.declaration_id and cancelled_at is null limit 1) is not null as has_relations
  from (
    select reached.id, min(reached.number) as number
    from asked cross join lateral masters_of_transport(asked.id, $4::boolean) reached
    group by reached.id
  ) found
  cross join lateral (select * from movement where declaration_id = found.id offset 0) m
),
missing_master as materialized (
  select document_number, document_type, min(number) as number
  from (
    select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
    from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'MASTER_CONSIGNMENT'
    union all
    select document_number, document_type, null, true from master
  ) named
  group by document_number, document_type having not bool_or(is_lodged)
),

reached as materialized (
  select master.number, master.id, master.head, master.has_relations, under.id as house
  from master left join lateral houses_of_master(master.id, $4::boolean) under on true
  limit 100001
),
under_master as materialized (
  select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
    h.document_number as house_number, h.document_type as house_type, null as entry
  from (select distinct on (id, house) * from reached limit 50001) r
  left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
),
listed (number, id, entry) as (
  select number, id, min(head collate "C") || ',"received":true,"documentStatus":'
    || case when coalesce(bool_and(is_complete), true) then '"SUCCESS"' else '"INCOMPLETE"' end || '}'
  from under_master
  group by number, id
  union all
  select number, null, '{"documentNumber":' || to_json(document_number) || ',"type":' || to_json(document_type) || ',"received":false,"documentStatus":"INCOMPLETE"}' from missing_master
)
select case when (select count(house) from under_master) <= 50000 then (select '[' || coalesce(string_agg(entry, ',' order by number, id), '') || ']' from listed) end as body from asked;

-- select-movement
-- packages/service/src/movements/queries.ts
select left(json_strip_nulls(json_build_object('mrn', $1::text, 'mode', m.mode,
    'level', m.level, 'state', coalesce(m.state, 'CURRENT'), 'lodgedAt', api_time(m.lodged_at),
    'replacedAt', api_time(m.replaced_at), 'endedAt', api_time(m.ended_at),
    'arrivedAt', api_time(m.arrived_at), 'customsOfficeOfArrival', m.arrival_office,
    'complete', case when m.level = 'HOUSE_CONSIGNMENT' then m.reasons = '{}' end,
    'incompleteDocumentationReasonList', case when m.reasons <> '{}' then to_json(m.reasons) end,
    'relations', (
      select json_agg(json_build_object('mrn', mrn, 'parentObjectType', parent_type, 'childObjectType', child_type,
        'relatedAt', api_time(related_at)) order by related_at desc, mrn)
      from (
        select r.mrn, r.related_at, p.level as parent_type, c.level as child_type
        from (
          select * from movement_relation where parent = m.declaration_id
          union all
          select * from movement_relation where child = m.declaration_id
        ) r
        cross join lateral (select * from movement where declaration_id = r.parent offset 0) p
        cross join lateral (select * from movement where declaration_id = r.child offset 0) c
        where r.cancelled_at is null and were_current_together(p::movement, c::movement)
        order by r.related_at desc, r.mrn limit 100
      ) related
    )))::text, -1) || coalesce(',"message":' || t.body, '') || '}' as body
from (select id from declaration where mrn = $1) d
cross join lateral (
  select * from movement
  where declaration_id = d.id and $2::integer in (submitter, representative) and mode = $3 and level = $4
  limit 1
) m
left join lateral (select body from movement_text where declaration_id = d.id limit 1) t on true;

-- select-movement-of-any-organisation
-- packages/service/src/movements/authority-queries.ts
select m.level, m.mode, o.id, o.identifier
from declaration e
join movement m on m.declaration_id = e.id
join organisation o on o.id = m.submitter
where e.mrn = $1;

-- select-movement-status
-- packages/service/src/movements/queries.ts
select entry, position from movement_status where owner = $1 and id = $2;

-- select-movements-by-key
-- packages/service/src/movements/lodging-queries.ts
select m.key, e.mrn, m.submitter
from movement m join declaration e on e.id = m.declaration_id
where m.key = any ($1::text[]) and m.state is null;

-- select-parties-under-masters
-- packages/service/src/movements/changing-queries.ts
select m.id, array(select party from parties_under_master(m.id) order by party) as organisations
from unnest($1::integer[]) m (id);

-- select-presented-by-relation
-- packages/service/src/movements/relation-queries.ts
with relation as materialized (
  select r.parent, r.child, p.level as parent_level, c.level as child_level
  from movement_relation r
  join movement p on p.declaration_id = r.parent
  join movement c on c.declaration_id = r.child
  where r.mrn = $1
),
transport as materialized (
  select m.submitter, m.arrival_request_id
  from relation
  cross join lateral (
    select relation.parent as id where relation.parent_level = 'TRANSPORT'
    union all
    select id from transports_of_master(relation.parent, $2) where relation.parent_level = 'MASTER_CONSIGNMENT'
  ) above
  cross join lateral (select * from movement where declaration_id = above.id offset 0) m
  where m.arrived_at is not null
),
house as materialized (
  select below.id
  from relation
  cross join lateral (
    select relation.child as id where relation.child_level = 'HOUSE_CONSIGNMENT'
    union all
    select id from houses_of_master(relation.child, $2) where relation.child_level = 'MASTER_CONSIGNMENT'
  ) below
  where exists (select from transport)
)
select exists (
  select from house
  cross join lateral (select id from house_consignment where ens_id = house.id offset 0) h
  cross join lateral (
    select presenter, request_id from signal_recipient where house_consignment_id = h.id offset 0
  ) c
  where (c.presenter, c.request_id) in (select submitter, arrival_request_id from transport)
) as presented;

-- select-presented-under-master
-- packages/service/src/movements/changing-queries.ts
select (
  select true
  from houses_of_master($1::integer, false) under
  join house_consignment h on h.ens_id = under.id
  where (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null
  limit 1
) is not null as presented;

-- select-relatable-messages
-- packages/service/src/movements/relation-queries.ts
select m.declaration_id as id, d.mrn, m.level as type
from declaration d
join movement m on m.declaration_id = d.id
where d.mrn = any ($1::text[]) and m.mode = $2 and m.state is null;

-- select-relation
-- packages/service/src/movements/relation-queries.ts
select p.mode, r.maker, o.identifier as "makerIdentifier", array[p.submitter, c.submitter] as submitters, upper_end.mrn as parent, lower_end.mrn as child,
  r.child as "childId", c.level as "childType", array_remove(array[c.submitter, c.representative], null) as "childParties",
  r.cancelled_at is not null as "isCancelled", p.state is null and c.state is null as "isCurrent"
from movement_relation r
join organisation o on o.id = r.maker
join movement p on p.declaration_id = r.parent
join movement c on c.declaration_id = r.child
join declaration upper_end on upper_end.id = r.parent
join declaration lower_end on lower_end.id = r.child
where r.mrn = $1;

-- select-relation-of-two
-- packages/service/src/movements/relation-queries.ts
select mrn, maker from movement_relation
where parent = $1 and child = $2 and cancelled_at is null;

-- select-removed-references
-- packages/service/src/movements/changing-queries.ts
select kind, reference from (
  select kind, reference, reference_type from movement_reference
  where declaration_id = $1::integer
  except
  select kind, reference, type
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as r (kind, reference, type, number)
) removed
order by kind, reference limit 1;

-- select-reported-transport
-- packages/service/src/movements/arrival-queries.ts
select m.mode, o.id, o.identifier
from declaration e
join movement m on m.declaration_id = e.id and m.level = 'TRANSPORT'
join organisation o on o.id = m.submitter
where e.mrn = $1 and $2::integer in (m.submitter, m.representative, e.carrier);

-- select-transport-descendants
-- packages/service/src/movements/descendant-queries.ts
with
asked as materialized (
  select m.*
  from (select id, carrier from declaration where mrn = $3::text) d
  cross join lateral (
    select declaration_id as id, m.* from movement m
    where declaration_id = d.id and $1::integer in (submitter, representative, d.carrier) and mode = $2::text and level = 'TRANSPORT'
    limit 1
  ) m
),
master as materialized (
  select found.number, m.declaration_id as id, m.document_number, m.document_type, m.weight, '{"documentNumber":' || to_json(m.document_number) || ',"type":' || to_json(m.document_type) || coalesce(',"relation":"' || (select mrn from movement_relation where parent = (select id from asked) and child = m.declaration_id and cancelled_at is null limit 1) || '"', '') || coalesce(',"weight":' || trim_scale(m.weight), '') as head,
    (select true from movement_relation where parent = m.declaration_id and cancelled_at is null limit 1) is not null as has_relations
  from (
    select reached.id, min(reached.number) as number
    from asked cross join lateral masters_of_transport(asked.id, $4::boolean) reached
    group by reached.id
  ) found
  cross join lateral (select * from movement where declaration_id = found.id offset 0) m
),
missing_master as materialized (
  select document_number, document_type, min(number) as number
  from (
    select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
    from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'MASTER_CONSIGNMENT'
    union all
    select document_number, document_type, null, true from master
  ) named
  group by document_number, document_type having not bool_or(is_lodged)
),

reached as materialized (
  select master.number, master.id, master.head, master.has_relations, under.id as house
  from master left join lateral houses_of_master(master.id, $4::boolean) under on true
  limit 100001
),
under_master as materialized (
  select r.*, h.weight as house_weight, h.reasons = '{}' as is_complete, h.lodged_at,
    h.document_number as house_number, h.document_type as house_type, '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || case when r.has_relations then coalesce(',"relation":"' || (select mrn from movement_relation where parent = r.id and child = r.house and cancelled_at is null limit 1) || '"', '') else '' end
    || coalesce(',"weight":' || trim_scale(h.weight), '') || ',"status":' || case when h.reasons = '{}' then '"SUCCESS"' else '"INCOMPLETE"' end || '}' as entry
  from (select distinct on (id, house) * from reached limit 50001) r
  left join lateral (select * from movement where declaration_id = r.house offset 0) h on true
),
direct as materialized (
  select found.id, found.number, h.weight, h.reasons = '{}' as is_complete, h.document_number, h.document_type,
    '{"documentNumber":' || to_json(h.document_number) || ',"type":' || to_json(h.document_type) || coalesce(',"relation":"' || (select mrn from movement_relation where parent = (select id from asked) and child = found.id and cancelled_at is null limit 1) || '"', '')
    || coalesce(',"weight":' || trim_scale(h.weight), '') || ',"status":' || case when h.reasons = '{}' then '"SUCCESS"' else '"INCOMPLETE"' end || '}' as entry
  from (
    select reached.id, min(reached.number) as number
    from asked cross join lateral direct_houses_of_transport(asked.id, $4::boolean) reached
    group by reached.id
  ) found
  cross join lateral (select * from movement where declaration_id = found.id offset 0) h
),
missing_house as materialized (
  select document_number, document_type, min(number) as number
  from (
    select r.reference as document_number, r.reference_type as document_type, r.number, false as is_lodged
    from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'HOUSE_CONSIGNMENT'
    union all
    select document_number, document_type, null, true from direct
    union all
    select house_number, house_type, null, true from under_master where house is not null and exists (
      select from asked join movement_reference r on r.declaration_id = asked.id and r.kind = 'HOUSE_CONSIGNMENT')
  ) named
  group by document_number, document_type having not bool_or(is_lodged)
),
in_tree as materialized (
  select number, id, min(head collate "C") || ',"received":true,"sumOfWeightForHouseConsignments":' || trim_scale(coalesce(sum(house_weight), 0))
    || ',"houseConsignments":' || '[' || coalesce(string_agg(entry, ',' order by lodged_at, house), '') || ']' || '}' as entry
  from under_master
  group by number, id
),
listed_master (number, id, entry) as (
  select * from in_tree
  union all
  select number, null, '{"documentNumber":' || to_json(document_number) || ',"type":' || to_json(document_type)
    || ',"received":false,"sumOfWeightForHouseConsignments":0,"houseConsignments":[]}' from missing_master
),
listed_direct (number, id, entry) as (
  select number, id, entry from direct
  union all
  select number, null, '{"documentNumber":' || to_json(document_number) || ',"type":' || to_json(document_type) || ',"status":"INCOMPLETE"}' from missing_house
),
each_house as (
  select * from (select distinct on (house) house, house_weight from under_master where house is not null) once
  union all
  select id, weight from direct
)
select case when (select count(house) from under_master) + (select count(*) from direct) <= 50000 then '{"sumOfWeightForMasterConsignments":' || (select trim_scale(coalesce(sum(weight), 0)) from master)
  || ',"sumOfWeightForHouseConsignments":' || (select trim_scale(coalesce(sum(house_weight), 0)) from each_house)
  || ',"masterConsignments":' || (select '[' || coalesce(string_agg(entry, ',' order by number, id), '') || ']' from listed_master)
  || coalesce((select ',"houseConsignments":[' || string_agg(entry, ',' order by number, id) || ']' from listed_direct), '')
  || '}' end as body from asked;

-- select-waiting-movements
-- packages/service/src/movements/waiting-queries.ts
select m.declaration_id as id, d.mrn, (select h.id from house_consignment h where h.ens_id = d.id) as house,
  array_remove(array[m.submitter, m.representative], null) as organisations,
  waiting.documents
from (
  select a.declaration_id, array_agg((sent.number - 1)::integer) as documents
  from unnest($1::text[], $2::text[]) with ordinality as sent (kind, reference, number)
  cross join lateral (
    select declaration_id from awaited_document where reference = sent.reference and kind = sent.kind offset 0
  ) a
  group by a.declaration_id
) waiting
join movement m on m.declaration_id = waiting.declaration_id and m.state is null
join declaration d on d.id = m.declaration_id
order by d.mrn;

-- update-movement
-- packages/service/src/movements/changing-queries.ts
with key_timeout as materialized (
  select current_setting('lock_timeout') as before, set_config('lock_timeout', '100', true)
),
replaced as (
  update movement m
  set representative = $2, key = $3, request_id = $4, replaced_at = $5, document_number = $6, document_type = $7,
    carrier = $8, means = $9, listed = $10, reasons = $11, conveyance = $13, estimated_at = $14, scheduled_at = $15,
    weight = $16, office = $17, import_procedure = $18, outgoing_procedure = $19, consignor_country = $20, house_key = case when level = 'HOUSE_CONSIGNMENT' then identifier_key($6) end
  from key_timeout
  where declaration_id = $1
    and (select true from movement o where o.key = $3 and o.state is null and o.declaration_id <> $1 limit 1) is null
  returning declaration_id
),
text as (
  update movement_text t set body = $12 from replaced where t.declaration_id = replaced.declaration_id
  returning replaced.declaration_id as id
)
select count(text.id)::integer as updated, set_config('lock_timeout', min(key_timeout.before), true)
from key_timeout left join text on true;
