// Stores a document of a customs declaration, once nothing is wrong with it.
import { createHash } from 'node:crypto';
import {
  type Document,
  documentMediaTypes,
  MAX_DOCUMENTS,
  type ReferenceDocument,
  type Registers,
  readDocumentType,
  type ValidationError,
} from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { kindOf } from '../files/file-kind.js';
import type { LimitedTurns } from '../limited-turns.js';
import type { MeasuredScanner } from '../scanning/measured-scanner.js';
import { Turns } from '../turns.js';
import { citedDeclaration } from './cited-declaration.js';
import { DocumentRefusedError } from './document-errors.js';
import { lockDocuments, type NewDocument, storeDocument } from './queries.js';
import type { ReceivedDocument } from './read-received.js';

/** What storing needs. */
export type Documents = {
  database: Database;
  audit: AuditTrail;
  /** The time of what is recorded, where it may be moved; elsewhere it is the database's. */
  movedClock: (() => Date) | undefined;
  scanner: Pick<MeasuredScanner, 'scan'>;
  /** So that long writes leave sessions to others. */
  stores: LimitedTurns;
  /** What the register of customs declarations says; where none is loaded, it has each. */
  findDeclarations: FindDeclarations;
};

type FindDeclarations = (
  cited: readonly ReferenceDocument[],
) => Promise<Pick<Registers, 'documentState'>>;

/** Who uploads, and under which id it is stored. */
export type UploadContext = Omit<AuditContext, 'requestId'> &
  Pick<NewDocument, 'documentId' | 'organisationId' | 'clientId' | 'requestId'> & {
    /** Throws when the sender may no longer upload; called right before it is stored. */
    requireAccess: () => Promise<void>;
  };

/** The document that is stored; `isNew` unless the same file was uploaded before. */
export type UploadedDocument = { document: Document; isNew: boolean };

const SLICE_BYTES = 1024 * 1024;

/**
 * Stores a document, or finds the one with the same file.
 *
 * @throws DocumentRefusedError when a rule is broken or the scanner has found malware
 * @throws ScannerUnavailableError, NoTurnError when too much else is scanned or stored; nothing is stored
 */
export async function uploadDocument(
  { database, audit, movedClock, scanner, stores, findDeclarations }: Documents,
  declarationId: string,
  { metadata, fileName, content }: ReceivedDocument,
  context: UploadContext,
): Promise<UploadedDocument> {
  const { documentId, organisationId, clientId, requestId, requireAccess } = context;
  const documentType = readDocumentType(metadata.documentType);
  const kind = kindOf(content);
  const errors = checkUpload(declarationId, { metadata, fileName, content, kind });
  if (errors.length > 0 || documentType === undefined || kind === undefined) {
    throw new DocumentRefusedError(...errors);
  }
  await requireDeclaration(findDeclarations, declarationId);
  const size = content.length;
  const sha256 = await digestOf(content, organisationId);
  const document = {
    ...{ documentId, declarationId, documentType, fileName, kind, content, size, sha256 },
    ...{ organisationId, clientId, requestId },
  };
  if ((await scanner.scan(content, organisationId)) === 'found') {
    throw refuse('NOT_VERIFIED', 'the scanner has found malware in it, so it is not stored');
  }
  return stores.take(organisationId, async () => {
    await requireAccess();
    return database.transact(async (transaction) => {
      await transaction.query(lockDocuments(document));
      const [stored] = await transaction.query(
        storeDocument(document, MAX_DOCUMENTS, movedClock?.()),
      );
      if (stored === undefined) throw tooMany();
      const details = { documentId, declarationId, size, sha256 };
      const record = { ...context, action: 'document.uploaded', details };
      if (stored.isNew) await audit.record(transaction, record);
      return stored;
    }, 'writes');
  });
}

/** Refuses a declaration that the register does not have. */
async function requireDeclaration(find: FindDeclarations, declarationId: string): Promise<void> {
  const declaration = citedDeclaration(declarationId);
  const { documentState } = await find([declaration]);
  if (documentState(declaration) !== 'MISSING') return;
  const error = 'no customs declaration with this id is known here';
  throw new DocumentRefusedError({ field: 'declarationId', error, code: 'REFERENCE_NOT_FOUND' });
}

/** SHA-256 in hexadecimal digits, in slices: that of the longest file takes tens of milliseconds. */
async function digestOf(content: Buffer, organisation: number): Promise<string> {
  const hash = createHash('sha256');
  const turns = new Turns(organisation);
  for (let from = 0; from < content.length; from += SLICE_BYTES) {
    if (turns.over) await turns.next();
    hash.update(content.subarray(from, from + SLICE_BYTES));
  }
  return hash.digest('hex');
}

/** The broken rules. They contain nothing of the file or of its name. */
function checkUpload(
  declarationId: string,
  {
    metadata,
    fileName,
    content,
    kind,
  }: Pick<ReceivedDocument, 'metadata' | 'fileName' | 'content'> & {
    kind: ReturnType<typeof kindOf>;
  },
): ValidationError[] {
  const errors: ValidationError[] = [];
  if (readDocumentType(metadata.documentType) === undefined) {
    const error = 'must be one of the document types, such as invoice or waybill';
    errors.push({ field: 'metadata.documentType', error, code: 'UNKNOWN_CODE' });
  }
  if (metadata.declarationId !== undefined && metadata.declarationId !== declarationId) {
    const error = 'must be the id of the declaration in the address';
    errors.push({ field: 'metadata.declarationId', error, code: 'INCOMPATIBLE' });
  }
  if (content.length === 0) {
    errors.push({ field: 'file', error: 'must not be empty', code: 'SIZE' });
  } else if (kind === undefined || !fileName.toLowerCase().endsWith(`.${kind}`)) {
    const kinds = Object.keys(documentMediaTypes).join(', ');
    const is = kind === undefined ? 'it is none of them, or has macros' : `it is ${kind}`;
    const error = `must be a file of the kind that the end of its name says, which is one of ${kinds}: by its content ${is}`;
    errors.push({ field: 'file', error, code: 'FORMAT' });
  }
  return errors;
}

function tooMany(): DocumentRefusedError {
  return refuse(
    'SIZE',
    `this organisation has ${MAX_DOCUMENTS} documents for this declaration, and may not have more`,
  );
}

function refuse(code: ValidationError['code'], error: string): DocumentRefusedError {
  return new DocumentRefusedError({ field: 'file', error, code });
}
