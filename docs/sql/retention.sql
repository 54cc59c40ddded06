-- The SQL of packages/service/src/retention/. Generated: change the sources, then npm run generate.

-- change-versions-of-expired
-- packages/service/src/retention/unpresented-queries.ts
update entry_summary_declaration set version = nextval('registration_id_seq') where id = any ($1::integer[]);

-- count-due-movement_status
-- packages/service/src/retention/entry-queries.ts
select count(*)::integer as feeds
from unnest($1::integer[]) as wanted (owner)
join feed_state s on s.kind = 7 and s.owner = wanted.owner
where position > removed_position + 1 and (
  select (entry::json ->> 'notificationDate')::timestamptz from movement_status e where e.owner = s.owner and e.position = removed_position + 1
) < $2;

-- count-due-routing_signal
-- packages/service/src/retention/entry-queries.ts
select count(*)::integer as feeds
from unnest($1::integer[]) as wanted (owner)
join feed_state s on s.kind = 2 and s.owner = wanted.owner
where position > removed_position + 1 and (
  select (entry::json #>> '{routingResult,documentIssueDate}')::timestamptz from routing_signal e where e.owner = s.owner and e.position = removed_position + 1
) < $2;

-- count-due-validation_status
-- packages/service/src/retention/entry-queries.ts
select count(*)::integer as feeds
from unnest($1::integer[]) as wanted (owner)
join feed_state s on s.kind = 1 and s.owner = wanted.owner
where position > removed_position + 1 and (
  select (entry::json ->> 'notificationDate')::timestamptz from validation_status e where e.owner = s.owner and e.position = removed_position + 1
) < $2;

-- delete-closed-movements
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select d.id from declaration d join movement m on m.declaration_id = d.id
  where d.id = any ($1::integer[]) and m.state = 'CLOSED' and case m.level
    when 'TRANSPORT' then (select true from houses_of_transport(m.declaration_id, false) limit 1)
    else (select true from houses_of_master(m.declaration_id, false) limit 1)
  end is null
  order by d.mrn for update of d skip locked
),
level as (
  delete from level_presentation where ens_id = any (array(select id from due))
),
gone as (
  delete from declaration where id = any (array(select id from due)) returning id
)
select count(*)::integer as removed from gone;

-- delete-empty-declarations
-- packages/service/src/retention/house-consignment-queries.ts
with empty as materialized (
  select id from unnest($1::integer[]) as declaration (id)
  where (select true from house_consignment h where h.ens_id = declaration.id limit 1) is null
    and (select true from withdrawn_house_consignment w where w.ens_id = declaration.id limit 1) is null
),
level as (
  delete from level_presentation where ens_id = any (array(select id from empty))
),
gone as (
  delete from declaration where id = any (array(select id from empty)) returning id
)
select count(*)::integer as removed from gone;

-- delete-empty-unpresented
-- packages/service/src/retention/unpresented-queries.ts
with gone as (
  delete from entry_summary_declaration e where e.id = any ($2::integer[])
    and e.withdrawal is null
    and (select true from house_consignment h where h.ens_id = e.id limit 1) is null
    and (select true from withdrawn_house_consignment w where w.ens_id = e.id limit 1) is null
    and (select true from level_presentation p where p.ens_id = e.id limit 1) is null
    and coalesce((select r.at from registration r where r.id = e.version) < $1, true)
    and coalesce(e.estimated_time_of_arrival < $1, true)
  returning id
)
select count(*)::integer as removed from gone;

-- delete-expired-documents
-- packages/service/src/retention/document-queries.ts
delete from document where id = any (array(
  select id from document where uploaded_at < $1 order by uploaded_at, id limit $2
))
returning id, size, encode(sha256, 'hex') as sha256;

-- delete-expired-houses
-- packages/service/src/retention/house-consignment-queries.ts
with due as materialized (
  select h.id from house_consignment h
  where h.id = any ($2::uuid[]) and h.ens_id = any ($3::integer[])
      and h.routing <> 'ENTRY_PENDING'
      and coalesce((select max(decided_at) from routing_decision d where d.house_consignment_id = h.id) < $1, true)
),
recipient as (
  delete from signal_recipient where house_consignment_id = any (array(select id from due))
),
issued as (
  delete from issued_signal where house_consignment_id = any (array(select id from due))
),
decision as (
  delete from routing_decision where house_consignment_id = any (array(select id from due))
),
entered as (
  delete from entered_house_consignment where house_consignment_id = any (array(select id from due))
),
control as (
  delete from kept_control where house_consignment_id = any (array(select id from due))
),
gone as (
  delete from house_consignment where id = any (array(select id from due)) returning id, ens_id
),
-- Whoever reads the declaration in pages finds that it is another one. No registration has this version.
version as (
  update declaration set version = nextval('registration_id_seq')
  where id = any (array(select ens_id from gone))
)
select count(*)::integer as removed from gone;

-- delete-expired-references
-- packages/service/src/retention/reference-queries.ts
with due as materialized (
  select number from presented_reference p
  where number = any ($1::bigint[])
    and (select true from entered_house_consignment e where e.presentation = p.number limit 1) is null
    and case p.level
      when 'ENTRY_SUMMARY_DECLARATION' then (
        select true from entry_summary_declaration e where e.mrn = p.reference limit 1)
      when 'MASTER_CONSIGNMENT' then (
        select true from house_consignment h
        where h.master_document_key = p.reference and h.master_document_type = p.document_type
          and (p.mrn is null
            or p.mrn = (select e.mrn from declaration e where e.id = h.ens_id limit 1))
          and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1)
        limit 1)
      when 'RECEPTACLE' then (
        select true from house_consignment h
        where h.receptacle_id = p.reference
          and (select true from signal_recipient s where s.house_consignment_id = h.id limit 1)
        limit 1)
      when 'CONTAINER' then (
        select true from house_consignment_container c
        where c.container_id = p.reference
          and (select true from signal_recipient s
            where s.house_consignment_id = c.house_consignment_id limit 1)
        limit 1)
    end is null
),
gone as (
  delete from presented_reference where number = any (array(select number from due)) returning number
)
select count(*)::integer as removed from gone;

-- delete-expired-routing-run
-- packages/service/src/retention/run-queries.ts
with due as materialized (
  select r.id from routing_run r
  where r.id > $2::uuid and r.state in ('COMPLETED', 'GIVEN_UP') and r.state_changed_at < $1
    and (
      select true from routing_run_result i
      where i.run_id = r.id and (
        (select true from house_consignment h where h.id = i.house_consignment_id) is not null
        or (select true from withdrawn_house_consignment w where w.id = i.house_consignment_id) is not null)
      limit 1) is null
  order by r.id limit 1
),
result as (
  delete from routing_run_result where run_id = (select id from due) returning run_id
),
gone as (
  delete from routing_run where id = (select id from due) returning id
)
select id, (select count(*)::integer from result) as results from gone;

-- delete-expired-withdrawn-declarations
-- packages/service/src/retention/house-consignment-queries.ts
with due as materialized (
  -- One that is registered at this moment stays.
  select e.id from declaration e
  where e.withdrawal is not null
    and (select r.at from registration r where r.id = e.withdrawal) < $1
    and (select true from withdrawn_house_consignment w where w.ens_id = e.id limit 1) is null
    and (select true from house_consignment h where h.ens_id = e.id limit 1) is null
  order by e.withdrawal limit $2 for update skip locked
),
level as (
  delete from level_presentation where ens_id = any (array(select id from due))
),
gone as (
  delete from declaration where id = any (array(select id from due)) returning id
)
select count(*)::integer as declarations from gone;

-- delete-expired-withdrawn-houses
-- packages/service/src/retention/house-consignment-queries.ts
with due as materialized (
  -- One that is sent again at this moment stays.
  select w.id from withdrawn_house_consignment w
  where (select r.at from registration r where r.id = w.withdrawal) < $1
  order by w.withdrawal limit $2 for update skip locked
),
decision as (
  delete from routing_decision where house_consignment_id = any (array(select id from due))
),
entered as (
  delete from entered_house_consignment where house_consignment_id = any (array(select id from due))
),
control as (
  delete from kept_control where house_consignment_id = any (array(select id from due))
),
gone as (
  delete from withdrawn_house_consignment where id = any (array(select id from due)) returning id
)
select count(*)::integer as houses from gone;

-- delete-unpresented-houses
-- packages/service/src/retention/unpresented-queries.ts
with due as materialized (
  select h.id from house_consignment h join entry_summary_declaration e on e.id = h.ens_id
  where h.id = any ($2::uuid[]) and h.ens_id = any ($3::integer[])
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
    and coalesce((select r.at from registration r where r.id = h.registration) < $1, true)
    and coalesce((select r.at from registration r where r.id = e.version) < $1, true)
    and coalesce(e.estimated_time_of_arrival < $1, true)
    and coalesce((select max(decided_at) from routing_decision d where d.house_consignment_id = h.id) < $1, true)
    and (kept_as(h.id, h.routing, h.routing_control_location) is null or (
      select max(decided_at) from routing_decision d where d.house_consignment_id = h.id
    ) < now() - interval '1 year')
),
decision as (
  delete from routing_decision where house_consignment_id = any (array(select id from due))
),
entered as (
  delete from entered_house_consignment where house_consignment_id = any (array(select id from due))
),
control as (
  delete from kept_control where house_consignment_id = any (array(select id from due))
),
gone as (
  delete from house_consignment where id = any (array(select id from due)) returning id
)
select count(*)::integer as removed from gone;

-- due-movement_status
-- packages/service/src/retention/entry-queries.ts
with next as materialized (
  select owner, position, removed_position from feed_state
  where kind = 7 and owner > $1 order by owner limit $3
)
select (select max(owner) from next) as last, array(
  select owner from next
  where position > removed_position + 1 and (
    select (entry::json ->> 'notificationDate')::timestamptz from movement_status e where e.owner = next.owner and e.position = removed_position + 1
  ) < $2
  order by owner
) as owners;

-- due-routing_signal
-- packages/service/src/retention/entry-queries.ts
with next as materialized (
  select owner, position, removed_position from feed_state
  where kind = 2 and owner > $1 order by owner limit $3
)
select (select max(owner) from next) as last, array(
  select owner from next
  where position > removed_position + 1 and (
    select (entry::json #>> '{routingResult,documentIssueDate}')::timestamptz from routing_signal e where e.owner = next.owner and e.position = removed_position + 1
  ) < $2
  order by owner
) as owners;

-- due-validation_status
-- packages/service/src/retention/entry-queries.ts
with next as materialized (
  select owner, position, removed_position from feed_state
  where kind = 1 and owner > $1 order by owner limit $3
)
select (select max(owner) from next) as last, array(
  select owner from next
  where position > removed_position + 1 and (
    select (entry::json ->> 'notificationDate')::timestamptz from validation_status e where e.owner = next.owner and e.position = removed_position + 1
  ) < $2
  order by owner
) as owners;

-- end-closed-house-consignment
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select m.declaration_id as id from movement m
  where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = 'HOUSE_CONSIGNMENT'
    and (
      select true from house_consignment h where h.ens_id = m.declaration_id and h.routing <> 'ENTRY_PENDING'
    ) and (
      select max(presented_at) from (select * from house_consignment where ens_id = m.declaration_id) h
      cross join lateral (
        select min(first_presented_at) as presented_at from signal_recipient c where c.house_consignment_id = h.id
      ) first
    ) < $1
    and (
      m.level <> 'MASTER_CONSIGNMENT'
      or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
    )
),
recording as materialized (
  select record_time($3) as at where exists (select from due)
),
ended as (
  update movement m set state = 'CLOSED', ended_at = recording.at
  from due cross join recording where m.declaration_id = due.id
  returning m.declaration_id as id, m.level, m.ended_at as at
),
awaited as (
  delete from awaited_document where declaration_id = any (array(select id from due))
),
released as (
  delete from kept_control k
  using due
  join movement m on m.declaration_id = due.id
  join house_consignment h on h.ens_id = m.declaration_id
  cross join lateral relations_to_find(h.ens_id, h.master_document_key, h.master_document_type, h.receptacle_id, false) r
  where k.document_key = h.document_key and k.document_type = h.document_type and k.relation = r.relation
    and (h.routing = 'TO_ENTRY' or h.routing_control_location = 'AFTER_ENTRY')
    and (k.house_consignment_id = h.id or k.kept_at <= m.lodged_at and (
      select true from routing_decision d
      where d.house_consignment_id = h.id and d.taken_from in (
        select e.mrn
        from (
          select ens_id from withdrawn_house_consignment where id = k.house_consignment_id
          union all
          select ens_id from house_consignment where id = k.house_consignment_id
        ) o
        join declaration e on e.id = o.ens_id
        union all
        select taken_from from routing_decision t where t.house_consignment_id = k.house_consignment_id
      ) limit 1
    ))
)
select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn;

-- end-closed-master-consignment
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select m.declaration_id as id from movement m
  where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = 'MASTER_CONSIGNMENT'
    and (
      select max(presented_at) from houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
      cross join lateral (
        select min(first_presented_at) as presented_at from signal_recipient c where c.house_consignment_id = h.id
      ) first
    ) < $1 and (
      select true from houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
      where coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1
    ) is null
    and (
      m.level <> 'MASTER_CONSIGNMENT'
      or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
    )
),
recording as materialized (
  select record_time($3) as at where exists (select from due)
),
ended as (
  update movement m set state = 'CLOSED', ended_at = recording.at
  from due cross join recording where m.declaration_id = due.id
  returning m.declaration_id as id, m.level, m.ended_at as at
),
awaited as (
  delete from awaited_document where declaration_id = any (array(select id from due))
)
select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn;

-- end-closed-transport
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select m.declaration_id as id from movement m
  where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = 'TRANSPORT'
    and m.arrival_recorded_at < $1 and (
      select true from houses_of_transport(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
      where coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1
    ) is null
    and (
      m.level <> 'MASTER_CONSIGNMENT'
      or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
    )
),
recording as materialized (
  select record_time($3) as at where exists (select from due)
),
ended as (
  update movement m set state = 'CLOSED', ended_at = recording.at
  from due cross join recording where m.declaration_id = due.id
  returning m.declaration_id as id, m.level, m.ended_at as at
),
awaited as (
  delete from awaited_document where declaration_id = any (array(select id from due))
)
select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn;

-- end-expired-house-consignment
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select m.declaration_id as id from movement m
  where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = 'HOUSE_CONSIGNMENT'
    and greatest(m.lodged_at, m.replaced_at) < $1
    and (select true from house_consignment h where h.ens_id = m.declaration_id and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1) is null
    and (
      select true from transports_of_house(m.declaration_id, false) t
      join movement transport on transport.declaration_id = t.id where transport.state is null limit 1
    ) is null
    and (
      m.level <> 'MASTER_CONSIGNMENT'
      or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
    )
),
recording as materialized (
  select record_time($3) as at where exists (select from due)
),
ended as (
  update movement m set state = 'EXPIRED', ended_at = recording.at
  from due cross join recording where m.declaration_id = due.id
  returning m.declaration_id as id, m.level, m.ended_at as at
),
awaited as (
  delete from awaited_document where declaration_id = any (array(select id from due))
)
select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn;

-- end-expired-master-consignment
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select m.declaration_id as id from movement m
  where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = 'MASTER_CONSIGNMENT'
    and greatest(m.lodged_at, m.replaced_at) < $1
    and (select true from houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id where (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1) is null
    and (
      select true from transports_of_master(m.declaration_id, false) t
      join movement transport on transport.declaration_id = t.id where transport.state is null limit 1
    ) is null
    and (
      m.level <> 'MASTER_CONSIGNMENT'
      or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
    )
),
recording as materialized (
  select record_time($3) as at where exists (select from due)
),
ended as (
  update movement m set state = 'EXPIRED', ended_at = recording.at
  from due cross join recording where m.declaration_id = due.id
  returning m.declaration_id as id, m.level, m.ended_at as at
),
awaited as (
  delete from awaited_document where declaration_id = any (array(select id from due))
)
select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn;

-- end-expired-transport
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select m.declaration_id as id from movement m
  where m.declaration_id = any ($2::integer[]) and m.state is null and m.level = 'TRANSPORT'
    and m.arrived_at is null and m.estimated_at < $1
    and (
      m.level <> 'MASTER_CONSIGNMENT'
      or (select true from parties_under_master(m.declaration_id) where party <> all ($4::integer[]) limit 1) is null
    )
),
recording as materialized (
  select record_time($3) as at where exists (select from due)
),
ended as (
  update movement m set state = 'EXPIRED', ended_at = recording.at
  from due cross join recording where m.declaration_id = due.id
  returning m.declaration_id as id, m.level, m.ended_at as at
),
awaited as (
  delete from awaited_document where declaration_id = any (array(select id from due))
)
select ended.id, d.mrn, ended.level, ended.at from ended join declaration d on d.id = ended.id order by d.mrn;

-- expire-movement_status
-- packages/service/src/retention/entry-queries.ts
with oldest as materialized (
  select feed.owner, entry.*
  from unnest($1::integer[]) as wanted (owner)
  join feed_state feed on feed.kind = 7 and feed.owner = wanted.owner
  cross join lateral (
    select e.ctid as stored_at, position, (entry::json ->> 'notificationDate')::timestamptz as at from movement_status e
    where e.owner = feed.owner and e.position < feed.position
    order by position limit $3
  ) entry
),
due as materialized (
  select * from (
    select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
  ) judged
  where is_due
),
-- Entries never change, so each is still where it was found.
gone as (
  delete from movement_status where ctid = any (array(select stored_at from due)) returning owner, position, id
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
  where s.kind = 7 and s.owner = last.owner
)
select owner, min(position) as first, max(position) as last, count(*)::integer as entries
from gone group by owner order by owner;

-- expire-movement_status-relayed
-- packages/service/src/retention/entry-queries.ts
with oldest as materialized (
  select feed.owner, entry.*
  from unnest($1::integer[]) as wanted (owner)
  join feed_state feed on feed.kind = 7 and feed.owner = wanted.owner
  cross join lateral (
    select e.ctid as stored_at, position, (entry::json ->> 'notificationDate')::timestamptz as at from movement_status e
    where e.owner = feed.owner and e.position < feed.position
      and e.position <= (
        select min(coalesce(r.position, 0)) from unnest($4::text[]) as relayed (stream)
        left join relay_position r on r.stream = relayed.stream and r.owner = feed.owner
      )
    order by position limit $3
  ) entry
),
due as materialized (
  select * from (
    select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
  ) judged
  where is_due
),
-- Entries never change, so each is still where it was found.
gone as (
  delete from movement_status where ctid = any (array(select stored_at from due)) returning owner, position, id
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
  where s.kind = 7 and s.owner = last.owner
)
select owner, min(position) as first, max(position) as last, count(*)::integer as entries
from gone group by owner order by owner;

-- expire-registrations
-- packages/service/src/retention/registration-queries.ts
with examined as materialized (
  select id, at from registration where id > $1 order by id limit $3
),
gone as (
  delete from registration where id = any (array(
    select id from examined
    where at < $2 and (
      select h.registration from house_consignment h where h.registration >= examined.id
      order by h.registration limit 1
    ) is distinct from examined.id
      and (select true from withdrawn_house_consignment w
        where w.registration = examined.id limit 1) is null
      and (select true from withdrawn_house_consignment w
        where w.withdrawal = examined.id limit 1) is null
      and (select true from declaration e
        where e.withdrawal = examined.id limit 1) is null
  ))
  returning id
)
select max(id) as last, coalesce(bool_or(at < $2), false) as "isOld",
  (select count(*)::integer from gone) as removed
from examined;

-- expire-routing_signal
-- packages/service/src/retention/entry-queries.ts
with oldest as materialized (
  select feed.owner, entry.*
  from unnest($1::integer[]) as wanted (owner)
  join feed_state feed on feed.kind = 2 and feed.owner = wanted.owner
  cross join lateral (
    select e.ctid as stored_at, position, (entry::json #>> '{routingResult,documentIssueDate}')::timestamptz as at from routing_signal e
    where e.owner = feed.owner and e.position < feed.position
    order by position limit $3
  ) entry
),
due as materialized (
  select * from (
    select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
  ) judged
  where is_due
),
-- Entries never change, so each is still where it was found.
gone as (
  delete from routing_signal where ctid = any (array(select stored_at from due)) returning owner, position, id
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
  where s.kind = 2 and s.owner = last.owner
)
select owner, min(position) as first, max(position) as last, count(*)::integer as entries
from gone group by owner order by owner;

-- expire-routing_signal-relayed
-- packages/service/src/retention/entry-queries.ts
with oldest as materialized (
  select feed.owner, entry.*
  from unnest($1::integer[]) as wanted (owner)
  join feed_state feed on feed.kind = 2 and feed.owner = wanted.owner
  cross join lateral (
    select e.ctid as stored_at, position, (entry::json #>> '{routingResult,documentIssueDate}')::timestamptz as at from routing_signal e
    where e.owner = feed.owner and e.position < feed.position
      and e.position <= (
        select min(coalesce(r.position, 0)) from unnest($4::text[]) as relayed (stream)
        left join relay_position r on r.stream = relayed.stream and r.owner = feed.owner
      )
    order by position limit $3
  ) entry
),
due as materialized (
  select * from (
    select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
  ) judged
  where is_due
),
-- Entries never change, so each is still where it was found.
gone as (
  delete from routing_signal where ctid = any (array(select stored_at from due)) returning owner, position, id
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
  where s.kind = 2 and s.owner = last.owner
)
select owner, min(position) as first, max(position) as last, count(*)::integer as entries
from gone group by owner order by owner;

-- expire-validation_status
-- packages/service/src/retention/entry-queries.ts
with oldest as materialized (
  select feed.owner, entry.*
  from unnest($1::integer[]) as wanted (owner)
  join feed_state feed on feed.kind = 1 and feed.owner = wanted.owner
  cross join lateral (
    select e.ctid as stored_at, position, (entry::json ->> 'notificationDate')::timestamptz as at from validation_status e
    where e.owner = feed.owner and e.position < feed.position
    order by position limit $3
  ) entry
),
due as materialized (
  select * from (
    select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
  ) judged
  where is_due
),
-- Entries never change, so each is still where it was found.
gone as (
  delete from validation_status where ctid = any (array(select stored_at from due)) returning owner, position, id
),
gone_details as (
  delete from validation_status_ens where ctid = any (array(
    select detail.stored_at from due cross join lateral (
      select d.ctid as stored_at from validation_status_ens d where d.owner = due.owner and d.position = due.position offset 0
    ) detail
  ))
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
  where s.kind = 1 and s.owner = last.owner
)
select owner, min(position) as first, max(position) as last, count(*)::integer as entries
from gone group by owner order by owner;

-- expire-validation_status-relayed
-- packages/service/src/retention/entry-queries.ts
with oldest as materialized (
  select feed.owner, entry.*
  from unnest($1::integer[]) as wanted (owner)
  join feed_state feed on feed.kind = 1 and feed.owner = wanted.owner
  cross join lateral (
    select e.ctid as stored_at, position, (entry::json ->> 'notificationDate')::timestamptz as at from validation_status e
    where e.owner = feed.owner and e.position < feed.position
      and e.position <= (
        select min(coalesce(r.position, 0)) from unnest($4::text[]) as relayed (stream)
        left join relay_position r on r.stream = relayed.stream and r.owner = feed.owner
      )
    order by position limit $3
  ) entry
),
due as materialized (
  select * from (
    select *, bool_and(at < $2) over (partition by owner order by position) as is_due from oldest
  ) judged
  where is_due
),
-- Entries never change, so each is still where it was found.
gone as (
  delete from validation_status where ctid = any (array(select stored_at from due)) returning owner, position, id
),
gone_details as (
  delete from validation_status_ens where ctid = any (array(
    select detail.stored_at from due cross join lateral (
      select d.ctid as stored_at from validation_status_ens d where d.owner = due.owner and d.position = due.position offset 0
    ) detail
  ))
),
state as (
  update feed_state s set removed_position = last.position, removed_id = last.id
  from (select distinct on (owner) owner, position, id from gone order by owner, position desc) last
  where s.kind = 1 and s.owner = last.owner
)
select owner, min(position) as first, max(position) as last, count(*)::integer as entries
from gone group by owner order by owner;

-- lock-free-declarations
-- packages/service/src/retention/house-consignment-queries.ts
select id, array_remove(array[declarant, representative], null) as organisations
from declaration where id = any ($1::integer[])
order by mrn for no key update skip locked;

-- lock-old-references
-- packages/service/src/retention/reference-queries.ts
with old as materialized (
  select number, hashtext(reference) & 255 as lock from presented_reference
  where number > $2 and at < $1 order by number limit $3
),
locked as materialized (
  select lock, pg_try_advisory_xact_lock(5, lock) as is_locked
  from (select distinct lock from old order by lock) wanted
)
select number, is_locked as "isLocked" from old join locked using (lock) order by number;

-- remove-movement-texts
-- packages/service/src/retention/movement-queries.ts
with due as materialized (
  select declaration_id as id from movement
  where state is not null and text_removed_at is null and ended_at < $1
  order by ended_at, declaration_id limit $2 for no key update skip locked
),
gone as (
  delete from movement_text where declaration_id = any (array(select id from due))
),
noted as (
  update movement m set text_removed_at = record_time($3) from due where m.declaration_id = due.id
)
select count(*)::integer as removed from due;

-- select-closed-house-consignment
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select * from movement
  where state is null and level = 'HOUSE_CONSIGNMENT' and lodged_at < $1 and (lodged_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by lodged_at, declaration_id limit $4
)
select m.declaration_id as id, m.lodged_at::text as at, coalesce((
      select true from house_consignment h where h.ens_id = m.declaration_id and h.routing <> 'ENTRY_PENDING'
    ) and (
      select max(presented_at) from (select * from house_consignment where ens_id = m.declaration_id) h
      cross join lateral (
        select min(first_presented_at) as presented_at from signal_recipient c where c.house_consignment_id = h.id
      ) first
    ) < $1, false) as "isDue"
from candidate m order by m.lodged_at, m.declaration_id;

-- select-closed-master-consignment
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select * from movement
  where state is null and level = 'MASTER_CONSIGNMENT' and lodged_at < $1 and (lodged_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by lodged_at, declaration_id limit $4
)
select m.declaration_id as id, m.lodged_at::text as at, coalesce((
      select max(presented_at) from houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
      cross join lateral (
        select min(first_presented_at) as presented_at from signal_recipient c where c.house_consignment_id = h.id
      ) first
    ) < $1 and (
      select true from houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
      where coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1
    ) is null, false) as "isDue"
from candidate m order by m.lodged_at, m.declaration_id;

-- select-closed-movements
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select declaration_id, level, ended_at from movement
  where state = 'CLOSED' and level <> 'HOUSE_CONSIGNMENT' and ended_at < $1
    and (ended_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by ended_at, declaration_id limit $4
)
select m.declaration_id as id, m.ended_at::text as at, case m.level
    when 'TRANSPORT' then (select true from houses_of_transport(m.declaration_id, false) limit 1)
    else (select true from houses_of_master(m.declaration_id, false) limit 1)
  end is null as "isDue"
from candidate m order by m.ended_at, m.declaration_id;

-- select-closed-transport
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select * from movement
  where state is null and level = 'TRANSPORT' and lodged_at < $1 and (lodged_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by lodged_at, declaration_id limit $4
)
select m.declaration_id as id, m.lodged_at::text as at, coalesce(m.arrival_recorded_at < $1 and (
      select true from houses_of_transport(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id
      where coalesce(h.routing, 'ENTRY_PENDING') = 'ENTRY_PENDING' and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1
    ) is null, false) as "isDue"
from candidate m order by m.lodged_at, m.declaration_id;

-- select-empty-declarations
-- packages/service/src/retention/unpresented-queries.ts
with candidate as materialized (
  select * from entry_summary_declaration where id > $2 order by id limit $3
)
select e.id, e.withdrawal is null
    and (select true from house_consignment h where h.ens_id = e.id limit 1) is null
    and (select true from withdrawn_house_consignment w where w.ens_id = e.id limit 1) is null
    and (select true from level_presentation p where p.ens_id = e.id limit 1) is null
    and coalesce((select r.at from registration r where r.id = e.version) < $1, true)
    and coalesce(e.estimated_time_of_arrival < $1, true) as "isDue" from candidate e order by e.id;

-- select-expired-house-consignment
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select * from movement
  where state is null and level = 'HOUSE_CONSIGNMENT' and lodged_at < $1 and (lodged_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by lodged_at, declaration_id limit $4
)
select m.declaration_id as id, m.lodged_at::text as at, coalesce(greatest(m.lodged_at, m.replaced_at) < $1
    and (select true from house_consignment h where h.ens_id = m.declaration_id and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1) is null
    and (
      select true from transports_of_house(m.declaration_id, false) t
      join movement transport on transport.declaration_id = t.id where transport.state is null limit 1
    ) is null, false) as "isDue"
from candidate m order by m.lodged_at, m.declaration_id;

-- select-expired-houses
-- packages/service/src/retention/house-consignment-queries.ts
with candidate as materialized (
  select first_presented_at as at, house_consignment_id as id from signal_recipient
  where first_presented_at < $1 and first_presented_at >= $2::timestamptz
    and (first_presented_at, house_consignment_id) > ($2::timestamptz, $3::uuid)
  order by first_presented_at, house_consignment_id limit $4
)
select at::text, id, (
    select h.ens_id from house_consignment h
    where h.id = candidate.id
      and h.routing <> 'ENTRY_PENDING'
      and coalesce((select max(decided_at) from routing_decision d where d.house_consignment_id = h.id) < $1, true)
    limit 1
  ) as ens
from candidate order by candidate.at, id;

-- select-expired-master-consignment
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select * from movement
  where state is null and level = 'MASTER_CONSIGNMENT' and lodged_at < $1 and (lodged_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by lodged_at, declaration_id limit $4
)
select m.declaration_id as id, m.lodged_at::text as at, coalesce(greatest(m.lodged_at, m.replaced_at) < $1
    and (select true from houses_of_master(m.declaration_id, false) r join house_consignment h on h.ens_id = r.id where (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is not null limit 1) is null
    and (
      select true from transports_of_master(m.declaration_id, false) t
      join movement transport on transport.declaration_id = t.id where transport.state is null limit 1
    ) is null, false) as "isDue"
from candidate m order by m.lodged_at, m.declaration_id;

-- select-expired-transport
-- packages/service/src/retention/movement-queries.ts
with candidate as materialized (
  select * from movement
  where state is null and level = 'TRANSPORT' and arrived_at is null and estimated_at < $1 and (estimated_at, declaration_id) > ($2::timestamptz, $3::integer)
  order by estimated_at, declaration_id limit $4
)
select m.declaration_id as id, m.estimated_at::text as at, coalesce(m.arrived_at is null and m.estimated_at < $1, false) as "isDue"
from candidate m order by m.estimated_at, m.declaration_id;

-- select-unpresented-houses
-- packages/service/src/retention/unpresented-queries.ts
with candidate as materialized (
  select id, ens_id, registration, routing, routing_control_location from house_consignment where id > $2 and id < $3 order by id limit $4
)
select h.id, (
    select e.id from entry_summary_declaration e
    where e.id = h.ens_id
    and (select true from signal_recipient c where c.house_consignment_id = h.id limit 1) is null
    and coalesce((select r.at from registration r where r.id = h.registration) < $1, true)
    and coalesce((select r.at from registration r where r.id = e.version) < $1, true)
    and coalesce(e.estimated_time_of_arrival < $1, true)
    and coalesce((select max(decided_at) from routing_decision d where d.house_consignment_id = h.id) < $1, true)
    and (kept_as(h.id, h.routing, h.routing_control_location) is null or (
      select max(decided_at) from routing_decision d where d.house_consignment_id = h.id
    ) < now() - interval '1 year')
  ) as ens
from candidate h order by h.id;
