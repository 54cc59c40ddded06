-- The SQL of packages/service/src/production/. Generated: change the sources, then npm run generate.

-- limit-lock-wait
-- packages/service/src/production/queries.ts
select set_config('lock_timeout', $1, true);

-- select-certificates
-- packages/service/src/production/queries.ts
select o.identifier as organisation, c.client_id as client, c.certificates
from client c join organisation o on o.id = c.organisation_id
where not c.blocked and not o.blocked and c.certificates <> '{}' and jsonb_array_length(c.keys) = 0
order by o.identifier, c.client_id;

-- select-database-state
-- packages/service/src/production/queries.ts
select clock_timestamp() as now, current_setting('server_version') as version, current_database() as name,
  pg_database_size(current_database())::double precision as "sizeBytes", pg_is_in_recovery() as "isStandby",
  a.*, current_setting('max_connections')::integer as "maxSessions",
  current_setting('archive_mode') <> 'off' as archives, r.last_archived_time as "lastArchivedAt",
  case when r.last_failed_time > coalesce(r.last_archived_time, '-infinity') then r.last_failed_time end
    as "archivingFailedAt"
from pg_stat_archiver r, (
  select count(*)::integer as sessions,
    (count(*) filter (where wait_event_type = 'Lock'))::integer as waiting,
    coalesce(extract(epoch from clock_timestamp() - min(query_start) filter (where wait_event_type = 'Lock')), 0)
      ::double precision as "longestWait",
    greatest(coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0), 0)::double precision
      as "oldestTransaction"
  from pg_stat_activity where backend_type = 'client backend'
) a;

-- select-lock-table-size
-- packages/service/src/production/queries.ts
select current_setting('max_locks_per_transaction')::integer
  * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer) as locks;

-- select-server-settings
-- packages/service/src/production/queries.ts
select current_setting('server_version_num')::integer as version,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('synchronous_standby_names') as synchronous_standby_names;

-- select-shared-keys
-- packages/service/src/production/queries.ts
select e.mrn, array_agg(h.document_number order by h.document_number) as documents
from house_consignment h join declaration e on e.id = h.ens_id
where h.only_spelling is not null
group by e.mrn, h.document_type, h.document_key order by e.mrn limit $1;

-- select-time
-- packages/service/src/production/queries.ts
select (extract(epoch from clock_timestamp()) * 1000)::double precision as now;
