// The addresses where the authority finds house consignments and reads what happened to one.
import { type HouseConsignmentQuery, operations, UUID_PATTERN } from '@landfall/contract';
import { linkToNext } from '../http/link.js';
import { addOperation, compileQueryCheck, type RouteContext } from '../http/operation.js';
import { HttpError } from '../http/problem.js';
import type { FoundPage } from './find-house-consignments.js';

/** What the routes need. */
export type ConsignmentsContext = {
  find: (query: HouseConsignmentQuery) => Promise<FoundPage>;
  readHistory: (id: string) => Promise<string | undefined>;
};

const uuidPattern = new RegExp(UUID_PATTERN);

export function addConsignmentRoutes(http: RouteContext, context: ConsignmentsContext): void {
  const checkQuery = compileQueryCheck<HouseConsignmentQuery>(
    operations.findHouseConsignments.query,
  );
  addOperation(http, operations.findHouseConsignments, async (request, reply) => {
    const { body, next } = await context.find(checkQuery(request.query));
    reply.type('application/json').header('Cache-Control', 'no-store');
    if (next !== undefined) {
      reply.header('Link', linkToNext(http.baseUrl, request.url, next));
    }
    return reply.send(body);
  });

  addOperation(http, operations.getHouseConsignmentHistory, async (request, reply) => {
    // The cast is true because the operation's path has this parameter.
    const { id } = request.params as { id: string };
    const body = uuidPattern.test(id) ? await context.readHistory(id) : undefined;
    if (body === undefined) throw new HttpError(404, `There is no house consignment ${id}`);
    return reply.type('application/json').header('Cache-Control', 'no-store').send(body);
  });
}
