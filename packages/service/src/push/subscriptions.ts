// What the operations of subscriptions share.
import type { Subscription, SubscriptionWithSecret } from '@landfall/contract';
import type { AuditContext } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { GrownFeed } from '../feed/grown-feeds.js';
import type { Holder, SubscriptionRow } from './queries.js';
import type { Receivers } from './receiver-address.js';
import { toPublicKey } from './sign-delivery.js';
import { subscribedKind } from './subscribed-feeds.js';

/** What the operations need. */
export type Subscriptions = {
  database: Database;
  audit: AuditTrail;
  /** Who may receive. */
  receivers: Receivers;
  /** Says that there is something to send, or to verify. */
  wake: (feed: GrownFeed) => void;
};

/** Who asks, when and in which request. */
export type SubscriptionContext = Holder &
  Omit<AuditContext, 'actor'> & {
    organisation: string;
    clientId: string;
    /** The time of what is recorded, where it may be moved; elsewhere it is the database's. */
    movedAt: Date | undefined;
  };

/** There is no such subscription of this organisation to a feed that the caller may read. */
export class SubscriptionNotFoundError extends Error {
  readonly code = 'SUBSCRIPTION_NOT_FOUND';
  override name = 'SubscriptionNotFoundError';

  constructor(id: string) {
    super(`there is no subscription ${id}`);
  }
}

/** A subscription as its organisation sees it. */
export function showSubscription({ kind, signature, keys, shown }: SubscriptionRow): Subscription {
  const { id, ...rest } = shown;
  const publicKeys = signature === 'v1a' ? { publicKeys: keys.map(toPublicKey) } : {};
  return { id, feed: subscribedKind(kind).name, ...rest, ...publicKeys };
}

/** The same with the secret that was just made. */
export type ShownSecret = SubscriptionWithSecret;

/** The members of a record about a subscription: never its address as a whole, which may have a secret. */
export function recordOf(
  { at, organisation, clientId, requestId }: SubscriptionContext,
  action: string,
  details: Record<string, unknown>,
) {
  return { at, actor: { organisation, client: clientId }, requestId, action, details };
}
