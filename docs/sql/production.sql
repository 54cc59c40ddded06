-- The SQL of packages/service/src/production/. Generated: change the sources, then npm run generate.

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

-- select-time
-- packages/service/src/production/queries.ts
select (extract(epoch from clock_timestamp()) * 1000)::double precision as now;
