-- The SQL of packages/service/src/monitoring/. Generated: change the sources, then npm run generate.

-- insert-server-figures
-- packages/service/src/monitoring/queries.ts
with removed as (
  delete from server_figures where (at, server) in (
    select at, server from server_figures where at < $8
    order by at, server limit 1000 for update skip locked
  )
)
insert into server_figures (at, server, started_at, version, is_stopped, figures, callers)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (at, server) do nothing;

-- select-backups
-- packages/service/src/monitoring/queries.ts
select
  case
    when current_setting('archive_mode') = 'off' or pg_is_in_recovery() then null
    when last_failed_time > coalesce(last_archived_time, '-infinity') or is_behind
    then greatest(extract(epoch from clock_timestamp() - coalesce(last_archived_time, pg_postmaster_start_time())), 0)
    else 0
  end::double precision as "archiveLag",
  (select greatest(extract(epoch from clock_timestamp() - max(completed_at)), 0) from database_backup
    having count(*) > 0)::double precision as "backupAge"
from pg_stat_archiver
cross join (select setting::bigint as bytes from pg_settings where name = 'wal_segment_size') part
cross join lateral (
  select case when last_archived_wal ~ '^[0-9A-F]{24}' and not pg_is_in_recovery() then
    div(pg_current_wal_lsn() - '0/0', bytes) > 1
      + ('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * (4294967296 / bytes)
      + ('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint
  end as is_behind
) archived;

-- select-callers
-- packages/service/src/monitoring/queries.ts
with caller as materialized (
  select c.organisation, sum(c.requests)::double precision as requests,
    sum(c.refused)::double precision as refused, sum(c.failed)::double precision as failed
  from server_figures, jsonb_to_recordset(callers) as c (
    organisation text, requests bigint, refused bigint, failed bigint)
  where at > $1
  group by c.organisation
),
shown as (
  (select organisation from caller order by requests desc, organisation collate "C" limit $2)
  union
  (select organisation from caller where refused > 0
    order by refused desc, organisation collate "C" limit $2)
)
select caller.* from caller join shown using (organisation)
order by requests desc, organisation collate "C";

-- select-failed-requests
-- packages/service/src/monitoring/queries.ts
select f.id, f.at, server, f.method, f.route, f.status, f.organisation, f.reason
from server_figures, jsonb_to_recordset(figures -> 'failedRequests') as f (
  id uuid, at timestamptz, method text, route text, status integer, organisation text, reason text)
where server_figures.at > $1 and ($3::uuid is null or f.id = $3::uuid)
order by f.at desc, f.id limit $2;

-- select-last-server-figures
-- packages/service/src/monitoring/queries.ts
select server, at, started_at as "startedAt", version, is_stopped as "isStopped", figures
from (
  select server, max(at) as at from server_figures where at > $1
  group by server order by max(at) desc limit 200
) last
join server_figures using (server, at)
order by server;

-- select-replicas
-- packages/service/src/monitoring/queries.ts
select application_name as name, state,
  greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::double precision as "lagBytes",
  case when replay_lsn is not null then coalesce(extract(epoch from replay_lag), 0)::double precision end
    as "lagSeconds"
from pg_stat_replication
where state is distinct from 'backup'
order by application_name, pid limit 100;

-- select-server-figures-by-minute
-- packages/service/src/monitoring/queries.ts
with figures as materialized (
  select date_trunc('minute', at - interval '1 microsecond') + interval '1 minute' as minute, server, f.*,
    -- A row that covers several minutes, because earlier writes failed, counts as one of them.
    least(60 / seconds, 1) as share
  from server_figures, jsonb_to_record(figures) as f (
    seconds double precision, requests bigint, refused bigint, failed bigint, latencies jsonb, commits bigint, committed bigint,
    queued bigint, "poolSessions" bigint, "poolWaiting" bigint, "processorShare" double precision,
    "memoryBytes" bigint, "droppedConnections" bigint, "relayLag" bigint,
    "relaying" bigint,
    "relayHeld" bigint,
    "viewRelayLag" bigint,
    "relayingViews" bigint,
    "viewRelayHeld" bigint,
    "signalRelayLag" bigint,
    "relayingSignals" bigint,
    "signalRelayHeld" bigint,
    replicas bigint, "replicationLag" double precision, "archiveLag" double precision,
    "backupAge" double precision, "backgroundFailures" jsonb)
  where at > $1
),
failure as (
  select minute, jsonb_object_agg(task, failures) as tasks
  from (
    select minute, task, sum(count::bigint) as failures
    from figures, jsonb_each_text("backgroundFailures") as failed (task, count)
    group by minute, task
  ) by_task
  group by minute
)
select (extract(epoch from minute) * 1000)::double precision as at,
  count(distinct server)::integer as servers,
  sum(requests * share)::double precision as requests, sum(refused * share)::double precision as refused,
  sum(failed * share)::double precision as failed,
  max((latencies ->> 'presentations')::double precision) as presentations,
  max((latencies ->> 'writes')::double precision) as writes,
  max((latencies ->> 'reads')::double precision) as reads,
  max((latencies ->> 'tokens')::double precision) as tokens,
  sum(commits * share)::double precision as commits, sum(committed * share)::double precision as committed,
  max(queued)::double precision as queued,
  max("poolSessions")::double precision as "poolSessions",
  max("poolWaiting")::double precision as "poolWaiting",
  max("processorShare") as "processorShare", max("memoryBytes")::double precision as "memoryBytes",
  sum("droppedConnections")::double precision as "droppedConnections",
  max("relayLag")::double precision as "relayLag",
  max("relaying")::double precision as "relaying",
  max("relayHeld")::double precision as "relayHeld",
  max("viewRelayLag")::double precision as "viewRelayLag",
  max("relayingViews")::double precision as "relayingViews",
  max("viewRelayHeld")::double precision as "viewRelayHeld",
  max("signalRelayLag")::double precision as "signalRelayLag",
  max("relayingSignals")::double precision as "relayingSignals",
  max("signalRelayHeld")::double precision as "signalRelayHeld",
  min(replicas)::double precision as replicas, max("replicationLag") as "replicationLag",
  min("archiveLag") as "archiveLag", min("backupAge") as "backupAge",
  (select tasks from failure where failure.minute = figures.minute) as "backgroundFailures"
from figures group by minute order by minute;

-- select-server-starts
-- packages/service/src/monitoring/queries.ts
select distinct server, started_at as at, version
from server_figures where at > $1 and started_at > $1
order by at desc, server limit $2;
