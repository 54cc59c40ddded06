// Subscriptions: a feed of an organisation is sent to an address, entry by entry, as Standard Webhooks.
import { type Static, Type } from 'typebox';
import { keysOf } from '../keys-of.js';
import { uuidQuery } from '../paging.js';
import { definePattern } from '../patterns.js';
import { Count, Instant } from '../quantities.js';
import type { ScopeName } from '../scopes.js';

/** Maximum number of subscriptions of an organisation. */
export const MAX_SUBSCRIPTIONS = 100;

/** For how long the secret before a rotation is signed with as well, in hours. */
export const OLD_SECRET_HOURS = 24;

/** Maximum number of secrets of a subscription that are signed with at the same time. */
export const MAX_SECRETS = 5;

/** Maximum length of the address of a receiver, in characters. */
const MAX_URL_LENGTH = 2000;

const entryScopes: readonly ScopeName[] = ['movement/entry'];
const movementScopes: readonly ScopeName[] = [
  'movement/road/v2',
  'movement/air',
  'movement/rail',
  'movement/maritime',
  'movement/transportarrival',
];

/** What can be subscribed to: the type of the deliveries, and the scopes of which one is needed, as for reading the feed. */
export const subscribableFeeds = {
  routing: { type: 'routing.signals', entries: 'routing signals', scopes: entryScopes },
  'validation-status': {
    type: 'validation-status.changed',
    entries: 'statuses of presentations',
    scopes: entryScopes,
  },
  'goods-items': {
    type: 'goods-items.events',
    entries: 'messages of the goods-item stream',
    scopes: ['declaration.feed'] as readonly ScopeName[],
  },
  'movement-status': {
    type: 'movement-status.changed',
    entries: 'statuses of requests about movement messages',
    scopes: movementScopes,
  },
} as const;

/** Every scope that permits a subscription to one of the feeds. */
export const subscriptionScopes: readonly ScopeName[] = [
  ...new Set(Object.values(subscribableFeeds).flatMap(({ scopes }) => scopes)),
];

/** A feed that can be subscribed to. */
export const SubscribedFeed = Type.Enum(keysOf(subscribableFeeds), {
  $id: 'SubscribedFeed',
  description: Object.entries(subscribableFeeds)
    .map(([feed, { entries, type }]) => `\`${feed}\`: ${entries}, sent as \`${type}\``)
    .join('; '),
});
export type SubscribedFeed = Static<typeof SubscribedFeed>;

/** How deliveries are signed. */
export const subscriptionSignatures = {
  v1: 'HMAC-SHA256 with a secret that both sides have (`whsec_`)',
  v1a: 'Ed25519: the receiver has the public key alone (`whpk_`)',
} as const;

/** How the deliveries of a subscription are signed. */
export const SubscriptionSignature = Type.Enum(keysOf(subscriptionSignatures), {
  $id: 'SubscriptionSignature',
  description: Object.entries(subscriptionSignatures)
    .map(([signature, meaning]) => `\`${signature}\`: ${meaning}`)
    .join('; '),
});
export type SubscriptionSignature = Static<typeof SubscriptionSignature>;

/** The states of a subscription, with their meanings. */
export const subscriptionStates = {
  VERIFYING: 'the receiver has not repeated a challenge yet, and gets no entries',
  ACTIVE: 'entries are delivered',
  PAUSED: 'nothing is sent until it is `ACTIVE` again',
  SUSPENDED: 'Landfall sends nothing any more, for the `reason`',
} as const;

/** The state of a subscription. */
export const SubscriptionState = Type.Enum(keysOf(subscriptionStates), {
  $id: 'SubscriptionState',
  description: Object.entries(subscriptionStates)
    .map(([state, meaning]) => `\`${state}\`: ${meaning}`)
    .join('; '),
});
export type SubscriptionState = Static<typeof SubscriptionState>;

/** Why a subscription is suspended, and what to do. */
export const suspensionReasons = {
  NOT_VERIFIED:
    'the receiver did not repeat a challenge for 15 minutes: correct the receiver or `url`, then set `ACTIVE`',
  NOT_CONFIRMED:
    'the receiver confirmed nothing for three days: repair it, then set `ACTIVE`; it continues after the last confirmed entry',
  RECEIVER_GONE: 'the receiver answered 410: set `ACTIVE` if it is there again',
  ACCESS_ENDED:
    'the organisation was blocked, its client was blocked or removed, or the scope was withdrawn: repair that, then set `ACTIVE`',
  MARKER_EXPIRED:
    'entries after the last confirmed one are no longer kept, so they would be missing: read what there is, and create a new subscription',
  UNKNOWN_MARKER:
    'the last confirmed entry is not in the feed any more, because the data was replaced: create a new subscription',
} as const;

/** Why a subscription is suspended. */
export const SuspensionReason = Type.Enum(keysOf(suspensionReasons), {
  $id: 'SuspensionReason',
  description: Object.entries(suspensionReasons)
    .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
    .join('; '),
});
export type SuspensionReason = Static<typeof SuspensionReason>;

/** The characters of the address of a receiver. The service checks what the address means. */
const RECEIVER_PATTERN = definePattern(
  '^https?://[\\u0021-\\u007e]+$',
  'must be an address such as https://receiver.example/hooks, without blanks',
);

const Receiver = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  pattern: RECEIVER_PATTERN,
  description:
    'Address of the receiver: `https`, on the public internet, without user and fragment. A playground accepts `http` and addresses of this machine too',
  examples: ['https://receiver.example/hooks/customs'],
});

/** A subscription as it is created. */
export const NewSubscription = Type.Object(
  {
    feed: SubscribedFeed,
    url: Receiver,
    marker: uuidQuery(
      'The id of the entry after which deliveries begin, as the marker of reading. Without it and without `since`, they begin with the first entry after the subscription',
    ),
    since: Type.Optional(
      Instant(
        'In place of `marker`: deliveries begin with the first entry that was added at this time or later; not a time in the future',
      ),
    ),
    signature: Type.Optional(
      Type.Enum(keysOf(subscriptionSignatures), {
        default: 'v1',
        description: 'How deliveries are signed',
      }),
    ),
  },
  {
    $id: 'NewSubscription',
    description: 'A subscription to a feed',
    examples: [{ feed: 'routing', url: 'https://receiver.example/hooks/customs' }],
  },
);
export type NewSubscription = Static<typeof NewSubscription>;

const subscriptionId = Type.String({ format: 'uuid', description: 'The id of the subscription' });

const members = {
  id: subscriptionId,
  feed: SubscribedFeed,
  url: Type.String({ description: 'Address of the receiver' }),
  signature: SubscriptionSignature,
  publicKeys: Type.Optional(
    Type.Array(Type.String({ description: '`whpk_` and the Ed25519 public key in base64' }), {
      maxItems: MAX_SECRETS,
      description: `Only with \`v1a\`: the keys that are signed with now, the newest first; after a rotation two for ${OLD_SECRET_HOURS} hours`,
    }),
  ),
  state: SubscriptionState,
  reason: Type.Optional(SuspensionReason),
  client: Type.String({
    description:
      'The client that has created it, or set it `ACTIVE` or changed its `url` last: deliveries end with the access of this client. In the console, the subject of the person',
  }),
  createdAt: Instant('When it was created'),
  changedAt: Instant('When its state, its address or its secret changed last'),
  marker: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'The id of the last entry that was confirmed, or of the one after which deliveries begin; absent if there is none',
    }),
  ),
  pending: Count(
    'Entries of the feed after the last one that was confirmed or passed over. With a view of the goods-item stream, messages that it does not show are among them: they are passed over without a delivery',
  ),
  confirmedAt: Type.Optional(Instant('When the receiver has confirmed a delivery last')),
  failingSince: Type.Optional(
    Instant('When the first attempt failed of those that have failed since the last confirmation'),
  ),
  failures: Type.Optional(
    Type.Integer({ minimum: 1, description: 'How many attempts have failed since then' }),
  ),
  nextAttemptAt: Type.Optional(
    Instant('Only while attempts fail: when the next one is made, at the earliest'),
  ),
};

/** A subscription. Its secret is not in it. */
export const Subscription = Type.Object(members, {
  $id: 'Subscription',
  description: 'A subscription, its state and how far it is. The secret is never shown again',
});
export type Subscription = Static<typeof Subscription>;

/** A subscription with the secret that it has just got. */
export const SubscriptionWithSecret = Type.Object(
  {
    ...members,
    secret: Type.Optional(
      Type.String({
        description:
          'Only with `v1`: `whsec_` and the secret in base64. It is shown this once: keep it',
      }),
    ),
  },
  { $id: 'SubscriptionWithSecret', description: 'A subscription with its new secret' },
);
export type SubscriptionWithSecret = Static<typeof SubscriptionWithSecret>;

/** A change of a subscription. */
export const SubscriptionChange = Type.Object(
  {
    url: Type.Optional({
      ...Receiver,
      description:
        'Another address of the receiver: it is verified before it gets an entry, and deliveries continue where they were',
    }),
    state: Type.Optional(
      Type.Enum(['ACTIVE', 'PAUSED'], {
        description:
          '`PAUSED`: nothing is sent. `ACTIVE`: deliveries continue after the last confirmed entry, at once; a receiver that was not verified yet is `VERIFYING` first',
      }),
    ),
  },
  {
    $id: 'SubscriptionChange',
    description: 'The members of a subscription that change',
    examples: [{ state: 'PAUSED' }],
  },
);
export type SubscriptionChange = Static<typeof SubscriptionChange>;

/** The id of a subscription in an address. */
export const SubscriptionId = subscriptionId;
