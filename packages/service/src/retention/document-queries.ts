// SQL of the retention of documents.
import type { Statement } from '../database/database.js';

/** Deletes the oldest documents that were uploaded before a time; gives what each was. */
export function deleteExpiredDocuments(
  before: Date,
  limit: number,
): Statement<{ id: string; size: number; sha256: string }> {
  return {
    name: 'delete-expired-documents',
    text: `
      delete from document where id = any (array(
        select id from document where uploaded_at < $1 order by uploaded_at, id limit $2
      ))
      returning id, size, encode(sha256, 'hex') as sha256`,
    values: [before, limit],
  };
}
