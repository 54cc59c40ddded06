// Finds reference documents, page by page.
import {
  documentOfKey,
  identifierKey,
  type KeptReferenceDocument,
  PAGE_LIMIT,
  type ReferenceDocumentQuery,
  referenceDocumentKinds,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type FoundRow, findDocuments } from './queries.js';

/** Documents, and the marker of the next page if more may follow. */
export type DocumentsPage = { documents: KeptReferenceDocument[]; next: string | undefined };

/** The kinds in the order of pages: that of the characters, as the database has it. */
const kindsInOrder = [...referenceDocumentKinds].sort();

export async function findReferenceDocuments(
  database: Queryable,
  { kind, reference = '', marker, limit = PAGE_LIMIT }: ReferenceDocumentQuery,
): Promise<DocumentsPage> {
  const [markedKind = '', ...rest] = marker?.split(':') ?? [];
  const markedReference = rest.join(':');
  const kinds = kindsInOrder
    .filter((one) => (kind === undefined || one === kind) && one >= markedKind)
    .map((one) => ({ kind: one, after: one === markedKind ? markedReference : '' }));
  const rows = await database.query(findDocuments(kinds, identifierKey(reference), limit));
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { documents: rows.map(view), next: last && `${last.kind}:${last.reference}` };
}

function view({ kind, reference, state, registeredAt, changedAt }: FoundRow) {
  return {
    ...documentOfKey({ kind, reference }),
    reference,
    state,
    registeredAt: registeredAt.toISOString(),
    changedAt: changedAt.toISOString(),
  };
}
