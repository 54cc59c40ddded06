// The address of routing: the signals that an organisation may read.
import { operations, type RoutingQuery } from '@landfall/contract';
import { type FeedContext, serveFeed } from '../feed/serve-feed.js';
import { addOperation, compileQueryCheck, type RouteContext } from '../http/operation.js';
import { routingSignals } from './signal-feed.js';

export function addRoutingRoutes(http: RouteContext, context: FeedContext): void {
  const operation = operations.readRoutingSignals;
  const checkQuery = compileQueryCheck<RoutingQuery>(operation.query);
  addOperation(http, operation, (request, reply, caller) => {
    const { marker, limit } = checkQuery(request.query);
    return serveFeed(context, request, reply, caller, {
      feed: { kind: routingSignals, owner: caller.organisationId },
      marker,
      limit,
    });
  });
}
