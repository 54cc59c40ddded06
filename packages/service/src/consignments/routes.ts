// The routes by which the authority finds house consignments and reads the history of one.
import {
  type ArrivalQuery,
  type HouseConsignmentQuery,
  type HouseConsignmentSearchQuery,
  operations,
  type UndecidedArrivalQuery,
  UUID_PATTERN,
} from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { linkToNext } from '../http/link.js';
import { addOperation, compileQueryCheck, type RouteContext } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import { countArrivals, readRange } from './count-arrivals.js';
import { getHouseConsignment } from './get-house-consignment.js';
import { getHouseConsignmentHistory } from './get-house-consignment-history.js';
import { listHouseConsignments } from './list-house-consignments.js';
import { listUndecidedArrivals } from './list-undecided-arrivals.js';
import { searchHouseConsignments } from './search-house-consignments.js';

const uuidPattern = new RegExp(UUID_PATTERN);

export function addConsignmentRoutes(
  http: RouteContext,
  database: Parameters<typeof listHouseConsignments>[0],
): void {
  const checkQuery = compileQueryCheck<HouseConsignmentQuery>(
    operations.listHouseConsignments.query,
  );
  addOperation(http, operations.listHouseConsignments, async (request, reply) => {
    const { body, next } = await listHouseConsignments(database, checkQuery(request.query));
    if (next !== undefined) {
      reply.header('Link', linkToNext(http.baseUrl, request.url, next));
    }
    return send(reply, body);
  });

  const checkSearch = compileQueryCheck<HouseConsignmentSearchQuery>(
    operations.searchHouseConsignments.query,
  );
  addOperation(http, operations.searchHouseConsignments, async (request, reply) =>
    send(reply, await searchHouseConsignments(database, checkSearch(request.query))),
  );

  const byId =
    (read: (id: string) => Promise<string | undefined>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      // The cast is true because the operation's path has this parameter.
      const { id } = request.params as { id: string };
      const body = uuidPattern.test(id) ? await read(id) : undefined;
      if (body === undefined) throw new HttpError(404, `There is no house consignment ${id}`);
      return send(reply, body);
    };
  addOperation(
    http,
    operations.getHouseConsignment,
    byId((id) => getHouseConsignment(database, id)),
  );
  addOperation(
    http,
    operations.getHouseConsignmentHistory,
    byId((id) => getHouseConsignmentHistory(database, id)),
  );
}

/** Adds the routes by which the authority sees what has arrived, and what waits for a decision. */
export function addArrivalRoutes(
  http: RouteContext,
  database: Parameters<typeof countArrivals>[0],
): void {
  const checkRange = compileQueryCheck<ArrivalQuery>(operations.countArrivals.query);
  addOperation(http, operations.countArrivals, async (request, reply) => {
    const query = checkRange(request.query);
    const range = readRange(query, http.clock());
    if ('code' in range) throw new ValidationFailedError([range]);
    reply.header('Cache-Control', 'no-store');
    return countArrivals(database, range, query.office);
  });

  const checkQuery = compileQueryCheck<UndecidedArrivalQuery>(
    operations.listUndecidedArrivals.query,
  );
  addOperation(http, operations.listUndecidedArrivals, async (request, reply) => {
    const { page, next } = await listUndecidedArrivals(database, checkQuery(request.query));
    reply.header('Cache-Control', 'no-store');
    if (next !== undefined) {
      reply.header('Link', linkToNext(http.baseUrl, request.url, next));
    }
    return page;
  });
}

function send(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json').header('Cache-Control', 'no-store').send(body);
}
