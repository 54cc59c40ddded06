// What a receiver gets, as `verifyPush` returns it.
import type {
  MovementStatus,
  RoutingSignal,
  ShownGoodsItemMessage,
  SubscriptionDelivery,
  SubscriptionTest,
  SubscriptionVerification,
  ValidationStatus,
} from '../contract/types.js';

/** The entries of each type of delivery. */
type Entries = {
  'routing.signals': RoutingSignal;
  'validation-status.changed': ValidationStatus;
  'goods-items.events': ShownGoodsItemMessage;
  'movement-status.changed': MovementStatus;
};

/** Entries of a feed, in its order. `type` says which ones. */
export type PushedEntries = {
  [Type in SubscriptionDelivery['type']]: Omit<SubscriptionDelivery, 'type' | 'data'> & {
    type: Type;
    data: Entries[Type][];
  };
}[SubscriptionDelivery['type']];

/** Entries, a challenge that the response repeats, or a test event. */
export type PushBody = PushedEntries | SubscriptionVerification | SubscriptionTest;

/** What was sent, and by which id. */
export type VerifiedPush = {
  /** The same for the same entries, however often they are sent: ignore one that you have processed. */
  webhookId: string;
  /** When this attempt was made. */
  sentAt: Date;
} & PushBody;

/** The types of deliveries; one that the contract adds is missing here until it is known. */
export const deliveryTypes: Record<SubscriptionDelivery['type'], true> = {
  'routing.signals': true,
  'validation-status.changed': true,
  'goods-items.events': true,
  'movement-status.changed': true,
};
