// HTTP of reading: movement messages, and the statuses of requests about them.
import { isMrn, isUuid, type Operation, operations } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type FeedContext, readStatus, serveFeed } from '../feed/serve-feed.js';
import { NDJSON, toLines } from '../http/ndjson.js';
import { addOperation, type OperationCall, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError } from '../http/problem.js';
import { kindOf, messageNotFound, subjectOf } from './address-http.js';
import { getArrivalStatus } from './get-arrival-status.js';
import { getMovement } from './get-movement.js';
import { getMovementStatus } from './get-movement-status.js';
import { listMovementStatuses } from './list-movement-statuses.js';
import { listMovements } from './list-movements.js';
import { movementStatuses } from './status-feed.js';

export function addReadingRoutes(http: RouteContext, database: Queryable): void {
  addOperation(http, operations.getMovement, async ({ params, caller, reply }) => {
    const kind = kindOf(params);
    const { mrn } = params;
    const body = isMrn(mrn)
      ? await getMovement(database, caller.organisationId, kind, mrn)
      : undefined;
    if (body === undefined) throw messageNotFound(mrn);
    return reply.type('application/json').send(body);
  });

  addOperation(http, operations.listMovements, async (call) => {
    const { params, query, caller, mediaType, request, reply } = call;
    const { movements, next } = await listMovements(
      database,
      caller.organisationId,
      kindOf(params),
      query,
    );
    setPageHeaders(http.baseUrl, request, reply, { count: movements.length, next });
    const body = mediaType === NDJSON ? toLines(movements) : `[${movements.join(',')}]`;
    return reply.type(mediaType).send(body);
  });
}

export function addStatusRoutes(http: RouteContext, context: FeedContext): void {
  addOperation(http, operations.listMovementStatuses, (call) =>
    serveFeed(context, call, listMovementStatuses(call.caller.organisationId, call.query)),
  );

  addOperation(http, operations.getMovementStatus, async (call) => {
    const kind = subjectOf(call.params);
    return sendStatus(context, call, (view, owner, requestId) =>
      getMovementStatus(view, owner, requestId, kind),
    );
  });

  addOperation(http, operations.getArrivalStatus, (call) =>
    sendStatus(context, call, getArrivalStatus),
  );
}

/** Sends the status of a request; 404 if there is none of this kind. */
async function sendStatus(
  context: FeedContext,
  call: Omit<OperationCall<Operation>, 'params'> & { params: { requestId: string } },
  find: typeof getArrivalStatus,
) {
  const { params, caller, reply } = call;
  const { requestId } = params;
  const notFound = new HttpError(
    404,
    `This organisation has made no request ${requestId} about a message of this kind, or it is not recorded yet`,
  );
  if (!isUuid(requestId)) throw notFound;
  const status = await readStatus(context, call, movementStatuses, (view) =>
    find(view, caller.organisationId, requestId),
  );
  if (status === undefined) throw notFound;
  return reply.type('application/json').send(status);
}
