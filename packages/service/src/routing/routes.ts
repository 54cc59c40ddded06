// HTTP of routing signals, of checking whether goods may be released, and of explaining why there is no signal.
import { setTimeout as delay } from 'node:timers/promises';
import { operations, type ReleaseOutcome } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type FeedContext, readWhenGrown, serveFeed } from '../feed/serve-feed.js';
import { hasScope } from '../http/caller.js';
import { addOperation, type RouteContext, refuse } from '../http/operation.js';
import { requestedWait } from '../http/preferences.js';
import { checkRelease } from './check-release.js';
import { explainRouting } from './explain-routing.js';
import { readRoutingSignals } from './read-routing-signals.js';
import { routingSignals } from './signal-feed.js';

/**
 * How long a response takes that says nothing of goods, in milliseconds. Goods of others take a little longer to
 * look for than goods that do not exist; this is longer than both.
 */
const UNKNOWN_RESPONSE_MS = 100;

/**
 * How soon goods that are not decided are checked again for one who waits, in milliseconds, where no signal may say that
 * something has changed. Where one does, it is a precaution.
 */
const RECHECK_MS = { told: 60_000, untold: 5000 };

/** What the operations need. */
export type RoutingContext = FeedContext & { database: Queryable };

export function addRoutingRoutes(http: RouteContext, context: RoutingContext): void {
  addOperation(http, operations.readRoutingSignals, (call) =>
    serveFeed(context, call, readRoutingSignals(call.caller.organisationId, call.query)),
  );
  addCheckRelease(http, context);
  addExplainRouting(http, context);
}

/** Whether another outcome follows: a check that waits waits for it. */
function isOpen(outcome: ReleaseOutcome): boolean {
  return outcome === 'UNDECIDED' || outcome === 'ENTRY_PENDING';
}

function addCheckRelease(http: RouteContext, context: RoutingContext): void {
  const { database, recordAccess, turns } = context;
  addOperation(http, operations.checkRelease, async ({ query, caller, request, reply }) => {
    const begunAt = performance.now();
    const isAuthority = hasScope(caller, ['authority/registry', 'authority/routing']);
    const organisationId = isAuthority ? undefined : caller.organisationId;
    const feed = { kind: routingSignals, owner: caller.organisationId };
    const wait = requestedWait(request);
    const check = () => checkRelease(database, query.identifier, organisationId);
    const { outcome, body, read } = await readWhenGrown(context, request, caller, {
      feed,
      wait,
      // Of many that wait for one feed, each is woken by whatever is added to it.
      readNow: wait === 0 ? check : () => turns.take(caller.organisationId, reply.raw, check),
      isThere: (checked) => !isOpen(checked.outcome),
      rereadMs: ({ isTold }) => (isTold ? RECHECK_MS.told : RECHECK_MS.untold),
    });
    for (const range of read) recordAccess?.({ feed, reader: caller, ...range });
    if (outcome === 'UNKNOWN' && !isAuthority) {
      await delay(begunAt + UNKNOWN_RESPONSE_MS - performance.now());
    }
    if (wait > 0) reply.header('Preference-Applied', `wait=${wait}`);
    return reply.type('application/json').send(body);
  });
}

function addExplainRouting(http: RouteContext, { database }: RoutingContext): void {
  addOperation(http, operations.explainRouting, async ({ query, caller, reply }) => {
    const begunAt = performance.now();
    const explained = await explainRouting(database, caller.organisationId, query);
    if (explained === undefined) {
      refuse({
        field: 'mrn',
        error: 'is required: this organisation has several house consignments with this document',
        code: 'REFERENCE_AMBIGUOUS',
      });
    }
    if (explained.code === 'NOT_PRE_NOTIFIED_OR_NOT_YOURS') {
      await delay(begunAt + UNKNOWN_RESPONSE_MS - performance.now());
    }
    return reply.send(explained);
  });
}
