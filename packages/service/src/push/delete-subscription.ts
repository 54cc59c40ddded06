// Ends a subscription.
import { lockSubscription, removeSubscription } from './queries.js';
import {
  recordOf,
  type SubscriptionContext,
  SubscriptionNotFoundError,
  type Subscriptions,
} from './subscriptions.js';

/** @throws SubscriptionNotFoundError */
export async function deleteSubscription(
  { database, audit }: Subscriptions,
  id: string,
  context: SubscriptionContext,
): Promise<void> {
  await database.transact(async (transaction) => {
    const [found] = await transaction.query(lockSubscription(id, context));
    if (found === undefined) throw new SubscriptionNotFoundError(id);
    await transaction.query(removeSubscription(id));
    const record = recordOf(context, 'subscription.delete', { subscription: id });
    await audit.record(transaction, record);
  }, 'writes');
}
