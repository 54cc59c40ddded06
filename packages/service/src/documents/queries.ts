// SQL of documents.
import { createHash } from 'node:crypto';
import type { Document, DocumentKind, DocumentQuery } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { DOCUMENT_LOCK } from '../database/locks.js';

/** A document as it is stored. `organisationId` is that of the uploader. */
export type NewDocument = Document & {
  organisationId: number;
  clientId: string;
  requestId: string;
  kind: DocumentKind;
  content: Buffer;
};

/** Of which organisation, and for which declaration. */
type Owner = Pick<NewDocument, 'organisationId' | 'declarationId'>;

const DOCUMENT = `'documentId', d.id, 'declarationId', d.declaration_id, 'documentType', d.document_type,
          'fileName', d.file_name, 'size', d.size, 'sha256', encode(d.sha256, 'hex')`;

const STORED = `json_build_object(${DOCUMENT}, 'uploadedAt', api_time(d.uploaded_at),
          'organisation', (select identifier from organisation o where o.id = d.organisation_id))::text`;

/**
 * Stores a document unless there is one with the same file, or there are so many. The lock of the owner is held.
 *
 * @returns the document that was stored or was there; no row if there are too many
 */
export function storeDocument(
  { content, ...document }: NewDocument,
  most: number,
  at: Date | undefined,
): Statement<{ document: Document; isNew: boolean }> {
  return {
    name: 'store-document',
    text: `
      with known as (
        select * from document
        where organisation_id = $1 and declaration_id = $2 and sha256 = decode($3, 'hex')
      ),
      stored as (
        insert into document (organisation_id, declaration_id, sha256, content, id, document_type, file_name, kind, size,
          uploaded_at, client_id, request_id)
        select $1, $2, decode($3, 'hex'), $4, $5, $6, $7, $8, $9, record_time($10::timestamptz), $11, $12
        where (select id from known) is null
          and (select count(*) from document where organisation_id = $1 and declaration_id = $2) < $13
        returning *
      )
      select json_build_object(${DOCUMENT}) as document, is_new as "isNew"
      from (select *, false as is_new from known union all select *, true from stored) d`,
    values: [
      document.organisationId,
      document.declarationId,
      document.sha256,
      content,
      document.documentId,
      document.documentType,
      document.fileName,
      document.kind,
      document.size,
      at?.toISOString() ?? null,
      document.clientId,
      document.requestId,
      most,
    ],
  };
}

/** Until the end of the transaction, nobody else stores a document of the owner. */
export function lockDocuments({ organisationId, declarationId }: Owner): Statement {
  // Two owners may have the same number: then they take turns too.
  const number = createHash('sha256').update(`${organisationId} ${declarationId}`).digest();
  return {
    name: 'lock-documents',
    text: `select pg_advisory_xact_lock(${DOCUMENT_LOCK}, $1::integer)`,
    values: [number.readInt32BE()],
  };
}

/** What an organisation has uploaded for a declaration, oldest first, each as JSON text. */
export function selectOwnDocuments(
  { organisationId, declarationId }: Owner,
  limit: number,
): Statement<{ body: string }> {
  return {
    name: 'select-own-documents',
    text: `
      select ${STORED} as body from document d
      where d.organisation_id = $1 and d.declaration_id = $2 order by d.uploaded_at, d.id limit $3`,
    values: [organisationId, declarationId, limit],
  };
}

/** The next documents of a declaration, oldest first, each as JSON text. What was removed is older than what is kept. */
export function selectDocuments(
  { declarationId, marker }: DocumentQuery,
  limit: number,
): Statement<{ id: string; body: string }> {
  return {
    name: 'select-documents',
    text: `
      select d.id, ${STORED} as body from document d
      where d.declaration_id = $1 and (d.uploaded_at, d.id) > (
        coalesce((select uploaded_at from document where id = $2), '-infinity'),
        coalesce($2, '00000000-0000-0000-0000-000000000000'))
      order by d.uploaded_at, d.id limit $3`,
    values: [declarationId, marker ?? null, limit],
  };
}

/** What is said of a document when it is read. */
export type DocumentRow = Pick<Document, 'declarationId' | 'fileName' | 'size' | 'sha256'>;

export function selectDocument(id: string): Statement<DocumentRow> {
  return {
    name: 'select-document',
    text: `
      select declaration_id as "declarationId", file_name as "fileName", size, encode(sha256, 'hex') as sha256
      from document where id = $1`,
    values: [id],
  };
}

/** A part of a file, from a byte on. The driver reads bytes as text of twice the length, so a whole one is too long. */
export function selectContent(
  id: string,
  from: number,
  bytes: number,
): Statement<{ content: Buffer }> {
  return {
    name: 'select-document-content',
    text: 'select substring(content from $2 + 1 for $3) as content from document where id = $1',
    values: [id, from, bytes],
  };
}
