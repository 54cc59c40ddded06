// Lists what an organisation has uploaded for a declaration.
import { MAX_DOCUMENTS } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { selectOwnDocuments } from './queries.js';

/** The documents, oldest first, as a JSON array. */
export async function listDocuments(
  database: Queryable,
  organisationId: number,
  declarationId: string,
): Promise<string> {
  const owner = { organisationId, declarationId };
  const rows = await database.query(selectOwnDocuments(owner, MAX_DOCUMENTS));
  return `[${rows.map(({ body }) => body).join(',')}]`;
}
