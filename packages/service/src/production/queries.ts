// SQL of what production checks of PostgreSQL: before it starts, and while it runs.
import type { Statement } from '../database/database.js';

/** The version of the server, and the settings on which durability depends. */
export type ServerSettings = {
  version: number;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  synchronous_standby_names: string;
};

export const selectServerSettings: Statement<ServerSettings> = {
  name: 'select-server-settings',
  text: `
    select current_setting('server_version_num')::integer as version,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('synchronous_standby_names') as synchronous_standby_names`,
  values: [],
};

/** Documents of one declaration that differ only in spelling, and are goods of their own. */
export type SharedKey = { mrn: string; documents: string[] };

/** Goods that were registered before documents had keys, and share theirs: the first ones by MRN. */
export function selectSharedKeys(limit: number): Statement<SharedKey> {
  return {
    name: 'select-shared-keys',
    text: `
      select e.mrn, array_agg(h.document_number order by h.document_number) as documents
      from house_consignment h join declaration e on e.id = h.ens_id
      where h.only_spelling is not null
      group by e.mrn, h.document_type, h.document_key order by e.mrn limit $1`,
    values: [limit],
  };
}

/** The number of locks that the lock table of the server has space for. */
export const selectLockTableSize: Statement<{ locks: number }> = {
  name: 'select-lock-table-size',
  text: `
    select current_setting('max_locks_per_transaction')::integer
      * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer) as locks`,
  values: [],
};

/** The time of the database, in milliseconds since 1970. */
export const selectTime: Statement<{ now: number }> = {
  name: 'select-time',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now',
  values: [],
};

/** What PostgreSQL says of itself and of this database. Numbers of sessions are of those that the role may see. */
export type DatabaseState = {
  now: Date;
  version: string;
  name: string;
  sizeBytes: number;
  isStandby: boolean;
  sessions: number;
  maxSessions: number;
  /** Sessions that wait for a lock, and how long the first of them has waited, in seconds. */
  waiting: number;
  longestWait: number;
  /** The age of the oldest transaction, in seconds; vacuum cannot remove what is younger. */
  oldestTransaction: number;
  /** Whether the log is archived, as backups need it; the other two are of its archive. */
  archives: boolean;
  lastArchivedAt: Date | null;
  /** When archiving failed last, if it has not succeeded since. */
  archivingFailedAt: Date | null;
};

export const selectDatabaseState: Statement<DatabaseState> = {
  name: 'select-database-state',
  text: `
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
    ) a`,
  values: [],
};

/** The certificates of clients that have no key and are not blocked. */
export const selectCertificates: Statement<{
  organisation: string;
  client: string;
  certificates: string[];
}> = {
  name: 'select-certificates',
  text: `
    select o.identifier as organisation, c.client_id as client, c.certificates
    from client c join organisation o on o.id = c.organisation_id
    where not c.blocked and not o.blocked and c.certificates <> '{}' and jsonb_array_length(c.keys) = 0
    order by o.identifier, c.client_id`,
  values: [],
};

/** Limits for how long the transaction waits for a lock, in milliseconds. */
export function limitLockWait(ms: number): Statement {
  return {
    name: 'limit-lock-wait',
    text: `select set_config('lock_timeout', $1, true)`,
    values: [String(ms)],
  };
}
