// SQL of exporting months of the audit trail, and of what retention has removed.
import type { Statement } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';
import type { NamedEnd } from './read-record.js';

/** What retention removes, each with a time of its own. */
export type RemovalKind = 'records' | 'feed accesses';

/** All that was recorded before `until` is removed; `ends`: where the chains ended then. */
export type Removal = { kind: RemovalKind; until: Date; ends: NamedEnd[] };

export const selectRemovals: Statement<Removal> = {
  name: 'select-audit-removals',
  text: 'select kind, until, ends from audit_removal order by kind',
  values: [],
};

export function upsertRemoval({ kind, until, ends }: Removal): Statement {
  return {
    name: 'upsert-audit-removal',
    text: `
      insert into audit_removal (kind, until, ends) values ($1, $2, $3)
      on conflict (kind) do update set until = excluded.until, ends = excluded.ends`,
    values: [kind, until, JSON.stringify(ends)],
  };
}

/** Keeps what the records before a time say of rows of other tables, before these records count as removed. */
export function keepRows(before: Date): Statement {
  return {
    name: 'keep-audited-rows',
    text: 'select keep_audited_rows($1)',
    values: [before],
  };
}

/** An exported month: all records until a time. */
export type ExportRow = { until: Date; ends: NamedEnd[] };

/** The last exported month that ended before a time. */
export function selectExport(before: Date): Statement<ExportRow> {
  return {
    name: 'select-audit-export',
    text: 'select until, ends from audit_export where until <= $1 order by until desc limit 1',
    values: [before],
  };
}

export function upsertExport(until: Date, sha256: string, ends: readonly NamedEnd[]): Statement {
  return {
    name: 'upsert-audit-export',
    text: `
      insert into audit_export (until, sha256, ends) values ($1, $2, $3)
      on conflict (until) do update
      set sha256 = excluded.sha256, ends = excluded.ends, exported_at = excluded.exported_at`,
    values: [until, sha256, JSON.stringify(ends)],
  };
}

/** Waits until nobody appends to a chain: everything that was appended before is committed then. */
export function awaitChain(chain: number): Statement {
  return {
    name: 'await-audit-chain',
    text: `
      select pg_advisory_xact_lock_shared(${AUDIT_LOCK}, $1)`,
    values: [chain],
  };
}

/** A record of a month. */
export type MonthRecordRow = {
  position: number;
  digest: string;
  recordedAt: string;
  entry: string;
};

/** The times between which a month was recorded; without `from`, all that is older. */
export type MonthBounds = { from: Date | undefined; until: Date };

export function selectMonthRecords(
  chain: number,
  after: number,
  { from, until }: MonthBounds,
  limit: number,
): Statement<MonthRecordRow> {
  return {
    name: 'select-audit-month',
    text: `
      select position, encode(digest, 'hex') as digest, api_time(recorded_at) as "recordedAt", entry from audit_record
      where chain = $1 and position > $2 and recorded_at >= $3 and recorded_at < $4
      order by position limit $5`,
    values: [chain, after, from ?? '-infinity', until, limit],
  };
}

/** An event of a house consignment, as its record has a digest of it. */
export type MonthEventRow = { houseConsignmentId: string; at: string; entry: string };

export function selectMonthEvents(
  chain: number,
  position: number,
  { from, until }: MonthBounds,
): Statement<MonthEventRow> {
  return {
    name: 'select-audit-month-events',
    text: `
      select house_consignment_id as "houseConsignmentId", api_time(at) as at, entry from consignment_event
      where chain = $1 and position = $2 and recorded_at >= $3 and recorded_at < $4 order by index`,
    values: [chain, position, from ?? '-infinity', until],
  };
}
