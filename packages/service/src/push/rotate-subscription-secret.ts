// Replaces the secret of a subscription; the one before signs for some hours more.
import { MAX_SECRETS, OLD_SECRET_HOURS, type ValidationError } from '@landfall/contract';
import { findSubscription } from './get-subscription.js';
import { lockSubscription, rotateSecret } from './queries.js';
import { makeKey, toSecret } from './sign-delivery.js';
import {
  recordOf,
  type ShownSecret,
  type SubscriptionContext,
  type Subscriptions,
  showSubscription,
} from './subscriptions.js';

const limits = { kept: MAX_SECRETS, oldHours: OLD_SECRET_HOURS };

/** @throws SubscriptionNotFoundError */
export async function rotateSubscriptionSecret(
  { database, audit }: Subscriptions,
  id: string,
  context: SubscriptionContext,
): Promise<{ rotated: ShownSecret } | { errors: ValidationError[] }> {
  const key = makeKey();
  const row = await database.transact(async (transaction) => {
    await transaction.query(lockSubscription(id, context));
    const { keys } = await findSubscription(transaction, id, context);
    if (keys.length >= MAX_SECRETS) return undefined;
    await transaction.query(rotateSecret(id, key, limits, context.movedAt));
    const record = recordOf(context, 'subscription.rotate-secret', { subscription: id });
    await audit.record(transaction, record);
    return findSubscription(transaction, id, context);
  }, 'writes');
  if (row === undefined) {
    const error = `has ${MAX_SECRETS} secrets that are signed with: wait until the oldest ends, ${OLD_SECRET_HOURS} hours after it was replaced`;
    return { errors: [{ field: 'id', error, code: 'SUBSCRIPTION_STATE' }] };
  }
  const secret = row.signature === 'v1' ? { secret: toSecret(key) } : {};
  return { rotated: { ...showSubscription(row), ...secret } };
}
