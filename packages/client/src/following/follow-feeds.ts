// Following each of the feeds.
import type { Connection } from '../connection/connection.js';
import type {
  MovementStatus,
  RoutingSignal,
  ShownGoodsItemMessage,
  ValidationStatus,
} from '../contract/types.js';
import { goodsItemFeed, movementStatusFeed, routingFeed, statusFeed } from './feed.js';
import type { FollowOptions } from './follow-options.js';
import { Following } from './following.js';

/**
 * Follows the routing signals of this organisation.
 *
 * It throws what the first request throws, repeated by the policy of the connection. Afterwards it reconnects by itself
 * for as long as it takes.
 *
 * @throws ApiError when the service refuses the marker (`UNKNOWN_MARKER`) or the client
 * @example
 * for await (const signal of followRouting(landfall, { store })) await handle(signal);
 */
export function followRouting(
  connection: Connection,
  options: FollowOptions = {},
): Following<RoutingSignal> {
  return new Following(connection, routingFeed, options);
}

/** Follows the validation statuses of this organisation's requests, as `followRouting` does. */
export function followStatuses(
  connection: Connection,
  options: FollowOptions = {},
): Following<ValidationStatus> {
  return new Following(connection, statusFeed, options);
}

/** Follows the statuses of this organisation's requests about movement messages, as `followRouting` does. */
export function followMovementStatuses(
  connection: Connection,
  options: FollowOptions = {},
): Following<MovementStatus> {
  return new Following(connection, movementStatusFeed, options);
}

/**
 * Follows the stream of goods-item messages, as `followRouting` does.
 *
 * @throws MarkerExpiredError when messages after the marker are no longer kept
 */
export function followGoodsItems(
  connection: Connection,
  options: FollowOptions = {},
): Following<ShownGoodsItemMessage> {
  return new Following(connection, goodsItemFeed, options);
}
