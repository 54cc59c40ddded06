-- The SQL of packages/service/src/audit/. Generated: change the sources, then npm run generate.

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
) entry
group by list;

-- find-removed-entries
-- packages/service/src/audit/verification-queries.ts
select distinct list from unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[]) with ordinality as listed (list, feed, owner, first, last, number)
join feed_state s on s.kind = listed.feed and s.owner = listed.owner and s.removed_position >= listed.first;

-- insert-audit-record
-- packages/service/src/audit/queries.ts
with recorded as (
  select chain, position from append_audit_record(3, $1)
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

-- record-audit-verification
-- packages/service/src/audit/verification-queries.ts
insert into audit_verification (at, records, breaks, records_only) values ($1, $2, $3, $4)
on conflict (single) do update
set at = excluded.at, records = excluded.records, breaks = excluded.breaks, records_only = excluded.records_only;

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
select position, digest, entry, recorded_at as "recordedAt" from audit_record
where chain = $1 and position > $2 order by position limit $3;

-- select-audit-removals
-- packages/service/src/audit/removal-queries.ts
select kind, until, ends from audit_removal order by kind;

-- select-audit-verification
-- packages/service/src/audit/verification-queries.ts
select at, records, breaks, records_only as "recordsOnly" from audit_verification;

-- select-consignment-events
-- packages/service/src/audit/verification-queries.ts
select count(*) as count,
  encode(sha256(convert_to(coalesce(
    string_agg(house_consignment_id || ' ' || entry || E'\n', '' order by index), ''), 'UTF8')), 'hex') as digest
from consignment_event where chain = $1 and position = $2;

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
