// SQL of sessions, the time, announcements, session locks and migrations.
import type { Statement } from './database.js';
import { SESSION_LOCK } from './locks.js';

/** The channel of LISTEN and NOTIFY. */
export const ANNOUNCEMENT_CHANNEL = 'landfall';

/**
 * What is read of a session: the process id of the backend, whether it accepts no writes, what identifies the history of a
 * primary (the cluster, its start, and its timeline, which every promotion changes), and what identifies the data: another
 * cluster, database or table was restored from a backup, or copied. Null while there are no tables.
 */
const sessionState = `pg_backend_pid() as pid,
      case when not pg_is_in_recovery() then
        (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)
          || '/' || extract(epoch from pg_postmaster_start_time())
      end as history,
      case when not pg_is_in_recovery() then
        (select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database())
          || '/' || to_regclass('organisation')::oid
      end as data,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`;

/** What `sessionState` selects. */
type SessionState = {
  pid: number;
  readOnly: boolean;
  history: string | null;
  data: string | null;
};

/** Reads the state of a session. */
export const verifySession: Statement<SessionState> = {
  name: 'verify-session',
  text: `
    select ${sessionState}`,
  values: [],
};

/** The time of the database. */
export const selectDatabaseTime: Statement<{ now: Date }> = {
  name: 'select-database-time',
  text: 'select clock_timestamp() as now',
  values: [],
};

/** Sets what a new session is set to, and reads its state. */
export function beginSession(settings: Readonly<Record<string, string>>): Statement<SessionState> {
  return {
    name: 'begin-session',
    text: `
    select count(set_config(name, value, false)), ${sessionState}
    from unnest($1::text[], $2::text[]) as setting (name, value)`,
    values: [Object.keys(settings), Object.values(settings)],
  };
}

/** Ends its own session unless a deferrable transaction was begun. */
export const requireTransaction: Statement = {
  name: 'require-transaction',
  text: `
    select case when not current_setting('transaction_deferrable')::boolean then pg_terminate_backend(pg_backend_pid()) end`,
  values: [],
};

/** The version of PostgreSQL, such as `17.5 (Debian 17.5-1)`; that of the embedded database has no addition. */
export const selectDatabaseVersion: Statement<{ version: string }> = {
  name: 'select-database-version',
  text: `select current_setting('server_version') as version`,
  values: [],
};

/** Which of these backends are working, or responded so recently that the response may not have arrived yet. */
export function findWorkingBackends(backends: readonly number[]): Statement<{ pid: number }> {
  return {
    name: 'find-working-backends',
    text: `
      select pid from pg_stat_activity
      where pid = any($1::integer[]) and (state = 'active' or state_change > clock_timestamp() - interval '1 second')`,
    values: [backends],
  };
}

/** Writes something of no effect, so that the commit waits for the standbys. */
export const confirmCommit: Statement = {
  name: 'confirm-commit',
  text: `select pg_logical_emit_message(true, 'landfall', '')`,
  values: [],
};

/** Sends a message to all servers. It need not reach the disk before the response. */
export function announce(message: string): Statement {
  return {
    name: 'announce',
    text: `
      select set_config('synchronous_commit', 'off', true), pg_notify('${ANNOUNCEMENT_CHANNEL}', $1)`,
    values: [message],
  };
}

/** Takes a lock until the end of the session, if it is free. */
export function tryLock(number: number): Statement<{ taken: boolean }> {
  return {
    name: 'try-session-lock',
    text: `select pg_try_advisory_lock(${SESSION_LOCK}, $1) as taken`,
    values: [number],
  };
}

/** Whether the table of applied migrations exists. */
export const findMigrationTable: Statement<{ exists: boolean }> = {
  name: 'find-migration-table',
  text: `select to_regclass('migration') is not null as exists`,
  values: [],
};

/** An applied migration: the digest of its file, and the oldest version whose servers work with it. */
export type AppliedMigration = { name: string; digest: string; oldestVersion: string | null };

/** The table of older versions has no column `oldest_version`. */
export const selectAppliedMigrations: Statement<AppliedMigration> = {
  name: 'select-applied-migrations',
  text: `
    select name, digest, to_jsonb(migration) ->> 'oldest_version' as "oldestVersion" from migration order by name`,
  values: [],
};

export function insertMigration(name: string, digest: string, oldestVersion: string): Statement {
  return {
    name: 'insert-migration',
    text: 'insert into migration (name, digest, oldest_version) values ($1, $2, $3)',
    values: [name, digest, oldestVersion],
  };
}

/** A row if the transaction has written rows that the audit trail covers, and has not recorded them. */
export const selectNotedRows: Statement = {
  name: 'select-noted-rows',
  text: `select where nullif(current_setting('landfall.audited_rows', true), '') is not null`,
  values: [],
};

/** Records the rows of a batch that the audit trail covers. */
export const recordMigratedRows: Statement = {
  name: 'record-migrated-rows',
  text: `select append_audit_record(3, '{"action":"migrated","details":{}}')`,
  values: [],
};

/** The tables of applied migrations, and of those in batches that are not finished. */
export const createMigrationTables = `
  create table if not exists migration (
    name text collate "C" primary key, digest text not null, applied_at timestamptz not null default now());
  alter table migration add column if not exists oldest_version text collate "C";
  create table if not exists migration_progress (
    name text collate "C" primary key, position text not null, rows bigint not null)`;

/** How far a migration in batches has come: the position of its last batch, and how many rows it has processed. */
export type BackfillProgress = { position: string | null; rows: number };

export function selectBackfillProgress(name: string): Statement<BackfillProgress> {
  return {
    name: 'select-backfill-progress',
    text: 'select position, rows from migration_progress where name = $1',
    values: [name],
  };
}

export function saveBackfillProgress(
  name: string,
  { position, rows }: BackfillProgress,
): Statement {
  return {
    name: 'save-backfill-progress',
    text: `
      insert into migration_progress (name, position, rows) values ($1, $2, $3)
      on conflict (name) do update set position = excluded.position, rows = excluded.rows`,
    values: [name, position, rows],
  };
}

export function deleteBackfillProgress(name: string): Statement {
  return {
    name: 'delete-backfill-progress',
    text: 'delete from migration_progress where name = $1',
    values: [name],
  };
}

/** How many rows a table has, as PostgreSQL estimates it; -1 if it has no estimate. */
export function selectEstimatedRows(table: string): Statement<{ rows: number }> {
  return {
    name: 'select-estimated-rows',
    text: 'select reltuples::bigint as rows from pg_class where oid = to_regclass($1)',
    values: [table],
  };
}

/** Whether an index is valid; no row if it does not exist. */
export function selectIndexState(index: string): Statement<{ valid: boolean }> {
  return {
    name: 'select-index-state',
    text: 'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    values: [index],
  };
}
