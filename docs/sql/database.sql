-- The SQL of packages/service/src/database/. Generated: change the sources, then npm run generate.

-- advance-removal-time
-- packages/service/src/database/removal-queries.ts
with clock as materialized (select clock_timestamp() as now)
insert into removal_time as removal (time, read_at) select now, now from clock
on conflict (is_only) do update set read_at = excluded.read_at, time = least(excluded.time, case
  when excluded.read_at - removal.read_at between interval '0' and interval '1 day'
  then removal.time + (excluded.read_at - removal.read_at) * 24
  else removal.time
end)
returning (extract(epoch from read_at) * 1000)::double precision as now,
  (extract(epoch from time) * 1000)::double precision as time;

-- announce
-- packages/service/src/database/queries.ts
select set_config('synchronous_commit', 'off', true), pg_notify('landfall', $1);

-- begin-session
-- packages/service/src/database/queries.ts
select count(set_config(name, value, false)), pg_backend_pid() as pid,
  case when not pg_is_in_recovery() then
    (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)
      || '/' || extract(epoch from pg_postmaster_start_time())
  end as history,
  case when not pg_is_in_recovery() then
    (select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database())
      || '/' || to_regclass('organisation')::oid
  end as data,
  pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"
from unnest($1::text[], $2::text[]) as setting (name, value);

-- confirm-commit
-- packages/service/src/database/queries.ts
select pg_logical_emit_message(true, 'landfall', '');

-- delete-backfill-progress
-- packages/service/src/database/queries.ts
delete from migration_progress where name = $1;

-- find-migration-table
-- packages/service/src/database/queries.ts
select to_regclass('migration') is not null as exists;

-- find-working-backends
-- packages/service/src/database/queries.ts
select pid from pg_stat_activity
where pid = any($1::integer[]) and (state = 'active' or state_change > clock_timestamp() - interval '1 second');

-- forget-attached
-- packages/service/src/database/partition-queries.ts
delete from detached_partition d
where parent = $1 and exists (select from pg_inherits i where i.inhrelid = d.partition and not i.inhdetachpending);

-- forget-detaching
-- packages/service/src/database/partition-queries.ts
delete from detached_partition where partition = $1::bigint::oid;

-- insert-history
-- packages/service/src/database/standby-queries.ts
insert into primary_history (timeline) values (left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)) on conflict do nothing;

-- insert-migration
-- packages/service/src/database/queries.ts
insert into migration (name, digest, oldest_version) values ($1, $2, $3);

-- record-detaching
-- packages/service/src/database/partition-queries.ts
insert into detached_partition (partition, name, parent, until)
select oid, relname, $2, $3 from pg_class where oid = $1::bigint::oid and relispartition
returning name;

-- record-migrated-rows
-- packages/service/src/database/queries.ts
select append_audit_record(3, '{"action":"migrated","details":{}}');

-- require-transaction
-- packages/service/src/database/queries.ts
select case when not current_setting('transaction_deferrable')::boolean then pg_terminate_backend(pg_backend_pid()) end;

-- save-backfill-progress
-- packages/service/src/database/queries.ts
insert into migration_progress (name, position, rows) values ($1, $2, $3)
on conflict (name) do update set position = excluded.position, rows = excluded.rows;

-- select-applied-migrations
-- packages/service/src/database/queries.ts
select name, digest, to_jsonb(migration) ->> 'oldest_version' as "oldestVersion" from migration order by name;

-- select-backfill-progress
-- packages/service/src/database/queries.ts
select position, rows from migration_progress where name = $1;

-- select-database-time
-- packages/service/src/database/queries.ts
select clock_timestamp() as now;

-- select-database-version
-- packages/service/src/database/queries.ts
select current_setting('server_version') as version;

-- select-detached-partitions
-- packages/service/src/database/partition-queries.ts
select d.partition::bigint as id, d.name, d.partition::regclass::text as table
from detached_partition d
join pg_class c on c.oid = d.partition and c.relname = d.name and c.relkind = 'r' and not c.relispartition
where d.parent = $1 and d.until <= $2
order by d.until;

-- select-estimated-rows
-- packages/service/src/database/queries.ts
select reltuples::bigint as rows from pg_class where oid = to_regclass($1);

-- select-has-rows-audit_record
-- packages/service/src/database/partition-queries.ts
select exists (select from audit_record) as "hasRows";

-- select-has-rows-consignment_event
-- packages/service/src/database/partition-queries.ts
select exists (select from consignment_event) as "hasRows";

-- select-has-rows-feed_access
-- packages/service/src/database/partition-queries.ts
select exists (select from feed_access) as "hasRows";

-- select-histories
-- packages/service/src/database/standby-queries.ts
select token from primary_history order by timeline desc;

-- select-history-of-standby
-- packages/service/src/database/standby-queries.ts
select token as history from primary_history order by timeline desc limit 1;

-- select-index-state
-- packages/service/src/database/queries.ts
select indisvalid as valid from pg_index where indexrelid = to_regclass($1);

-- select-noted-rows
-- packages/service/src/database/queries.ts
select where nullif(current_setting('landfall.audited_rows', true), '') is not null;

-- select-partitions
-- packages/service/src/database/partition-queries.ts
select id, name, (extract(epoch from substring(bounds from 'FROM \(''([^'']+)''')::timestamptz) * 1000)::double precision as from,
  (extract(epoch from substring(bounds from 'TO \(''([^'']+)''')::timestamptz) * 1000)::double precision as until,
  detaching as "isDetaching",
  exists (select from detached_partition d where d.partition = partition.id::oid) as "isRecorded"
from (
  select c.oid::bigint as id, relname as name, pg_get_expr(relpartbound, c.oid) as bounds, inhdetachpending as detaching
  from pg_inherits join pg_class c on c.oid = inhrelid
  where inhparent = to_regclass($1)
) partition
order by 3 nulls first;

-- select-primary
-- packages/service/src/database/standby-queries.ts
select (select token from primary_history where timeline = left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)) as history, (pg_current_wal_flush_lsn() - '0/0')::bigint as flushed;

-- select-standby
-- packages/service/src/database/standby-queries.ts
select pg_is_in_recovery() as "isStandby", (pg_last_wal_replay_lsn() - '0/0')::bigint as replayed;

-- try-session-lock
-- packages/service/src/database/queries.ts
select pg_try_advisory_lock(4, $1) as taken;

-- verify-session
-- packages/service/src/database/queries.ts
select pg_backend_pid() as pid,
  case when not pg_is_in_recovery() then
    (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)
      || '/' || extract(epoch from pg_postmaster_start_time())
  end as history,
  case when not pg_is_in_recovery() then
    (select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database())
      || '/' || to_regclass('organisation')::oid
  end as data,
  pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly";
