// The feeds that can be followed: how a page is read, and which marker an entry has.
import type { Connection } from '../connection/connection.js';
import type { Operation } from '../connection/operation.js';
import type { Page } from '../connection/page.js';
import type {
  MovementStatus,
  RoutingSignal,
  ShownGoodsItemMessage,
  ValidationStatus,
} from '../contract/types.js';
import {
  listCurrentGoodsItems,
  listGoodsItems,
  listMovementStatuses,
  listValidationStatuses,
  readRoutingSignals,
} from '../operations/operations.js';

/** Where a feed is read from: after the entry of a marker, or at a time; without either, with the oldest entry. */
export type FeedStart = {
  marker?: string | undefined;
  /** In which the marker was received; only with it is it told from that of another entry after a restore of the service. */
  timeline?: string | undefined;
  since?: string | undefined;
};

/** A page of a feed. */
export type FeedQuery = FeedStart & { limit?: number | undefined };

/** A feed: entries in an order that never changes. */
export type Feed<Entry> = {
  readonly operation: Operation<{ query?: FeedQuery | undefined }, Page<Entry, FeedQuery>>;
  /** The entry in the data of an event; default: the data as JSON. */
  parse?(data: string): Entry;
  /** The marker to continue with after the entry; anything but a text for what is none. */
  markerOf(entry: Entry): string;
  /** Feeds that entries leave: the marker at the end of the feed now. */
  findEnd?(connection: Connection, signal: AbortSignal | undefined): Promise<string | undefined>;
};

export const routingFeed: Feed<RoutingSignal> = {
  operation: readRoutingSignals,
  markerOf: (signal) => signal?.routingResult?.id,
};

export const statusFeed: Feed<ValidationStatus> = {
  operation: listValidationStatuses,
  markerOf: (status) => status?.requestId,
};

export const movementStatusFeed: Feed<MovementStatus> = {
  operation: listMovementStatuses,
  markerOf: (status) => status?.requestId,
};

export const goodsItemFeed: Feed<ShownGoodsItemMessage> = {
  operation: listGoodsItems,
  markerOf: (message) => message?.metadata?.eventId,
  findEnd: async (connection, signal) =>
    (await connection.call(listCurrentGoodsItems, { query: { limit: 1 } }, { signal })).marker,
};

/** Every feed, by the name of the function and the method that follow it. */
export const feeds = {
  followRouting: routingFeed,
  followStatuses: statusFeed,
  followMovementStatuses: movementStatusFeed,
  followGoodsItems: goodsItemFeed,
};
