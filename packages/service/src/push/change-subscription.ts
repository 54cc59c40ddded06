// Changes the address or the state of a subscription.
import type {
  Subscription,
  SubscriptionChange,
  SubscriptionState,
  ValidationError,
} from '@landfall/contract';
import { findSubscription } from './get-subscription.js';
import { lockSubscription, type SubscriptionRow, updateSubscription } from './queries.js';
import { findReceiverError } from './receiver-address.js';
import { feedOf, subscribedKind } from './subscribed-feeds.js';
import {
  recordOf,
  type SubscriptionContext,
  type Subscriptions,
  showSubscription,
} from './subscriptions.js';

/**
 * Changes a subscription. What it would not change changes nothing.
 *
 * @throws SubscriptionNotFoundError
 */
export async function changeSubscription(
  { database, audit, receivers, wake }: Subscriptions,
  id: string,
  change: SubscriptionChange,
  context: SubscriptionContext,
): Promise<{ changed: Subscription } | { errors: ValidationError[] }> {
  const { url } = change;
  const error = url === undefined ? undefined : findReceiverError(url, receivers);
  if (error !== undefined) return { errors: [{ field: 'url', error, code: 'FORMAT' }] };
  const row = await database.transact(async (transaction) => {
    await transaction.query(lockSubscription(id, context));
    const before = await findSubscription(transaction, id, context);
    const after = merge(before, change);
    if (after.url === before.url && after.state === before.state) return before;
    const changed = { clientId: context.clientId, ...after };
    await transaction.query(updateSubscription(id, changed, context.movedAt));
    const details = { subscription: id, state: after.state, host: new URL(after.url).host };
    await audit.record(transaction, recordOf(context, 'subscription.change', details));
    return findSubscription(transaction, id, context);
  }, 'writes');
  const feed = feedOf(subscribedKind(row.kind).name, context.organisationId);
  wake({ kind: feed.kind.number, owner: feed.owner });
  return { changed: showSubscription(row) };
}

/** What a subscription becomes. Another address has to be verified, unless nothing is sent to it. */
function merge(
  before: SubscriptionRow,
  { url = before.url, state }: SubscriptionChange,
): Pick<SubscriptionRow, 'url' | 'isVerified' | 'state'> {
  const isVerified = before.isVerified && url === before.url;
  const resumed: SubscriptionState = isVerified ? 'ACTIVE' : 'VERIFYING';
  const isSending = before.state === 'ACTIVE' || before.state === 'VERIFYING';
  if (state === 'PAUSED') return { url, isVerified, state };
  if (state === 'ACTIVE') return { url, isVerified, state: resumed };
  return { url, isVerified, state: isSending ? resumed : before.state };
}
