// The routes by which the authority finds house consignments and reads the history of one.
import { isUuid, operations } from '@landfall/contract';
import type { FastifyReply } from 'fastify';
import type { Queryable } from '../database/database.js';
import { NDJSON, toLines } from '../http/ndjson.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { countArrivals, readRange } from './count-arrivals.js';
import { getHouseConsignment } from './get-house-consignment.js';
import { getHouseConsignmentDecisions } from './get-house-consignment-decisions.js';
import { getHouseConsignmentHistory } from './get-house-consignment-history.js';
import { listHouseConsignments } from './list-house-consignments.js';
import { listRoutingDecisions } from './list-routing-decisions.js';
import { listUndecidedArrivals } from './list-undecided-arrivals.js';
import { searchHouseConsignments } from './search-house-consignments.js';

export function addConsignmentRoutes(http: RouteContext, database: Queryable): void {
  addOperation(http, operations.listHouseConsignments, async ({ query, request, reply }) => {
    const { body, count, next } = await listHouseConsignments(database, query);
    setPageHeaders(http.baseUrl, request, reply, { count, next });
    return send(reply, body);
  });

  addOperation(http, operations.searchHouseConsignments, async ({ query, reply }) =>
    send(reply, await searchHouseConsignments(database, query)),
  );

  const sendFound = async (
    { params: { id }, reply }: { params: { id: string }; reply: FastifyReply },
    read: (database: Queryable, id: string) => Promise<string | undefined>,
  ) => {
    const body = isUuid(id) ? await read(database, id) : undefined;
    if (body === undefined) throw new HttpError(404, `There is no house consignment ${id}`);
    return send(reply, body);
  };
  addOperation(http, operations.getHouseConsignment, (call) =>
    sendFound(call, getHouseConsignment),
  );
  addOperation(http, operations.getHouseConsignmentHistory, (call) =>
    sendFound(call, getHouseConsignmentHistory),
  );
  addOperation(http, operations.getHouseConsignmentDecisions, (call) =>
    sendFound(call, getHouseConsignmentDecisions),
  );
  addOperation(http, operations.listRoutingDecisions, async (call) => {
    const { query, mediaType, caller, request, reply } = call;
    const { decisions, next } = await listRoutingDecisions(database, {
      ...query,
      ...(query.decisionId !== undefined && { decidedBy: query.decidedBy ?? caller.organisation }),
    });
    setPageHeaders(http.baseUrl, request, reply, { count: decisions.length, next });
    const body = mediaType === NDJSON ? toLines(decisions) : `[${decisions.join(',')}]`;
    return reply.type(mediaType).send(body);
  });
}

/** Adds the routes by which the authority sees what has arrived, and what waits for a decision. */
export function addArrivalRoutes(http: RouteContext, database: Queryable): void {
  addOperation(http, operations.countArrivals, async ({ query }) => {
    const range = readRange(query, http.clock());
    if ('code' in range) throw new ValidationFailedError([range]);
    return countArrivals(database, range, query.office);
  });

  addOperation(http, operations.listUndecidedArrivals, async ({ query, request, reply }) => {
    const { page, next } = await listUndecidedArrivals(database, query);
    setPageHeaders(http.baseUrl, request, reply, { count: page.length, next });
    return page;
  });
}

function send(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json').send(body);
}
