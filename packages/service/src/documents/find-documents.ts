// Finds the documents of a declaration for the authority. Each page is recorded, because names of files say much.
import { type DocumentQuery, PAGE_LIMIT } from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { selectDocuments } from './queries.js';

/** Documents, each as JSON text, and the marker of the next page if there may be more. */
export type DocumentPage = { entries: readonly string[]; next: string | undefined };

export async function findDocuments(
  database: Database,
  audit: AuditTrail,
  { limit = PAGE_LIMIT, ...query }: DocumentQuery,
  context: AuditContext,
): Promise<DocumentPage> {
  return database.transact(async (transaction) => {
    const rows = await transaction.query(selectDocuments(query, limit));
    const details = { declarationId: query.declarationId, documents: rows.length };
    await audit.record(transaction, { ...context, action: 'document.found', details });
    const next = rows.length === limit ? rows.at(-1)?.id : undefined;
    return { entries: rows.map(({ body }) => body), next };
  }, 'writes');
}
