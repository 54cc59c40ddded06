// HTTP of routing signals.
import { operations, type RoutingQuery } from '@landfall/contract';
import { type FeedContext, serveFeed } from '../feed/serve-feed.js';
import { addOperation, compileQueryCheck, type RouteContext } from '../http/operation.js';
import { readRoutingSignals } from './read-routing-signals.js';

export function addRoutingRoutes(http: RouteContext, context: FeedContext): void {
  const operation = operations.readRoutingSignals;
  const checkQuery = compileQueryCheck<RoutingQuery>(operation.query);
  addOperation(http, operation, (request, reply, caller) => {
    const read = readRoutingSignals(caller.organisationId, checkQuery(request.query));
    return serveFeed(context, request, reply, caller, read);
  });
}
