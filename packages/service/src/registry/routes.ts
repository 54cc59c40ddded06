// The routes of the registry: register, read and withdraw an ENS, and register any number line by line.
import { Readable } from 'node:stream';
import { isMrn, operations } from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { openUnread, refuseUnread } from '../http/limit-unread.js';
import { type BlockLimits, NDJSON, readBlocks, readNdjsonAsStream } from '../http/ndjson.js';
import { addOperation, type RouteContext, refuse } from '../http/operation.js';
import { readEtagPrecondition } from '../http/precondition.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { receiveUpload } from '../http/receive-upload.js';
import { sendWhileAllowed } from '../http/send-while-allowed.js';
import { streamResponse } from '../http/stream-response.js';
import { etagOf } from './declaration-etag.js';
import type { DeclarationTurns } from './declaration-locks.js';
import { deleteEntrySummaryDeclaration } from './delete-entry-summary-declaration.js';
import { getEntrySummaryDeclaration } from './get-entry-summary-declaration.js';
import { postEntrySummaryDeclarations } from './post-entry-summary-declarations.js';
import { putEntrySummaryDeclaration } from './put-entry-summary-declaration.js';
import type { Registry } from './register.js';

/**
 * How much of an upload is one transaction, and the maximum length of a line. A block whose every line changes a house
 * consignment takes some 20 ms of the event loop at once, twice as many lines 50.
 */
const BLOCK: BlockLimits = { lines: 2000, bytes: 1024 * 1024, line: 512 * 1024 };

/** What the routes need. */
export type RegistryContext = Registry & {
  turns: DeclarationTurns;
  /** Whether a reference number is in CL141 on a day. */
  isCustomsOffice: (referenceNumber: string, on: Date) => boolean;
};

export function addRegistryRoutes(http: RouteContext, registry: RegistryContext): void {
  const isCustomsOffice = (office: string) => registry.isCustomsOffice(office, http.clock());

  addOperation(http, operations.putEntrySummaryDeclaration, async (call) => {
    const { body, caller, request, reply } = call;
    const result = await putEntrySummaryDeclaration(
      registry,
      checkMrn(call.params),
      body,
      isCustomsOffice,
      registrationContext(request, caller, http.movedClock?.()),
      readEtagPrecondition(request.headers),
    );
    if ('errors' in result) throw new ValidationFailedError(result.errors);
    return reply.code(result.status === 'REGISTERED' ? 201 : 200).send(result);
  });

  addOperation(http, operations.getEntrySummaryDeclaration, async (call) => {
    const { caller, mediaType, request, reply } = call;
    const mrn = checkMrn(call.params);
    const room = openUnread(http.unread, request, reply);
    const read = await getEntrySummaryDeclaration(
      registry.database,
      mrn,
      room,
      (readPage) => http.readTurns.take(caller.organisationId, reply.raw, readPage),
      mediaType === NDJSON ? 'lines' : 'text',
    );
    if (read === undefined) throw notFound(mrn);
    if (read === 'no room') throw refuseUnread(http.unread);
    const { version, parts } = read;
    reply.header('ETag', etagOf(version));
    return reply.type(mediaType).send(sendWhileAllowed(parts, caller, http.clock));
  });

  addOperation(http, operations.deleteEntrySummaryDeclaration, async (call) => {
    const { caller, request } = call;
    const mrn = checkMrn(call.params);
    const context = registrationContext(request, caller, http.movedClock?.());
    const result = await deleteEntrySummaryDeclaration(
      registry,
      mrn,
      context,
      readEtagPrecondition(request.headers),
    );
    if (result === undefined) throw notFound(mrn);
    if ('errors' in result) throw new ValidationFailedError(result.errors);
    return result;
  });

  readNdjsonAsStream(http.app);
  addOperation(http, operations.postEntrySummaryDeclarations, async (call) => {
    const { body, caller, request, reply } = call;
    if (!(body instanceof Readable)) throw new HttpError(400, 'The body is empty');
    return streamResponse(reply, NDJSON, body, { unread: http.unreadResults }, async (add) => {
      await receiveUpload(body, call, http.clock, ({ chunks, requireAccess }) =>
        postEntrySummaryDeclarations(readBlocks(chunks, BLOCK, caller.organisationId), {
          ...registry,
          sender: caller.organisationId,
          isCustomsOffice,
          requireAccess,
          registrationContext: () => registrationContext(request, caller, http.movedClock?.()),
          addResults: add,
        }),
      );
    });
  });
}

/** This caller registers in this request at this time. */
function registrationContext({ id }: FastifyRequest, caller: Caller, at: Date | undefined) {
  const { organisationId, organisation, clientId: client } = caller;
  return { at, actor: { organisationId, organisation, client }, requestId: id };
}

function checkMrn({ mrn }: { mrn: string }): string {
  if (!isMrn(mrn)) {
    refuse({
      field: 'mrn',
      error: 'must be an MRN: two digits, a country code, fourteen capital letters or digits',
      code: 'FORMAT',
    });
  }
  return mrn;
}

function notFound(mrn: string): HttpError {
  return new HttpError(404, `No entry summary declaration ${mrn} is registered`);
}
