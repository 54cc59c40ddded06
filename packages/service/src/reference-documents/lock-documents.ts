// Which of two comes first: a document that is registered, or a message that is lodged while the register does not have it.
import type { DocumentKey } from '@landfall/contract';
import type { Transaction } from '../database/database.js';
import { lockDocuments, selectDocuments } from './queries.js';

/**
 * Locks documents that a register did not have, until the end of the transaction that stores who waits for them: whoever
 * registers one from now on sees who waits.
 *
 * @returns whether a document has become valid meanwhile
 */
export async function lockMissing(
  transaction: Transaction,
  keys: readonly DocumentKey[],
): Promise<(key: DocumentKey) => boolean> {
  if (keys.length === 0) return () => false;
  await transaction.query(lockDocuments(keys.map(nameOfDocument), true));
  // In a statement of its own: it sees what was committed before the lock was free.
  const rows = await transaction.query(selectDocuments(keys));
  const valid = new Set(rows.flatMap((row) => (row.state === 'VALID' ? nameOfDocument(row) : [])));
  return (key) => valid.has(nameOfDocument(key));
}

/** A document in one text. No kind contains a blank. */
export const nameOfDocument = ({ kind, reference }: DocumentKey) => `${kind} ${reference}`;
