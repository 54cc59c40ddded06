// The audit trail: one record for each transaction that changes something, appended in that same transaction.
import { createHash } from 'node:crypto';
import type { Statement, Transaction } from '../database/database.js';
import { type AuditEntry, type ConsignmentEvent, renderEntry, renderEvent } from './audit-entry.js';
import { insertRecord, lockChain } from './queries.js';

/** Records what happens on this server. */
export class AuditTrail {
  /**
   * Records what the transaction does. It takes the last lock of the transaction, so it comes after all others, and
   * best right before the commit: whoever holds a chain keeps others from it.
   *
   * @param events what became of single house consignments and is told nowhere else; their record holds a digest
   *   of them
   */
  async record(
    transaction: Transaction,
    entry: AuditEntry,
    events: readonly ConsignmentEvent[] = [],
  ): Promise<void> {
    for (const statement of this.statements(entry, events)) await transaction.query(statement);
  }

  /** The same as the last statements of a transaction that is committed in one round trip. */
  statements(entry: AuditEntry, events: readonly ConsignmentEvent[] = []): Statement[] {
    const rows = events.map((event) => ({
      houseConsignmentId: event.houseConsignmentId,
      entry: renderEvent(entry, event),
    }));
    const details =
      rows.length === 0
        ? entry.details
        : { ...entry.details, events: rows.length, eventsDigest: digestOf(rows) };
    return [lockChain, insertRecord(renderEntry({ ...entry, details }), entry.at, rows)];
  }
}

function digestOf(rows: readonly { houseConsignmentId: string; entry: string }[]): string {
  const hash = createHash('sha256');
  for (const { houseConsignmentId, entry } of rows) hash.update(`${houseConsignmentId} ${entry}\n`);
  return hash.digest('hex');
}
