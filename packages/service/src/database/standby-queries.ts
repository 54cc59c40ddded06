// SQL of reading from standbys: which history the primary has, and how far a standby has replayed it.
import type { Statement } from './database.js';

/** The current timeline of the primary, as it is in the name of a WAL file. */
const timeline = 'left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)';

/** The token of the primary's timeline; null before `insertHistory`. */
export const historyOfPrimary = `(select token from primary_history where timeline = ${timeline})`;

/** The state of the primary: everything that it has acknowledged is in its WAL up to `flushed`, in bytes. */
export type PrimaryRow = { history: string | null; flushed: number };

export const selectPrimary: Statement<PrimaryRow> = {
  name: 'select-primary',
  text: `
    select ${historyOfPrimary} as history, (pg_current_wal_flush_lsn() - '0/0')::bigint as flushed`,
  values: [],
};

export const insertHistory: Statement = {
  name: 'insert-history',
  text: `
    insert into primary_history (timeline) values (${timeline}) on conflict do nothing`,
  values: [],
};

/** The tokens of all histories of a database, the last one first. */
export const selectHistories: Statement<{ token: string }> = {
  name: 'select-histories',
  text: 'select token from primary_history order by timeline desc',
  values: [],
};

/** The state of a server: whether it is a standby, and up to where it has replayed the WAL, in bytes. */
type StandbyRow = { isStandby: boolean; replayed: number | null };

export const selectStandby: Statement<StandbyRow> = {
  name: 'select-standby',
  text: `
    select pg_is_in_recovery() as "isStandby", (pg_last_wal_replay_lsn() - '0/0')::bigint as replayed`,
  values: [],
};

/** The last history of a standby; no row before it has replayed one. */
export const selectHistory: Statement<{ history: string }> = {
  name: 'select-history-of-standby',
  text: 'select token as history from primary_history order by timeline desc limit 1',
  values: [],
};
