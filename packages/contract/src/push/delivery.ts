// What a receiver gets: deliveries of entries, the challenge before the first one, and test events.
import { type Static, Type } from 'typebox';
import { ShownGoodsItemMessage } from '../goods-items/shown-message.js';
import { MovementStatus } from '../movement/messages.js';
import { Instant } from '../quantities.js';
import { RoutingSignal } from '../routing.js';
import { ValidationStatus } from '../validation-status.js';
import { subscribableFeeds } from './subscription.js';

/** Maximum number of entries of a delivery. */
export const MAX_DELIVERY_ENTRIES = 100;

/** Maximum size of the entries of a delivery, in bytes. */
export const MAX_DELIVERY_BYTES = 1_000_000;

/** How long a receiver may take to answer, in seconds. */
export const DELIVERY_TIMEOUT_S = 15;

/** The headers of everything that a receiver gets (Standard Webhooks). */
export const webhookHeaders = {
  'webhook-id':
    'Identifies the delivery: the same for the same entries, however often they are sent. Ignore one that you have processed',
  'webhook-timestamp':
    'When this attempt was made, in seconds since 1970: refuse one that differs by minutes from your clock',
  'webhook-signature':
    '`v1,` or `v1a,` and a signature in base64 of `<webhook-id>.<webhook-timestamp>.<body>`; several, separated by blanks, while a secret is replaced',
} as const;

const markerOf = Type.String({ format: 'uuid', description: 'The id of the last entry' });
const timestamp = Instant('When the delivery was made; the same at each attempt');

/** Entries of a feed, in its order. */
export const SubscriptionDelivery = Type.Object(
  {
    type: Type.Enum(
      Object.values(subscribableFeeds).map(({ type }) => type),
      { description: 'What the entries are' },
    ),
    timestamp,
    data: Type.Array(
      Type.Union([RoutingSignal, ValidationStatus, ShownGoodsItemMessage, MovementStatus]),
      {
        minItems: 1,
        maxItems: MAX_DELIVERY_ENTRIES,
        description:
          'Entries as reading the feed returns them, in the order of the feed, directly after those that were confirmed before',
      },
    ),
    marker: markerOf,
  },
  { $id: 'SubscriptionDelivery', description: 'Entries of a feed, in its order' },
);
export type SubscriptionDelivery = Static<typeof SubscriptionDelivery>;

/** The question whether a receiver wants a subscription. */
export const SubscriptionVerification = Type.Object(
  {
    type: Type.Enum(['subscription.verification']),
    timestamp,
    subscription: Type.String({ format: 'uuid', description: 'The id of the subscription' }),
    challenge: Type.String({ description: 'The text that the response must repeat' }),
  },
  {
    $id: 'SubscriptionVerification',
    description:
      'Sent before the first entry: the response is 2xx with the challenge as text, or as the member `challenge` of an object',
  },
);
export type SubscriptionVerification = Static<typeof SubscriptionVerification>;

/** An event that somebody has requested to try a receiver. */
export const SubscriptionTest = Type.Object(
  {
    type: Type.Enum(['subscription.test']),
    timestamp,
    subscription: Type.String({ format: 'uuid', description: 'The id of the subscription' }),
  },
  { $id: 'SubscriptionTest', description: 'A test event: it has no entries, and confirms nothing' },
);
export type SubscriptionTest = Static<typeof SubscriptionTest>;
