// A register that did not answer confirms documents: the messages that wait for them lose their reasons.
import type { DocumentKey } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { MAX_HELD_MS } from '../feed/commit-apart.js';
import { transactOnFeeds } from '../feed/transact-on-feeds.js';
import { newId } from '../new-id.js';
import type { Registry } from '../registry/register.js';
import { lockWaiting } from './complete-waiting.js';
import { beginRecording } from './lodging-queries.js';

/** What confirming needs. */
export type Confirming = Pick<Registry, 'expectedOnly' | 'profiles'> & {
  database: Database;
  audit: AuditTrail;
  /** Is called with presented goods that can be decided now; resolves when they are. */
  notePresented: (houses: readonly string[]) => Promise<void>;
  /** The time of a clock that may have been moved; without it, the database's. */
  movedClock: (() => Date) | undefined;
};

/**
 * Confirms documents to all messages that wait for them. The documents are not registered, so whoever cites one later asks the
 * register again.
 *
 * @throws HeldTooLongError, DatabaseUnavailableError; once more, it does what is left
 */
export async function confirmDocuments(
  confirming: Confirming,
  documents: readonly DocumentKey[],
): Promise<void> {
  const { database, audit, notePresented, movedClock } = confirming;
  const undecided = await transactOnFeeds(
    database,
    async (transaction) => {
      const waiting = await lockWaiting(transaction, confirming, documents);
      const [begun] = await transaction.query(beginRecording([], movedClock?.()));
      if (begun === undefined) throw new Error('the time of a commit was not returned');
      const { at } = begun;
      const by = { at, actor: undefined, requestId: newId() };
      const completed = await waiting.complete(by);
      if (completed.mrns.length > 0) {
        await audit.record(transaction, {
          at,
          actor: undefined,
          requestId: undefined,
          action: 'reference-documents.confirmed',
          details: { documents: documents.length, verified: completed.mrns },
        });
      }
      return completed.undecided;
    },
    'large',
    MAX_HELD_MS,
  );
  if (undecided.length > 0) await notePresented(undecided);
}
