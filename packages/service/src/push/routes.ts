// HTTP of subscriptions.
import {
  formatScope,
  isUuid,
  NewSubscription,
  operations,
  SubscriptionChange,
  subscribableFeeds,
} from '@landfall/contract';
import { type Caller, hasScope, InsufficientScopeError } from '../http/caller.js';
import { addOperation, compileBodyCheck, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { ValidationFailedError } from '../http/problem.js';
import { changeSubscription } from './change-subscription.js';
import { createSubscription } from './create-subscription.js';
import { deleteSubscription } from './delete-subscription.js';
import { getSubscription } from './get-subscription.js';
import { listSubscriptionAttempts } from './list-subscription-attempts.js';
import { listSubscriptions } from './list-subscriptions.js';
import type { Holder } from './queries.js';
import { rotateSubscriptionSecret } from './rotate-subscription-secret.js';
import { subscribableKinds, subscribedKind } from './subscribed-feeds.js';
import {
  type SubscriptionContext,
  SubscriptionNotFoundError,
  type Subscriptions,
} from './subscriptions.js';
import { type TestParts, testSubscription } from './test-subscription.js';

export function addPushRoutes(http: RouteContext, subscriptions: Subscriptions & TestParts): void {
  const readNew = compileBodyCheck<NewSubscription>(NewSubscription);
  const readChange = compileBodyCheck<SubscriptionChange>(SubscriptionChange);
  const { database } = subscriptions;
  const contextOf = (caller: Caller, requestId: string): SubscriptionContext => ({
    ...holderOf(caller),
    organisation: caller.organisation,
    clientId: caller.clientId,
    requestId,
    at: http.clock(),
    movedAt: http.movedClock?.(),
  });

  addOperation(http, operations.createSubscription, async ({ body, caller, request, reply }) => {
    const subscription = readNew(body);
    requireScope(caller, subscription.feed, http.scopePrefix);
    const result = accept(
      await createSubscription(subscriptions, subscription, contextOf(caller, request.id)),
    );
    const path = operations.getSubscription.path.replace('{id}', result.created.id);
    return reply.code(201).header('Location', `${http.baseUrl}${path}`).send(result.created);
  });

  addOperation(http, operations.listSubscriptions, async ({ caller }) =>
    listSubscriptions(database, holderOf(caller)),
  );

  addOperation(http, operations.getSubscription, async ({ params, caller }) =>
    getSubscription(database, readId(params), holderOf(caller)),
  );

  addOperation(http, operations.changeSubscription, async ({ params, body, caller, request }) => {
    const change = readChange(body);
    const context = contextOf(caller, request.id);
    return accept(await changeSubscription(subscriptions, readId(params), change, context)).changed;
  });

  addOperation(http, operations.deleteSubscription, async ({ params, caller, request, reply }) => {
    await deleteSubscription(subscriptions, readId(params), contextOf(caller, request.id));
    return reply.code(204).send();
  });

  addOperation(http, operations.rotateSubscriptionSecret, async ({ params, caller, request }) => {
    const context = contextOf(caller, request.id);
    return accept(await rotateSubscriptionSecret(subscriptions, readId(params), context)).rotated;
  });

  addOperation(http, operations.testSubscription, async ({ params, caller }) => {
    const result = await testSubscription(subscriptions, readId(params), holderOf(caller));
    return accept(result).attempt;
  });

  addOperation(http, operations.listSubscriptionAttempts, async (call) => {
    const { params, query, caller, request, reply } = call;
    const { entries, next } = await listSubscriptionAttempts(
      database,
      readId(params),
      query,
      holderOf(caller),
    );
    setPageHeaders(http.baseUrl, request, reply, { count: entries.length, next }, 'before');
    return reply.type('application/json').send(`[${entries.join(',')}]`);
  });
}

/** The organisation of a caller, and the kinds of feeds that it may read. */
function holderOf(caller: Caller): Holder {
  const kinds = subscribableKinds
    .map(({ number }) => number)
    .filter((number) => hasScope(caller, subscribedKind(number).scopes));
  return { organisationId: caller.organisationId, kinds };
}

/** @throws InsufficientScopeError when the caller may not read the feed */
function requireScope(caller: Caller, feed: NewSubscription['feed'], prefix: string): void {
  const { scopes } = subscribableFeeds[feed];
  if (hasScope(caller, scopes)) return;
  const foreign = caller.scopes.some((scope) => scope.foreign);
  throw new InsufficientScopeError(scopes.map((name) => formatScope(name, { prefix, foreign })));
}

/** What was done. @throws ValidationFailedError when it was refused */
function accept<Result extends object>(result: Result): Exclude<Result, { errors: unknown }> {
  if ('errors' in result && Array.isArray(result.errors)) {
    throw new ValidationFailedError(result.errors);
  }
  // The cast is true because what has no errors is the other one.
  return result as Exclude<Result, { errors: unknown }>;
}

function readId({ id }: { id: string }): string {
  if (!isUuid(id)) throw new SubscriptionNotFoundError(id);
  return id.toLowerCase();
}
