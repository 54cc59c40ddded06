// Reads a document for the authority.
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { DocumentNotFoundError } from './document-errors.js';
import { type DocumentRow, selectContent, selectDocument } from './queries.js';

/** How much is read at once, in bytes. */
const PART_BYTES = 1024 * 1024;

/**
 * A document with its file. It is recorded as read before anything of it is sent.
 *
 * @throws DocumentNotFoundError
 */
export async function readDocument(
  database: Database,
  audit: AuditTrail,
  documentId: string,
  context: AuditContext,
): Promise<DocumentRow & { content: Buffer }> {
  const document = await database.transact(async (transaction) => {
    const [found] = await transaction.query(selectDocument(documentId));
    if (found === undefined) throw new DocumentNotFoundError();
    const { declarationId, size, sha256 } = found;
    const details = { documentId, declarationId, size, sha256 };
    await audit.record(transaction, { ...context, action: 'document.read', details });
    return found;
  }, 'writes');
  const parts: Buffer[] = [];
  for (let from = 0; from < document.size; from += PART_BYTES) {
    const [part] = await database.query(selectContent(documentId, from, PART_BYTES));
    // Retention has removed it meanwhile.
    if (part === undefined) throw new DocumentNotFoundError();
    parts.push(part.content);
  }
  return { ...document, content: Buffer.concat(parts) };
}
