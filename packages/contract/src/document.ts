// Documents of customs declarations: what is uploaded, and what is stored of it.
import { type Static, Type } from 'typebox';
import { COMPACT_DATE } from './goods-items/date-patterns.js';
import { keysOf } from './keys-of.js';
import { OrganisationIdentifier } from './organisation.js';
import { paging } from './paging.js';
import { definePattern } from './patterns.js';
import { Instant } from './quantities.js';

/** Maximum size of a document, in bytes. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** Maximum number of documents that one organisation uploads for one declaration. */
export const MAX_DOCUMENTS = 100;

/** Maximum length of the name of a file and of a text of the metadata, in characters. */
export const MAX_DOCUMENT_NAME = 200;

/** The kinds of documents, each with the Norwegian word that clients send as well; in any case. */
const documentTypes = {
  invoice: 'faktura',
  permits: 'tillatelser',
  'freight invoice': 'fraktregning',
  'proof of origin documentation': 'opprinnelsesdokumentasjon',
  waybill: 'fraktbrev',
  'export documentation': undefined,
} as const;

/** The kind of a document. */
export const DocumentType = Type.Enum(keysOf(documentTypes), {
  $id: 'DocumentType',
  description: 'The kind of a document',
});
export type DocumentType = Static<typeof DocumentType>;

/**
 * The kind that a text names; `undefined` if it names none.
 *
 * @example
 * readDocumentType('Faktura'); // 'invoice'
 */
export function readDocumentType(text: string): DocumentType | undefined {
  const word = text.toLowerCase();
  return keysOf(documentTypes).find((type) => type === word || documentTypes[type] === word);
}

/** What files a document may be: the end of the name, with the media type. */
export const documentMediaTypes = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** What file a document is. */
export type DocumentKind = keyof typeof documentMediaTypes;

const DECLARATION_ID_PATTERN = definePattern(
  `^[0-9]{9,11}-${COMPACT_DATE}-[0-9]{1,6}$`,
  'must be the id of a customs declaration: the declarant (9 to 11 digits), the date (DDMMYYYY) and the sequence number (1 to 6 digits), with hyphens between them',
);

const declarationId = new RegExp(DECLARATION_ID_PATTERN);

/** Whether a text is the id of a customs declaration. */
export function isDeclarationId(text: string): boolean {
  return declarationId.test(text);
}

/** The id of a customs declaration. */
export const DeclarationId = Type.String({
  pattern: DECLARATION_ID_PATTERN,
  description:
    'The id of the customs declaration: declarant (9 to 11 digits), date (DDMMYYYY) and sequence number (1 to 6 digits)',
  examples: ['974760673-10082022-1'],
});

/** The part `metadata` of an upload. */
export const DocumentMetadata = Type.Object(
  {
    documentType: Type.String({
      minLength: 1,
      maxLength: MAX_DOCUMENT_NAME,
      description: `The kind of the document, in any case: ${Object.entries(documentTypes)
        .map(([type, word]) => `\`${type}\`${word === undefined ? '' : ` (or \`${word}\`)`}`)
        .join(', ')}`,
      examples: ['invoice'],
    }),
    declarationId: Type.Optional(
      Type.String({
        maxLength: MAX_DOCUMENT_NAME,
        description: 'The id of the customs declaration, if it is given: that of the address',
      }),
    ),
  },
  {
    $id: 'DocumentMetadata',
    description: 'What is said of a document that is uploaded',
    examples: [{ documentType: 'invoice' }],
  },
);
export type DocumentMetadata = Static<typeof DocumentMetadata>;

/** An upload, whose parts are in this order. */
export const DocumentUpload = Type.Object(
  {
    metadata: DocumentMetadata,
    file: Type.String({
      contentMediaType: 'application/octet-stream',
      description: `The file, of 1 byte to 10 MiB, with its name of at most ${MAX_DOCUMENT_NAME} characters`,
    }),
  },
  {
    $id: 'DocumentUpload',
    description: 'The part `metadata`, as JSON, and after it the part `file`; no other part',
  },
);

const members = {
  documentId: Type.String({ format: 'uuid', description: 'The id of the document' }),
  declarationId: DeclarationId,
  documentType: DocumentType,
  fileName: Type.String({ description: 'The name of the file' }),
  size: Type.Integer({
    minimum: 1,
    maximum: MAX_DOCUMENT_BYTES,
    description: 'The size of the file, in bytes',
  }),
  sha256: Type.String({
    pattern: definePattern('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits'),
    description: 'The SHA-256 of the file, in hexadecimal digits',
  }),
};

/** A document that was uploaded. */
export const Document = Type.Object(members, {
  $id: 'Document',
  description: 'A document that is stored',
});
export type Document = Static<typeof Document>;

/** A document as it is listed. */
export const StoredDocument = Type.Object(
  {
    ...members,
    uploadedAt: Instant('When it was uploaded'),
    organisation: OrganisationIdentifier,
  },
  { $id: 'StoredDocument', description: 'A document, and who has uploaded it when' },
);
export type StoredDocument = Static<typeof StoredDocument>;

/** The query of the documents of a declaration. */
export const DocumentQuery = Type.Object({
  declarationId: DeclarationId,
  ...paging('The id of the last document'),
});
export type DocumentQuery = Static<typeof DocumentQuery>;
