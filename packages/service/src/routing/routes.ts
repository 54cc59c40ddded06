// HTTP of routing signals, and of checking whether goods may be released.
import { setTimeout as delay } from 'node:timers/promises';
import { operations, type ReleaseQuery, type RoutingQuery } from '@landfall/contract';
import { type FeedContext, serveFeed } from '../feed/serve-feed.js';
import { hasScope } from '../http/caller.js';
import { addOperation, compileQueryCheck, type RouteContext } from '../http/operation.js';
import { checkRelease } from './check-release.js';
import { readRoutingSignals } from './read-routing-signals.js';
import { routingSignals } from './signal-feed.js';

/**
 * How long a response with `UNKNOWN` takes, in milliseconds. Goods of others take a little longer to
 * look for than goods that do not exist; this is longer than both.
 */
const UNKNOWN_RESPONSE_MS = 100;

/** What the operations need. */
export type RoutingContext = FeedContext & { database: Parameters<typeof checkRelease>[0] };

export function addRoutingRoutes(http: RouteContext, context: RoutingContext): void {
  addReadRoutingSignals(http, context);
  addCheckRelease(http, context);
}

function addReadRoutingSignals(http: RouteContext, context: FeedContext): void {
  const operation = operations.readRoutingSignals;
  const checkQuery = compileQueryCheck<RoutingQuery>(operation.query);
  addOperation(http, operation, (request, reply, caller) => {
    const read = readRoutingSignals(caller.organisationId, checkQuery(request.query));
    return serveFeed(context, request, reply, caller, read);
  });
}

function addCheckRelease(http: RouteContext, { database, recordAccess }: RoutingContext): void {
  const operation = operations.checkRelease;
  const checkQuery = compileQueryCheck<ReleaseQuery>(operation.query);
  addOperation(http, operation, async (request, reply, caller) => {
    const begunAt = performance.now();
    const { identifier } = checkQuery(request.query);
    const isAuthority = hasScope(caller, ['authority/registry', 'authority/routing']);
    const organisationId = isAuthority ? undefined : caller.organisationId;
    const { outcome, body, read } = await checkRelease(database, identifier, organisationId);
    const feed = { kind: routingSignals, owner: caller.organisationId };
    for (const range of read) recordAccess?.({ feed, reader: caller, ...range });
    if (outcome === 'UNKNOWN' && !isAuthority) {
      await delay(begunAt + UNKNOWN_RESPONSE_MS - performance.now());
    }
    return reply.type('application/json').header('Cache-Control', 'no-store').send(body);
  });
}
