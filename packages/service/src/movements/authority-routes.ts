// HTTP of movement messages for the authority.
import { ARRIVALS_OF_AN_ARRAY, operations } from '@landfall/contract';
import { readNdjsonAsStream } from '../http/ndjson.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { respondToLinesOrArray } from '../http/receive-lines.js';
import { postTransportArrivals, type TransportArrivals } from './post-transport-arrivals.js';

/** Each arrival is a transaction of its own, and its result is sent as soon as it is recorded. */
const BLOCK = { lines: 1 };

const ARRAY = { of: 'arrivals of transports', maxItems: ARRIVALS_OF_AN_ARRAY };

export function addAuthorityRoutes(http: RouteContext, context: TransportArrivals): void {
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
