// The routes by which the authority finds house consignments and reads the history of one.
import { type HouseConsignmentQuery, operations, UUID_PATTERN } from '@landfall/contract';
import { linkToNext } from '../http/link.js';
import { addOperation, compileQueryCheck, type RouteContext } from '../http/operation.js';
import { HttpError } from '../http/problem.js';
import { findHouseConsignments } from './find-house-consignments.js';
import { getHouseConsignmentHistory } from './get-house-consignment-history.js';

const uuidPattern = new RegExp(UUID_PATTERN);

export function addConsignmentRoutes(
  http: RouteContext,
  database: Parameters<typeof findHouseConsignments>[0],
): void {
  const checkQuery = compileQueryCheck<HouseConsignmentQuery>(
    operations.findHouseConsignments.query,
  );
  addOperation(http, operations.findHouseConsignments, async (request, reply) => {
    const { body, next } = await findHouseConsignments(database, checkQuery(request.query));
    reply.type('application/json').header('Cache-Control', 'no-store');
    if (next !== undefined) {
      reply.header('Link', linkToNext(http.baseUrl, request.url, next));
    }
    return reply.send(body);
  });

  addOperation(http, operations.getHouseConsignmentHistory, async (request, reply) => {
    // The cast is true because the operation's path has this parameter.
    const { id } = request.params as { id: string };
    const body = uuidPattern.test(id) ? await getHouseConsignmentHistory(database, id) : undefined;
    if (body === undefined) throw new HttpError(404, `There is no house consignment ${id}`);
    return reply.type('application/json').header('Cache-Control', 'no-store').send(body);
  });
}
