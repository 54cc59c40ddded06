// Subscribes to a feed.
import { MAX_SUBSCRIPTIONS, type NewSubscription, type ValidationError } from '@landfall/contract';
import { newId } from '../new-id.js';
import { findBegin } from './find-begin.js';
import {
  countSubscriptions,
  insertSubscription,
  lockSubscriptions,
  selectSubscription,
} from './queries.js';
import { findReceiverError } from './receiver-address.js';
import { makeKey, toSecret } from './sign-delivery.js';
import { feedOf } from './subscribed-feeds.js';
import {
  recordOf,
  type ShownSecret,
  type SubscriptionContext,
  SubscriptionNotFoundError,
  type Subscriptions,
  showSubscription,
} from './subscriptions.js';

/**
 * Creates a subscription, whose receiver is verified at once in the background.
 *
 * @throws UnknownMarkerError, MarkerExpiredError as reading the feed does
 */
export async function createSubscription(
  { database, audit, receivers, wake }: Subscriptions,
  { feed: name, url, marker, since, signature = 'v1' }: NewSubscription,
  context: SubscriptionContext,
): Promise<{ created: ShownSecret } | { errors: ValidationError[] }> {
  const error = findReceiverError(url, receivers);
  if (error !== undefined) return { errors: [{ field: 'url', error, code: 'FORMAT' }] };
  const { organisationId, clientId, movedAt, at } = context;
  const feed = feedOf(name, organisationId);
  const begin = await findBegin(database.lookUps, feed, { marker, since }, at);
  if ('errors' in begin) return begin;
  const [id, key] = [newId(), makeKey()];
  const { kind, owner } = { kind: feed.kind.number, owner: feed.owner };
  const stored = await database.transact(async (transaction) => {
    await transaction.query(lockSubscriptions(organisationId));
    const [counted] = await transaction.query(countSubscriptions(organisationId));
    if ((counted?.count ?? 0) >= MAX_SUBSCRIPTIONS) return false;
    const subscription = { id, organisationId, clientId, kind, owner, url, signature, key };
    await transaction.query(insertSubscription({ ...subscription, ...begin }, movedAt));
    const details = { subscription: id, feed: name, host: new URL(url).host, signature };
    await audit.record(transaction, recordOf(context, 'subscription.create', details));
    return true;
  }, 'writes');
  if (!stored) {
    const error = `must not be more: this organisation has ${MAX_SUBSCRIPTIONS} subscriptions. Delete one of them first`;
    return { errors: [{ field: 'feed', error, code: 'SIZE' }] };
  }
  wake({ kind, owner });
  const [row] = await database.query(selectSubscription(id, context));
  if (row === undefined) throw new SubscriptionNotFoundError(id);
  const secret = signature === 'v1' ? { secret: toSecret(key) } : {};
  return { created: { ...showSubscription(row), ...secret } };
}
