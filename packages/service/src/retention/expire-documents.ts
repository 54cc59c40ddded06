// Removes documents of customs declarations some time after they were uploaded.
import { deleteExpiredDocuments } from './document-queries.js';
import type { ExpiryContext } from './expire-entries.js';

/** Maximum number of documents of one step: the audit trail reads each file to note that it is gone. */
const MAX_DOCUMENTS = 10;

/**
 * Removes documents that were uploaded before a time.
 *
 * @returns how many each step has removed
 */
export async function* expireDocuments(
  { database, audit, clock }: ExpiryContext,
  before: Date,
): AsyncGenerator<number> {
  for (;;) {
    const removed = await database.transact(async (transaction) => {
      const documents = await transaction.query(deleteExpiredDocuments(before, MAX_DOCUMENTS));
      if (documents.length === 0) return 0;
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'documents.expired',
        details: { before, documents },
      });
      return documents.length;
    });
    if (removed === 0) return;
    yield removed;
  }
}
