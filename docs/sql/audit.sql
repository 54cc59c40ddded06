-- The SQL of packages/service/src/audit/. Generated: change the sources, then npm run generate.

-- append-kept-record
-- packages/service/src/audit/queries.ts
select append_audit_record(3, record)
from nullif(current_setting('landfall.record', true), '') record where record is not null;

-- await-audit-chain
-- packages/service/src/audit/removal-queries.ts
select pg_advisory_xact_lock_shared(3, $1);

-- digest-listed-entries
-- packages/service/src/audit/verification-queries.ts
select list, encode(sha256(convert_to(string_agg(entry, '' order by number, position), 'UTF8')), 'hex') as digest
from unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[]) with ordinality as listed (list, feed, owner, first, last, number)
cross join lateral (
  select position, entry from validation_status e
  where listed.feed = 1 and e.owner = listed.owner and e.position between listed.first and listed.last
  union all
  select position, entry from routing_signal e
  where listed.feed = 2 and e.owner = listed.owner and e.position between listed.first and listed.last
  union all
  select position, entry from movement_status e
  where listed.feed = 7 and e.owner = listed.owner and e.position between listed.first and listed.last
) entry
group by list;

-- find-removed-entries
-- packages/service/src/audit/verification-queries.ts
select distinct list from unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[]) with ordinality as listed (list, feed, owner, first, last, number)
join feed_state s on s.kind = listed.feed and s.owner = listed.owner and s.removed_position >= listed.first;

-- insert-audit-record
-- packages/service/src/audit/queries.ts
with recorded as (
  select chain, position
  from append_audit_record(3,
    case when $5 then '{"at":"' || api_time(record_time(null)) || '",' || substr($1, 2) else $1 end)
),
new_event as (
  insert into consignment_event (chain, position, index, house_consignment_id, at, entry)
  select chain, position, index, house, $2, event
  from recorded, unnest($3::uuid[], $4::text[]) with ordinality as event (house, event, index)
)
select chain, position from recorded;

-- insert-feed-accesses
-- packages/service/src/audit/queries.ts
with recorded as (
  select chain, position from append_audit_record(3, $1)
)
insert into feed_access (chain, position, index, kind, owner, client_id, first_position, last_position, at)
select chain, position, index, kind, owner, client_id, first, last, at
from recorded, unnest($2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[])
  with ordinality as access (kind, owner, client_id, first, last, at, index);

-- keep-audited-rows
-- packages/service/src/audit/removal-queries.ts
select keep_audited_rows($1);

-- record-audit-verification
-- packages/service/src/audit/verification-queries.ts
insert into audit_verification (at, records, breaks, records_only) values ($1, $2, $3, $4)
on conflict (single) do update
set at = excluded.at, records = excluded.records, breaks = excluded.breaks, records_only = excluded.records_only
where not excluded.records_only or audit_verification.records_only
  or audit_verification.breaks = 0 and excluded.breaks > 0;

-- select-audit-begin
-- packages/service/src/audit/verification-queries.ts
select least(min(first.recorded_at), (select until from audit_removal where kind = 'records')) as since
from audit_chain_end e
cross join lateral (
  select r.recorded_at from audit_record r where r.chain = e.chain order by r.position limit 1
) first;

-- select-audit-chain-ends
-- packages/service/src/audit/queries.ts
select end_of.*, (
  select true from audit_record r
  where r.chain = end_of.chain and r.position > coalesce(($2::bigint[])[array_position($1::integer[], end_of.chain)], 0)
    and substr(r.entry, 1, 100) !~ '^[{]"at":"[^"]*","action":"audit.sealed"'
  limit 1
) is not null as grown
from (
  select chain, position, encode(digest, 'hex') as digest from audit_chain_end where position > 0
) end_of
order by chain;

-- select-audit-chains
-- packages/service/src/audit/verification-queries.ts
select chain, (select max(position) from audit_record r where r.chain = found.chain) as position
from audit_chain found order by chain;

-- select-audit-digests
-- packages/service/src/audit/verification-queries.ts
select (select encode(digest, 'hex') from audit_record r
  where r.chain = requested.chain and r.position = requested.position limit 1) as digest
from unnest($1::integer[], $2::bigint[]) with ordinality as requested (chain, position, index)
order by index;

-- select-audit-export
-- packages/service/src/audit/removal-queries.ts
select until, ends from audit_export where until <= $1 order by until desc limit 1;

-- select-audit-month
-- packages/service/src/audit/removal-queries.ts
select position, encode(digest, 'hex') as digest, api_time(recorded_at) as "recordedAt", entry from audit_record
where chain = $1 and position > $2 and recorded_at >= $3 and recorded_at < $4
order by position limit $5;

-- select-audit-month-events
-- packages/service/src/audit/removal-queries.ts
select house_consignment_id as "houseConsignmentId", api_time(at) as at, entry from consignment_event
where chain = $1 and position = $2 and recorded_at >= $3 and recorded_at < $4 order by index;

-- select-audit-records
-- packages/service/src/audit/verification-queries.ts
select position, digest, entry, recorded_at as "recordedAt"
from (
  select *, sum(octet_length(entry)) over (order by position) - octet_length(entry) as before
  from (select * from audit_record where chain = $1 and position > $2 order by position limit $3) page
) page
where before < 4000000 order by position;

-- select-audit-removals
-- packages/service/src/audit/removal-queries.ts
select kind, until, ends from audit_removal order by kind;

-- select-audit-verification
-- packages/service/src/audit/verification-queries.ts
select at, records, breaks, records_only as "recordsOnly" from audit_verification;

-- select-audited-differences
-- packages/service/src/audit/row-queries.ts
select table_name as table, chain, position, rows, key from audited_difference
order by rows desc, chain, position, table_name, key limit $1;

-- select-audited-row-base
-- packages/service/src/audit/row-queries.ts
select digest_audited_row_base() as digest, (select count(*) from (select from audited_row_base limit 1) one) as rows;

-- select-consignment-events
-- packages/service/src/audit/verification-queries.ts
select count(*) as count,
  encode(sha256(convert_to(coalesce(
    string_agg(house_consignment_id || ' ' || entry || E'\n', '' order by index), ''), 'UTF8')), 'hex') as digest
from consignment_event where chain = $1 and position = $2;

-- select-contradicting-audit-chain-end
-- packages/service/src/audit/row-queries.ts
select coalesce(e.chain, every.chain)::text as key
from audit_chain_end e full join generate_series(1, 32) every (chain) on every.chain = e.chain
where e.chain is null or e.position = 0 and (every.chain is null or e.digest <> '')
limit $1;

-- select-contradicting-audit-record-transaction
-- packages/service/src/audit/row-queries.ts
select row(min(chain), min(position))::text as key
from (
  select r.chain, r.position, r.xmin::text as transaction, entry, of_rows_only,
    -- The record of its operation may have been removed.
    position = first and first > 1 as is_cut
  from audit_record r
  cross join lateral (select substr(entry, 1, 60) like '{"at":"________________________","action":"rows.%' as of_rows_only) begin
  join (select chain, min(position) as first from audit_record group by chain) kept on kept.chain = r.chain
) records
group by transaction
having bool_and(of_rows_only) and not bool_or(is_cut)
  and bool_or(case when of_rows_only then strpos(entry, ',"rowDigests":"') > 0 end)
limit $1;

-- select-contradicting-consignment-event
-- packages/service/src/audit/row-queries.ts
select row(e.chain, e.position, e.index)::text as key
from (select *, row_number() over (partition by chain, position order by index) as number from consignment_event) e
left join audit_record r on r.chain = e.chain and r.position = e.position
where r.position is null or strpos(r.entry, '"eventsDigest":"') = 0
  or e.index <> e.number or e.recorded_at <> r.recorded_at or e.at <> date_trunc('milliseconds', e.at) or not starts_with(e.entry, '{"at":"' || api_time(e.at) || '"')
limit $1;

-- select-contradicting-feed-access
-- packages/service/src/audit/row-queries.ts
select row(e.chain, e.position, e.index)::text as key
from (select *, row_number() over (partition by chain, position order by index) as number from feed_access) e
left join audit_record r on r.chain = e.chain and r.position = e.position
where r.position is null or strpos(r.entry, '"feedAccesses":[') = 0
  or e.index <> e.number or e.recorded_at <> r.recorded_at or e.at <> date_trunc('milliseconds', e.at)
limit $1;

-- select-contradicting-feed-state
-- packages/service/src/audit/row-queries.ts
select row(coalesce(s.kind, e.kind), coalesce(s.owner, e.owner))::text as key
from (select * from feed_state where kind <> all ('{6}')) s
full join (
  select 1 as kind, owner, max(position) as last, count(*) as entries from validation_status group by owner
  union all
  select 2 as kind, owner, max(position) as last, count(*) as entries from routing_signal group by owner
  union all
  select 7 as kind, owner, max(position) as last, count(*) as entries from movement_status group by owner
) e on e.kind = s.kind and e.owner = s.owner
where s.position is distinct from e.last or s.position - s.removed_position is distinct from e.entries
limit $1;

-- select-contradicting-house-consignment
-- packages/service/src/audit/row-queries.ts
select h.id::text as key from house_consignment h
left join lateral (
  select d.number, nullif(d.routing, 'UNDECIDED') as routing, d.routing_control_location as location
  from routing_decision d where d.house_consignment_id = h.id and d.takes_effect
  order by d.number desc limit 1
) last on true
-- Servers of the release before registered decisions without a row.
where (h.routing, h.routing_control_location) is distinct from case
    when last.number is null then (h.registered_routing, h.registered_control_location)
    else (last.routing, last.location) end
limit $1;

-- select-contradicting-house-consignment-keys
-- packages/service/src/audit/row-queries.ts
select id::text as key from house_consignment
where (document_key, master_document_key)
  is distinct from (identifier_key(document_number), identifier_key(master_document_number))
limit $1;

-- select-contradicting-movement-status
-- packages/service/src/audit/row-queries.ts
select row(s.owner, s.position)::text as key from movement_status s
where not starts_with(s.entry,
    '{"requestId":"' || s.id || '","status":"' || case when s.failed then 'FAILURE' else 'SUCCESS' end || '"')
limit $1;

-- select-contradicting-routing-signal
-- packages/service/src/audit/row-queries.ts
select row(s.owner, s.position)::text as key from routing_signal s
where strpos(s.entry, ',"routingResult":{"id":"' || s.id || '","routing":"') = 0
limit $1;

-- select-contradicting-signal-recipient
-- packages/service/src/audit/row-queries.ts
select row(s.house_consignment_id, s.organisation_id)::text as key from signal_recipient s
left join house_consignment h on h.id = s.house_consignment_id
where s.awaits_decision is distinct from
  case when s.first_presented_at is not null and h.id is not null and h.routing is null then true end
limit $1;

-- select-contradicting-validation-status
-- packages/service/src/audit/row-queries.ts
select row(s.owner, s.position)::text as key from validation_status s
left join declaration e on e.id = s.ens_id
where not starts_with(s.entry,
    '{"requestId":"' || s.id || '","status":"' || case when s.failed then 'FAILURE' else 'SUCCESS' end || '"')
  or (s.ens_id is null) <> (nullif(split_part(split_part(s.entry, ',"mrn":"', 2), '"', 1), '') is null)
  or e.mrn <> nullif(split_part(split_part(s.entry, ',"mrn":"', 2), '"', 1), '')
  or s.ens_id is not null and e.id is null
    and exists (select from declaration other where other.mrn = nullif(split_part(split_part(s.entry, ',"mrn":"', 2), '"', 1), ''))
limit $1;

-- select-contradicting-withdrawn-house-consignment-keys
-- packages/service/src/audit/row-queries.ts
select id::text as key from withdrawn_house_consignment
where (document_key, master_document_key)
  is distinct from (identifier_key(document_number), identifier_key(master_document_number))
limit $1;

-- select-feed-accesses
-- packages/service/src/audit/verification-queries.ts
select kind as feed, owner, client_id as client, first_position as first, last_position as last,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
from feed_access where chain = $1 and position = $2 order by index;

-- select-feed-starts
-- packages/service/src/audit/verification-queries.ts
select kind as feed, owner, removed_position as position from feed_state
where removed_position > 0 order by kind, owner;

-- select-stored-chain-ends
-- packages/service/src/audit/verification-queries.ts
select chain, position, encode(digest, 'hex') as digest from audit_chain_end where position > 0 order by chain;

-- upsert-audit-export
-- packages/service/src/audit/removal-queries.ts
insert into audit_export (until, sha256, ends) values ($1, $2, $3)
on conflict (until) do update
set sha256 = excluded.sha256, ends = excluded.ends, exported_at = excluded.exported_at;

-- upsert-audit-removal
-- packages/service/src/audit/removal-queries.ts
insert into audit_removal (kind, until, ends) values ($1, $2, $3)
on conflict (kind) do update set until = excluded.until, ends = excluded.ends;
