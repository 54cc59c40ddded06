// Reads a subscription.
import type { Subscription } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type Holder, type SubscriptionRow, selectSubscription } from './queries.js';
import { SubscriptionNotFoundError, showSubscription } from './subscriptions.js';

/** @throws SubscriptionNotFoundError */
export async function getSubscription(
  database: Queryable,
  id: string,
  holder: Holder,
): Promise<Subscription> {
  return showSubscription(await findSubscription(database, id, holder));
}

/** The row of a subscription. @throws SubscriptionNotFoundError */
export async function findSubscription(
  database: Queryable,
  id: string,
  holder: Holder,
): Promise<SubscriptionRow> {
  const [row] = await database.query(selectSubscription(id, holder));
  if (row === undefined) throw new SubscriptionNotFoundError(id);
  return row;
}
