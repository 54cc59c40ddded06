// Subscriptions: feeds that are sent to a receiver.
import { Type } from 'typebox';
import { KEPT_ATTEMPTS, SubscriptionAttempt, SubscriptionAttemptQuery } from '../push/attempt.js';
import {
  MAX_SECRETS,
  MAX_SUBSCRIPTIONS,
  NewSubscription,
  OLD_SECRET_HOURS,
  Subscription,
  SubscriptionChange,
  SubscriptionId,
  SubscriptionWithSecret,
  subscriptionScopes,
} from '../push/subscription.js';
import { pageHeaders } from './feed.js';
import type { Operation } from './operation.js';

const subscriptionsPath = '/api/notification/v1/subscriptions';

const common = { tag: 'Push', access: subscriptionScopes } as const;
const ofOne = { ...common, parameters: { id: SubscriptionId }, problems: [404] } as const;

export const subscriptionOperations = {
  createSubscription: {
    ...common,
    operationId: 'createSubscription',
    method: 'POST',
    path: subscriptionsPath,
    summary: 'Subscribe to a feed',
    description: `Entries of the feed are sent to the receiver as Standard Webhooks, at most 100 and 1 MB at once, in the order of the feed, each at least once; nothing is sent before what precedes it was confirmed. Before the first entry the receiver must repeat a challenge: the subscription is \`VERIFYING\` until then. A response 2xx within 15 s confirms a delivery. Otherwise it is sent again after 5 s, then less and less often, up to once an hour, and not before the time in \`Retry-After\` (at most an hour); after three days, or after 410, the subscription is \`SUSPENDED\`. The scope is that of reading the feed. An organisation has at most ${MAX_SUBSCRIPTIONS} subscriptions. The secret is shown in this response alone: if the response is lost, delete the subscription that the list shows, and create it again. Subscriptions do not delay the removal of entries that are not kept any longer.`,
    body: { 'application/json': NewSubscription },
    responses: {
      201: {
        description: 'The subscription, with its secret',
        content: { 'application/json': SubscriptionWithSecret },
        headers: { Location: 'The address of the subscription' },
      },
    },
  },

  listSubscriptions: {
    ...common,
    operationId: 'listSubscriptions',
    method: 'GET',
    path: subscriptionsPath,
    summary: 'List subscriptions',
    description:
      'All subscriptions of this organisation to feeds that the caller may read, in the order in which they were created.',
    responses: {
      200: {
        description: 'Subscriptions; empty if there is none',
        content: { 'application/json': Type.Array(Subscription) },
      },
    },
  },

  getSubscription: {
    ...ofOne,
    operationId: 'getSubscription',
    method: 'GET',
    path: `${subscriptionsPath}/{id}`,
    summary: 'Read a subscription',
    description: 'A subscription, its state and how far it is.',
    responses: {
      200: { description: 'The subscription', content: { 'application/json': Subscription } },
    },
  },

  changeSubscription: {
    ...ofOne,
    operationId: 'changeSubscription',
    method: 'PATCH',
    path: `${subscriptionsPath}/{id}`,
    summary: 'Change a subscription',
    description:
      'Changes the members that the body names. When the response arrives, nothing is sent any more to the address of before, or while the subscription is `PAUSED`, except for an attempt that has begun, which ends within 15 s. The same change again changes nothing.',
    idempotent: true,
    body: { 'application/merge-patch+json': SubscriptionChange },
    responses: {
      200: {
        description: 'The subscription after the change',
        content: { 'application/json': Subscription },
      },
    },
  },

  deleteSubscription: {
    ...ofOne,
    operationId: 'deleteSubscription',
    method: 'DELETE',
    path: `${subscriptionsPath}/{id}`,
    summary: 'End a subscription',
    description:
      'Removes the subscription with its secrets and attempts. An attempt that has begun ends within 15 s.',
    responses: { 204: { description: 'The subscription has ended' } },
  },

  rotateSubscriptionSecret: {
    ...ofOne,
    operationId: 'rotateSubscriptionSecret',
    method: 'POST',
    path: `${subscriptionsPath}/{id}/secret`,
    summary: 'Replace the secret of a subscription',
    description: `Makes a new secret, or with \`v1a\` a new key. What is sent is signed with the one before as well for ${OLD_SECRET_HOURS} hours, so that no delivery is lost while the receiver takes the new one. At most ${MAX_SECRETS} are signed with at the same time: further rotations are refused with \`SUBSCRIPTION_STATE\` until an old one has ended.`,
    responses: {
      200: {
        description: 'The subscription, with its new secret',
        content: { 'application/json': SubscriptionWithSecret },
      },
    },
  },

  testSubscription: {
    ...ofOne,
    operationId: 'testSubscription',
    method: 'POST',
    path: `${subscriptionsPath}/{id}/test`,
    summary: 'Send a test event to a receiver',
    description:
      'Sends an event of the type `subscription.test` at once, and returns what became of it, after 15 s at most. It changes nothing in what is delivered. It is refused with `SUBSCRIPTION_STATE` while the receiver is not verified, and with 503 while too much is sent for this organisation.',
    idempotent: true,
    responses: {
      200: {
        description: 'The attempt, whatever became of it',
        content: { 'application/json': SubscriptionAttempt },
      },
    },
  },

  listSubscriptionAttempts: {
    ...ofOne,
    operationId: 'listSubscriptionAttempts',
    method: 'GET',
    path: `${subscriptionsPath}/{id}/attempts`,
    summary: 'List the attempts of a subscription',
    description: `The last ${KEPT_ATTEMPTS.toLocaleString('en-GB')} attempts to reach the receiver, the newest first.`,
    query: SubscriptionAttemptQuery,
    responses: {
      200: {
        description: 'Attempts; empty if there is none',
        content: { 'application/json': Type.Array(SubscriptionAttempt) },
        headers: pageHeaders,
      },
    },
  },
} as const satisfies Record<string, Operation>;
