// HTTP of documents.
import { Readable } from 'node:stream';
import { isDeclarationId, isUuid, MAX_DOCUMENT_BYTES, operations } from '@landfall/contract';
import { attachmentOf } from '../http/attachment.js';
import { actorOf, type Caller } from '../http/caller.js';
import { MULTIPART } from '../http/media-type.js';
import { addOperation, type RouteContext, refuse } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { type PartRule, readParts } from '../http/read-parts.js';
import { receiveUpload } from '../http/receive-upload.js';
import { DocumentNotFoundError, DocumentRefusedError } from './document-errors.js';
import { MEMORY_OF_A_BYTE, type makeDocumentMemory, UploadsFullError } from './document-memory.js';
import { findDocuments } from './find-documents.js';
import { listDocuments } from './list-documents.js';
import { readDocument } from './read-document.js';
import { readReceived } from './read-received.js';
import { type Documents, uploadDocument } from './upload-document.js';

/** What the routes need. */
export type DocumentContext = Omit<Documents, 'scanner'> & {
  /** Without it, nothing is taken. */
  scanner: Documents['scanner'] | undefined;
  memory: ReturnType<typeof makeDocumentMemory>;
  newId: () => string;
};

const MAX_METADATA_BYTES = 4096;

/** The parts of an upload. */
const rules: readonly PartRule[] = [
  {
    name: 'metadata',
    maxBytes: MAX_METADATA_BYTES,
    tooLong: new ValidationFailedError([
      {
        field: 'metadata',
        error: `must have at most ${MAX_METADATA_BYTES} bytes`,
        code: 'SIZE',
      },
    ]),
  },
  {
    name: 'file',
    maxBytes: MAX_DOCUMENT_BYTES,
    tooLong: new HttpError(413, `file: must have at most ${MAX_DOCUMENT_BYTES} bytes`),
  },
];

export async function addDocumentRoutes(
  http: RouteContext,
  context: DocumentContext,
): Promise<void> {
  await http.app.register(async (app) => {
    // It is read while it arrives.
    app.addContentTypeParser(MULTIPART, (_request, body, done) => done(null, body));
    addUploadDocument({ ...http, app }, context);
  });
  const { database, audit } = context;
  const contextOf = (caller: Caller, requestId: string) => ({
    at: http.clock(),
    actor: actorOf(caller),
    requestId,
  });

  addOperation(http, operations.listDocuments, async ({ params, caller, reply }) => {
    const id = checkDeclarationId(params);
    const body = await listDocuments(database, caller.organisationId, id);
    return reply.type('application/json').send(body);
  });

  addOperation(http, operations.findDocuments, async ({ query, caller, request, reply }) => {
    const by = contextOf(caller, request.id);
    const { entries, next } = await findDocuments(database, audit, query, by);
    setPageHeaders(http.baseUrl, request, reply, { count: entries.length, next });
    return reply.type('application/json').send(`[${entries.join(',')}]`);
  });

  addOperation(http, operations.readDocument, async (call) => {
    const { params, caller, mediaType, request, reply } = call;
    if (!isUuid(params.documentId)) throw new DocumentNotFoundError();
    const by = contextOf(caller, request.id);
    const document = await readDocument(database, audit, params.documentId, by);
    const digest = Buffer.from(document.sha256, 'hex').toString('base64');
    return reply
      .header('Content-Disposition', attachmentOf(document.fileName))
      .header('Repr-Digest', `sha-256=:${digest}:`)
      .type(mediaType)
      .send(document.content);
  });
}

function addUploadDocument(
  http: RouteContext,
  { scanner, memory, newId, ...context }: DocumentContext,
): void {
  const { maxBodyBytes } = operations.uploadDocument;
  addOperation(http, operations.uploadDocument, async (call) => {
    const { params, body, caller, request, reply } = call;
    const declarationId = checkDeclarationId(params);
    if (scanner === undefined) {
      throw new HttpError(503, 'Documents are not taken: this service has no scanner for them', {
        'Retry-After': '300',
      });
    }
    // Without a body Fastify calls no parser.
    if (!(body instanceof Readable)) {
      throw new HttpError(400, 'The body is empty: it has the parts `metadata` and `file`');
    }
    const { organisationId } = caller;
    const contentType = request.headers['content-type'] ?? '';
    const held = memory.open(organisationId);
    const count = (received: number) => held.set(received * MEMORY_OF_A_BYTE);
    try {
      const { document, isNew } = await receiveUpload(body, call, http.clock, async (upload) => {
        const options = { contentType, rules, maxBytes: maxBodyBytes, count };
        const [metadata, file] = await readParts(upload.chunks, options);
        if (metadata === undefined || file === undefined) throw new Error('a part was not read');
        const received = readReceived(metadata, file);
        const actor = actorOf(caller);
        return uploadDocument({ ...context, scanner }, declarationId, received, {
          ...{ at: http.clock(), actor, clientId: actor.client, requestId: request.id },
          ...{ documentId: newId(), organisationId, requireAccess: upload.requireAccess },
        });
      });
      return reply.code(isNew ? 201 : 200).send(document);
    } catch (error) {
      throw explain(error);
    } finally {
      held.release();
    }
  });
}

/** The error in the terms of HTTP. */
function explain(error: unknown): unknown {
  if (error instanceof DocumentRefusedError) return new ValidationFailedError(error.errors);
  if (error instanceof UploadsFullError) {
    const status = error.whose === 'organisation' ? 429 : 503;
    return new HttpError(status, `Too many documents: ${error.message}. Try again later.`, {
      'Retry-After': '2',
    });
  }
  return error;
}

function checkDeclarationId({ declarationId }: { declarationId: string }): string {
  if (isDeclarationId(declarationId)) return declarationId;
  return refuse({
    field: 'declarationId',
    error:
      'must be the id of a customs declaration: the declarant (9 to 11 digits), the date (DDMMYYYY) and the sequence number (1 to 6 digits), with hyphens between them',
    code: 'FORMAT',
  });
}
