// Uploading documents of a customs declaration, and listing those that were uploaded.
import { Type } from 'typebox';
import {
  DeclarationId,
  Document,
  DocumentUpload,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  StoredDocument,
} from '../document.js';
import type { Operation } from './operation.js';

const documentsPath = '/api/goodsdeclaration/document/v2/declaration-id/{declarationId}/document';

export const documentOperations = {
  uploadDocument: {
    operationId: 'uploadDocument',
    method: 'POST',
    path: documentsPath,
    tag: 'Documents',
    summary: 'Upload a document of a customs declaration',
    description: `The body has two parts in this order: \`metadata\` (JSON, with any Content-Type) and \`file\`. The file is a PDF, JPEG, PNG, DOCX or XLSX file, or text in UTF-8 without control characters, of at most 10 MiB; the end of its name (\`pdf\`, \`jpg\`, \`png\`, \`docx\`, \`xlsx\` or \`txt\`) must say what its content is. Files with macros are refused. A file is stored after a scanner has found no malware in it, else it is refused with \`NOT_VERIFIED\`; if the scanner does not respond within 30 s, the response is 503 and nothing is stored.\n\nThe same file for the same declaration is stored once: sent again by the same organisation, the response is 200 with the first document. So an upload may be sent again when its response was lost. An organisation uploads at most ${MAX_DOCUMENTS} documents for a declaration.`,
    access: ['goodsdeclaration/document.write'],
    idempotent: true,
    parameters: { declarationId: DeclarationId },
    body: { 'multipart/form-data': DocumentUpload },
    // With the metadata, and the lines between the parts.
    maxBodyBytes: MAX_DOCUMENT_BYTES + 64 * 1024,
    responses: {
      200: {
        description: 'This organisation has uploaded the file before: the first document',
        content: { 'application/json': Document },
      },
      201: {
        description: 'The document is stored',
        content: { 'application/json': Document },
      },
    },
  },

  listDocuments: {
    operationId: 'listDocuments',
    method: 'GET',
    path: documentsPath,
    tag: 'Documents',
    summary: 'List the documents that this organisation has uploaded for a declaration',
    description:
      'The documents of this organisation that are kept, oldest first. Those of others are not among them.',
    access: ['goodsdeclaration/document.write'],
    parameters: { declarationId: DeclarationId },
    responses: {
      200: {
        description: 'Documents; empty if there is none',
        content: { 'application/json': Type.Array(StoredDocument) },
      },
    },
  },
} as const satisfies Record<string, Operation>;
