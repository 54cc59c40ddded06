// HTTP of routing signals, and of checking whether goods may be released.
import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type FeedContext, serveFeed } from '../feed/serve-feed.js';
import { hasScope } from '../http/caller.js';
import { addOperation, type RouteContext } from '../http/operation.js';
import { checkRelease } from './check-release.js';
import { readRoutingSignals } from './read-routing-signals.js';
import { routingSignals } from './signal-feed.js';

/**
 * How long a response with `UNKNOWN` takes, in milliseconds. Goods of others take a little longer to
 * look for than goods that do not exist; this is longer than both.
 */
const UNKNOWN_RESPONSE_MS = 100;

/** What the operations need. */
export type RoutingContext = FeedContext & { database: Queryable };

export function addRoutingRoutes(http: RouteContext, context: RoutingContext): void {
  addOperation(http, operations.readRoutingSignals, (call) =>
    serveFeed(context, call, readRoutingSignals(call.caller.organisationId, call.query)),
  );
  addCheckRelease(http, context);
}

function addCheckRelease(http: RouteContext, { database, recordAccess }: RoutingContext): void {
  addOperation(http, operations.checkRelease, async ({ query: { identifier }, caller, reply }) => {
    const begunAt = performance.now();
    const isAuthority = hasScope(caller, ['authority/registry', 'authority/routing']);
    const organisationId = isAuthority ? undefined : caller.organisationId;
    const { outcome, body, read } = await checkRelease(database, identifier, organisationId);
    const feed = { kind: routingSignals, owner: caller.organisationId };
    for (const range of read) recordAccess?.({ feed, reader: caller, ...range });
    if (outcome === 'UNKNOWN' && !isAuthority) {
      await delay(begunAt + UNKNOWN_RESPONSE_MS - performance.now());
    }
    return reply.type('application/json').send(body);
  });
}
