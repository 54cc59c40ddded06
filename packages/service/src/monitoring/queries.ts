// SQL of the figures of all servers, and of what is known about the database and the audit trail.
import { type RelayFigure, relayFigures } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import type { CallerCount } from '../metrics/request-counts.js';
import type { Figures } from './figures.js';

/** How long figures are kept, in milliseconds: 25 hours. */
export const FIGURES_KEPT_MS = 25 * 3_600_000;

/** Maximum number of rows that one write removes; more are removed by the next ones. */
const MAX_REMOVED = 1000;

/** A row as it is written. */
export type WrittenFigures = {
  at: Date;
  server: string;
  startedAt: Date;
  version: string;
  isStopped: boolean;
  figures: Figures;
  callers: readonly CallerCount[];
  /** Rows of before this time are removed; `undefined`: none. */
  removeBefore: Date | undefined;
};

/** Writes a row and removes those that are too old, except rows that another server is removing. */
export function insertFigures(row: WrittenFigures): Statement {
  const { at, server, startedAt, version, isStopped, figures, callers, removeBefore } = row;
  return {
    name: 'insert-server-figures',
    text: `
      with removed as (
        delete from server_figures where (at, server) in (
          select at, server from server_figures where at < $8
          order by at, server limit ${MAX_REMOVED} for update skip locked
        )
      )
      insert into server_figures (at, server, started_at, version, is_stopped, figures, callers)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (at, server) do nothing`,
    values: [
      at,
      server,
      startedAt,
      version,
      isStopped,
      JSON.stringify(figures),
      JSON.stringify(callers),
      removeBefore ?? null,
    ],
  };
}

/** The figures of all servers in one minute. Counters are added up; gauges are those of the server with the highest value. */
export type Minute = {
  /** The end of the minute, in milliseconds since 1970. */
  at: number;
  servers: number;
  requests: number;
  refused: number;
  failed: number;
  presentations: number | null;
  writes: number | null;
  reads: number | null;
  tokens: number | null;
  commits: number;
  committed: number;
  queued: number;
  poolSessions: number | null;
  poolWaiting: number | null;
  processorShare: number;
  memoryBytes: number;
  droppedConnections: number;
  /** The lowest number that a server has seen. */
  replicas: number | null;
  replicationLag: number | null;
  /** The lowest number that a server has seen. */
  archiveLag: number | null;
  backupAge: number | null;
  /** Failures by task. */
  backgroundFailures: Record<string, number> | null;
} & { [figure in RelayFigure]: number | null };

const relayColumns = relayFigures.map((figure) => `"${figure}" bigint`).join(',\n          ');
const highestOfRelays = relayFigures
  .map((figure) => `max("${figure}")::double precision as "${figure}"`)
  .join(',\n        ');

/** The minutes after a time, oldest first; those in which no server reported are left out. */
export function selectMinutes(after: Date): Statement<Minute> {
  return {
    name: 'select-server-figures-by-minute',
    text: `
      with figures as materialized (
        select date_trunc('minute', at - interval '1 microsecond') + interval '1 minute' as minute, server, f.*,
          -- A row that covers several minutes, because earlier writes failed, counts as one of them.
          least(60 / seconds, 1) as share
        from server_figures, jsonb_to_record(figures) as f (
          seconds double precision, requests bigint, refused bigint, failed bigint, latencies jsonb, commits bigint, committed bigint,
          queued bigint, "poolSessions" bigint, "poolWaiting" bigint, "processorShare" double precision,
          "memoryBytes" bigint, "droppedConnections" bigint, ${relayColumns},
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
        ${highestOfRelays},
        min(replicas)::double precision as replicas, max("replicationLag") as "replicationLag",
        min("archiveLag") as "archiveLag", min("backupAge") as "backupAge",
        (select tasks from failure where failure.minute = figures.minute) as "backgroundFailures"
      from figures group by minute order by minute`,
    values: [after],
  };
}

/** The last row of a server. */
export type LastFigures = {
  server: string;
  at: Date;
  startedAt: Date;
  version: string;
  isStopped: boolean;
  figures: Figures;
};

/** Maximum number of servers that are listed: in a cluster that replaces servers, a day has many. */
const MAX_SERVERS = 200;

/** The last row of each server after a time, by name; if there are too many, those that reported last. */
export function selectServers(after: Date): Statement<LastFigures> {
  return {
    name: 'select-last-server-figures',
    text: `
      select server, at, started_at as "startedAt", version, is_stopped as "isStopped", figures
      from (
        select server, max(at) as at from server_figures where at > $1
        group by server order by max(at) desc limit ${MAX_SERVERS}
      ) last
      join server_figures using (server, at)
      order by server`,
    values: [after],
  };
}

/**
 * The organisations with the highest numbers of requests after a time, and those with the highest numbers of refused
 * ones, so many of each.
 */
export function selectCallers(after: Date, limit: number): Statement<CallerCount> {
  return {
    name: 'select-callers',
    text: `
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
      order by requests desc, organisation collate "C"`,
    values: [after, limit],
  };
}

/** The starts of servers after a time, the last one first. */
export function selectStarts(
  after: Date,
  limit: number,
): Statement<{ server: string; at: Date; version: string }> {
  return {
    name: 'select-server-starts',
    text: `
      select distinct server, started_at as at, version
      from server_figures where at > $1 and started_at > $1
      order by at desc, server limit $2`,
    values: [after, limit],
  };
}

/** A failed request of any server. Members are `null` that it does not have. */
export type FailedRow = {
  id: string;
  at: Date;
  server: string;
  method: string;
  route: string | null;
  status: number;
  organisation: string | null;
  reason: string;
};

/** The last failed requests after a time, newest first; with an id, only the one that has it. */
export function selectFailedRequests(
  after: Date,
  limit: number,
  id: string | undefined,
): Statement<FailedRow> {
  return {
    name: 'select-failed-requests',
    text: `
      select f.id, f.at, server, f.method, f.route, f.status, f.organisation, f.reason
      from server_figures, jsonb_to_recordset(figures -> 'failedRequests') as f (
        id uuid, at timestamptz, method text, route text, status integer, organisation text, reason text)
      where server_figures.at > $1 and ($3::uuid is null or f.id = $3::uuid)
      order by f.at desc, f.id limit $2`,
    values: [after, limit, id ?? null],
  };
}

/** A replica as PostgreSQL reports it. Members are `null` if the role may not read them. */
export type ReplicaRow = {
  name: string | null;
  state: string | null;
  lagBytes: number | null;
  lagSeconds: number | null;
};

/** The replicas that are connected. Without recent writes PostgreSQL has no lag in seconds: the replica has everything. */
export const selectReplicas: Statement<ReplicaRow> = {
  name: 'select-replicas',
  text: `
    select application_name as name, state,
      greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::double precision as "lagBytes",
      case when replay_lsn is not null then coalesce(extract(epoch from replay_lag), 0)::double precision end
        as "lagSeconds"
    from pg_stat_replication
    where state is distinct from 'backup'
    order by application_name, pid limit 100`,
  values: [],
};

/** What is known of backups. */
export type BackupRow = {
  /** Seconds since a part of the log was archived, if one waits for it; null if the log is not archived. */
  archiveLag: number | null;
  /** Seconds since a backup was completed; null if none has ever been reported. */
  backupAge: number | null;
};

/** A part of the log waits if the one after it has begun, or if archiving it has failed. */
export const selectBackups: Statement<BackupRow> = {
  name: 'select-backups',
  text: `
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
    ) archived`,
  values: [],
};
