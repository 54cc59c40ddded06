// Finding and reading the documents of customs declarations.
import { Type } from 'typebox';
import { DocumentQuery, StoredDocument } from '../../document.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

const documentsPath = '/api/authority/v1/documents';

export const authorityDocumentOperations = {
  findDocuments: {
    operationId: 'findDocuments',
    method: 'GET',
    path: documentsPath,
    tag: 'Authority',
    summary: 'Find the documents of a customs declaration',
    description:
      'What all organisations have uploaded for the declaration, in the order in which it was uploaded. Each search is recorded in the audit trail.',
    access: ['authority/registry', 'authority/routing'],
    query: DocumentQuery,
    responses: {
      200: {
        description: 'Documents; empty if there is none',
        content: { 'application/json': Type.Array(StoredDocument) },
        headers: pageHeaders,
      },
    },
  },

  readDocument: {
    operationId: 'readDocument',
    method: 'GET',
    path: `${documentsPath}/{documentId}`,
    tag: 'Authority',
    summary: 'Read a document',
    description:
      'The file as it was uploaded. It is sent as an attachment, so that a browser saves it and does not show it. Each reading is recorded in the audit trail. It is 404 after retention has removed the document.',
    access: ['authority/registry', 'authority/routing'],
    parameters: {
      documentId: Type.String({ format: 'uuid', description: 'The id of the document' }),
    },
    responses: {
      200: {
        description: 'The file',
        content: {
          'application/octet-stream': Type.String({
            contentMediaType: 'application/octet-stream',
            description: 'The bytes of the file',
          }),
        },
        headers: {
          'Content-Disposition': '`attachment`, with the name of the file (RFC 6266)',
          'Repr-Digest': 'The SHA-256 of the file (RFC 9530)',
        },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
