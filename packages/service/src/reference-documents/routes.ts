// The routes of reference documents: register any number line by line, and find them.
import { operations } from '@landfall/contract';
import { NDJSON, readNdjsonAsStream, toLines } from '../http/ndjson.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { respondToLines } from '../http/receive-lines.js';
import { findReferenceDocuments } from './find-reference-documents.js';
import { postReferenceDocuments, type ReferenceDocuments } from './post-reference-documents.js';

/** How much of an upload is one transaction. */
const BLOCK = { lines: 2000 };

export function addReferenceDocumentRoutes(
  http: RouteContext,
  documents: ReferenceDocuments,
): void {
  readNdjsonAsStream(http.app);
  addOperation(http, operations.postReferenceDocuments, (call) => {
    const { caller, request } = call;
    const { organisationId, organisation, clientId: client } = caller;
    const actor = { organisationId, organisation, client };
    return respondToLines(http, call, BLOCK, (lines) =>
      postReferenceDocuments(documents, lines, {
        at: http.movedClock?.(),
        actor,
        requestId: request.id,
      }),
    );
  });

  addOperation(http, operations.findReferenceDocuments, async (call) => {
    const { query, mediaType, request, reply } = call;
    const { documents: found, next } = await findReferenceDocuments(documents.database, query);
    setPageHeaders(http.baseUrl, request, reply, { count: found.length, next });
    if (mediaType !== NDJSON) return found;
    return reply.type(mediaType).send(toLines(found.map((one) => JSON.stringify(one))));
  });
}
