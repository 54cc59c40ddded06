// Retention of the audit trail: whole months are removed, records only after they were exported and verified. A record of
// the trail says so.
import type { Database } from '../database/database.js';
import { dropPartitions, listPartitions, type PartitionedTable } from '../database/partitions.js';
import { AuditTrail } from './audit-trail.js';
import { REMOVAL } from './queries.js';
import {
  keepRows,
  type Removal,
  selectExport,
  selectRemovals,
  upsertRemoval,
} from './removal-queries.js';

const makeTable = (table: string): PartitionedTable => ({
  table,
  column: 'recorded_at',
  interval: 'month',
});

export const auditRecords = makeTable('audit_record');
const feedAccesses = makeTable('feed_access');

/** The tables of the audit trail, which grow with every change and every read. */
export const auditTables = [auditRecords, makeTable('consignment_event'), feedAccesses];

/** Removes the exported months that ended before a time: records, and what belongs to them. */
export async function removeRecords(database: Database, before: Date, now: Date): Promise<void> {
  const [month] = await database.query(selectExport(before));
  if (month === undefined) return;
  const until = await recordRemoval(database, { kind: 'records', ...month }, now);
  for (const table of auditTables) await dropPartitions(database, table, until);
}

/** Removes the months of feed accesses that ended before a time. The records have the same accesses. */
export async function removeFeedAccesses(
  database: Database,
  before: Date,
  now: Date,
): Promise<void> {
  const until = (await listPartitions(database, feedAccesses))
    .flatMap((partition) => partition.until ?? [])
    .findLast((end) => end <= before);
  if (until === undefined) return;
  await recordRemoval(database, { kind: 'feed accesses', until, ends: [] }, now);
  await dropPartitions(database, feedAccesses, until);
}

/**
 * Records what is about to be removed, so that a chain is continued and verified from there.
 *
 * @returns the time before which all is removed; later than `until` if more was removed already
 */
async function recordRemoval(database: Database, removal: Removal, now: Date): Promise<Date> {
  const removals = await database.query(selectRemovals);
  const previous = removals.find(({ kind }) => kind === removal.kind);
  if (previous !== undefined && previous.until >= removal.until) return previous.until;
  const { kind, until, ends } = removal;
  await database.transact(async (transaction) => {
    if (kind === 'records') await transaction.query(keepRows(until));
    await transaction.query(upsertRemoval(removal));
    await new AuditTrail().record(transaction, {
      at: now,
      actor: undefined,
      requestId: undefined,
      action: REMOVAL,
      details: { what: kind, until, ends },
    });
  });
  return until;
}
