// What can be subscribed to, by its names in the contract and in the database.
import { keysOf, type SubscribedFeed, subscribableFeeds } from '@landfall/contract';
import type { Feed, FeedKind } from '../feed/feed.js';
import { goodsItemEvents, STREAM_OWNER } from '../goods-items/event-feed.js';
import { movementStatuses } from '../movements/status-feed.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { routingSignals } from '../routing/signal-feed.js';

const kinds: Record<SubscribedFeed, FeedKind> = {
  routing: routingSignals,
  'validation-status': validationStatuses,
  'goods-items': goodsItemEvents,
  'movement-status': movementStatuses,
};

/** Every kind of feed that can be subscribed to. */
export const subscribableKinds: readonly FeedKind[] = Object.values(kinds);

/** The feed of an organisation that a subscription names. */
export function feedOf(name: SubscribedFeed, organisationId: number): Feed {
  const kind = kinds[name];
  return { kind, owner: kind === goodsItemEvents ? STREAM_OWNER : organisationId };
}

/** What is subscribed to in feeds of a kind. */
export function subscribedKind(number: number) {
  const name = keysOf(kinds).find((candidate) => kinds[candidate].number === number);
  if (name === undefined) throw new Error(`feeds of kind ${number} cannot be subscribed to`);
  return { name, kind: kinds[name], ...subscribableFeeds[name] };
}
