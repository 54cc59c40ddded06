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

-- select-shared-keys
-- packages/service/src/production/queries.ts
select e.mrn, array_agg(h.document_number order by h.document_number) as documents
from house_consignment h join entry_summary_declaration e on e.id = h.ens_id
where h.only_spelling is not null
group by e.mrn, h.document_type, h.document_key order by e.mrn limit $1;

-- select-time
-- packages/service/src/production/queries.ts
select (extract(epoch from clock_timestamp()) * 1000)::double precision as now;
