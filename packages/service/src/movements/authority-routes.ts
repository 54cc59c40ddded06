// HTTP of movement messages for the authority.
import { ARRIVALS_OF_AN_ARRAY, AuthorityCancellation, isMrn, operations } from '@landfall/contract';
import { actorOf } from '../http/caller.js';
import { NDJSON, readNdjsonAsStream, toLines } from '../http/ndjson.js';
import { addOperation, compileBodyCheck, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { respondToLinesOrArray } from '../http/receive-lines.js';
import { cancelMovementAsAuthority } from './cancel-movement-as-authority.js';
import type { ChangeContext } from './change-movement.js';
import { getMovementAsAuthority, type ReadingContext } from './get-movement-as-authority.js';
import { listTransports } from './list-transports.js';
import { postTransportArrivals, type TransportArrivals } from './post-transport-arrivals.js';

/** Each arrival is a transaction of its own, and its result is sent as soon as it is recorded. */
const BLOCK = { lines: 1 };

const ARRAY = { of: 'arrivals of transports', maxItems: ARRIVALS_OF_AN_ARRAY };

export function addAuthorityRoutes(
  http: RouteContext,
  context: TransportArrivals & ChangeContext & ReadingContext,
): void {
  addOperation(http, operations.listTransports, async ({ query, mediaType, request, reply }) => {
    const { transports, next } = await listTransports(context.database, query);
    setPageHeaders(http.baseUrl, request, reply, { count: transports.length, next });
    const body = mediaType === NDJSON ? toLines(transports) : `[${transports.join(',')}]`;
    return reply.type(mediaType).send(body);
  });

  addOperation(http, operations.getMovementAsAuthority, async (call) => {
    const { mrn } = call.params;
    const by = { at: http.clock(), actor: actorOf(call.caller), requestId: call.request.id };
    const body = isMrn(mrn) ? await getMovementAsAuthority(context, mrn, by) : undefined;
    if (body === undefined) throw notFound(mrn);
    return call.reply.type('application/json').send(body);
  });

  const readCancellation = compileBodyCheck<AuthorityCancellation>(AuthorityCancellation);
  addOperation(http, operations.cancelMovementAsAuthority, async ({ params, ...call }) => {
    const { mrn } = params;
    const { reason } = readCancellation(call.body);
    const { organisationId } = call.caller;
    const actor = { ...actorOf(call.caller), organisationId };
    const by = { reason, actor, requestId: call.request.id };
    const result = isMrn(mrn) ? await cancelMovementAsAuthority(context, mrn, by) : undefined;
    if (result === undefined) throw notFound(mrn);
    if ('errors' in result) throw new ValidationFailedError(result.errors);
    return result;
  });

  readNdjsonAsStream(http.app);
  addOperation(http, operations.postTransportArrivals, (call) => {
    const { organisation, clientId: client } = call.caller;
    const by = { actor: { organisation, client }, requestId: call.request.id };
    return respondToLinesOrArray(
      http,
      call,
      BLOCK,
      (lines) => postTransportArrivals(context, lines, { ...by, now: http.clock() }),
      ARRAY,
    );
  });
}

function notFound(mrn: string): HttpError {
  return new HttpError(404, `There is no movement message ${mrn}`);
}
