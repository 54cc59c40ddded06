// The audit trail: one record for each transaction that changes something, appended in that same transaction.
import { createHash } from 'node:crypto';
import type { Statement, Transaction } from '../database/database.js';
import { type AuditEntry, type ConsignmentEvent, renderEntry, renderEvent } from './audit-entry.js';
import { insertRecord } from './queries.js';

// For statements that write rows and know what their record says only then.
export { appendKeptRecord, keepRecord } from './queries.js';

/** The action of a record that says which entries of feeds retention has removed: `details.removed`. */
export const EXPIRY = 'feed-entries.expired';

/** Appends records to the audit trail. */
export class AuditTrail {
  readonly #times: 'given' | 'database';

  /** @param times whether records have the time that they are given, or that of the database, which no server's clock changes */
  constructor(times: 'given' | 'database' = 'given') {
    this.#times = times;
  }

  /**
   * Records what the transaction does. Call it right before the commit: it takes the last lock of the transaction, and
   * other writers cannot use the chain until the transaction ends.
   *
   * @param events what happened to single house consignments; the record has a digest of them
   */
  async record(
    transaction: Transaction,
    entry: AuditEntry,
    events: readonly ConsignmentEvent[] = [],
  ): Promise<void> {
    for (const statement of this.statements(entry, events)) await transaction.query(statement);
  }

  /** The statements of `record`, to end a transaction that is sent in one round trip. */
  statements(entry: AuditEntry, events: readonly ConsignmentEvent[] = []): Statement[] {
    const rows = events.map((event) => ({
      houseConsignmentId: event.houseConsignmentId,
      entry: renderEvent(entry, event),
    }));
    const details =
      rows.length === 0
        ? entry.details
        : { ...entry.details, events: rows.length, eventsDigest: digestOf(rows) };
    const usesDatabaseTime = this.#times === 'database';
    const text = renderEntry({ ...entry, at: usesDatabaseTime ? undefined : entry.at, details });
    return [insertRecord(text, usesDatabaseTime, entry.at, rows)];
  }
}

function digestOf(rows: readonly { houseConsignmentId: string; entry: string }[]): string {
  const hash = createHash('sha256');
  for (const { houseConsignmentId, entry } of rows) hash.update(`${houseConsignmentId} ${entry}\n`);
  return hash.digest('hex');
}
