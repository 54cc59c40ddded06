// What is kept for how long, by configuration.
import type { FeedKind } from '../feed/feed.js';
import { goodsItemEvents } from '../goods-items/event-feed.js';
import { movementStatuses } from '../movements/status-feed.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { routingSignals } from '../routing/signal-feed.js';
import {
  closeMovements,
  expireConsignments,
  expireTransports,
  removeMessageTexts,
} from './end-movements.js';
import { expireDocuments } from './expire-documents.js';
import { type ExpiryContext, expireFeed } from './expire-entries.js';
import { expireHouseConsignments } from './expire-house-consignments.js';
import { expireUnusedRegistrations } from './expire-registrations.js';
import { expireRuns } from './expire-runs.js';
import { makeExpireUnpresented } from './expire-unpresented.js';
import type { RetainedKind } from './retention.js';

/** How long each kind is kept, in days, and after how many hours messages expire; 0: for ever. */
type RetentionDays = {
  transportExpiry: number;
  consignmentExpiry: number;
  movementClosing: number;
  messageRetention: number;
  statusRetention: number;
  signalRetention: number;
  consignmentRetention: number;
  unpresentedRetention: number;
  goodsItemRetention: number;
  documentRetention: number;
};

const HOURS_OF_A_DAY = 24;

/**
 * Every kind of data that ends or is removed after a time.
 *
 * @param findSignalStreams gives the JetStream streams that must have a signal before it is removed
 */
export function retainedKinds(
  days: RetentionDays,
  context: ExpiryContext,
  expireGoodsItems: RetainedKind['expire'],
  findSignalStreams: () => Promise<readonly string[]>,
): RetainedKind[] {
  return [
    {
      name: 'validation-statuses',
      days: days.statusRetention,
      expire: (before) => expireFeed(context, validationStatuses, before),
    },
    {
      name: 'movement-statuses',
      days: days.statusRetention,
      expire: (before) => expireFeed(context, movementStatuses, before),
    },
    {
      name: 'routing-signals',
      days: days.signalRetention,
      expire: async function* (before, reportWaiting) {
        const to = await findSignalStreams();
        const relay = to.length === 0 ? undefined : { to, reportWaiting };
        yield* expireFeed(context, routingSignals, before, relay);
      },
    },
    // Transports first, because what they reached may expire then.
    {
      name: 'expired-transports',
      days: days.transportExpiry / HOURS_OF_A_DAY,
      expire: (before) => expireTransports(context, before),
    },
    {
      name: 'expired-consignments',
      days: days.consignmentExpiry / HOURS_OF_A_DAY,
      expire: (before) => expireConsignments(context, before),
    },
    {
      name: 'closed-movements',
      days: days.movementClosing,
      expire: (before) => closeMovements(context, before),
    },
    {
      name: 'movement-texts',
      days: days.messageRetention,
      expire: (before) => removeMessageTexts(context, before),
    },
    {
      name: 'house-consignments',
      days: days.consignmentRetention,
      expire: (before) => expireHouseConsignments(context, before),
    },
    {
      name: 'unpresented-house-consignments',
      days: days.unpresentedRetention,
      expire: makeExpireUnpresented(context),
    },
    {
      name: 'routing-runs',
      days: days.consignmentRetention,
      expire: (before) => expireRuns(context, before),
    },
    {
      name: 'registrations',
      // When goods that were never presented are removed is counted from theirs.
      days:
        days.consignmentRetention === 0
          ? 0
          : Math.max(days.consignmentRetention, days.unpresentedRetention),
      expire: (before) => expireUnusedRegistrations(context, before),
    },
    {
      name: 'documents',
      days: days.documentRetention,
      expire: (before) => expireDocuments(context, before),
    },
    { name: 'goods-items', days: days.goodsItemRetention, expire: expireGoodsItems },
  ];
}

/** The kinds of feed whose entries are removed after a time. */
export function expiringFeeds(days: RetentionDays): ReadonlySet<FeedKind> {
  const kinds: [FeedKind, number][] = [
    [validationStatuses, days.statusRetention],
    [movementStatuses, days.statusRetention],
    [routingSignals, days.signalRetention],
    [goodsItemEvents, days.goodsItemRetention],
  ];
  return new Set(kinds.filter(([, kept]) => kept > 0).map(([kind]) => kind));
}
