// Lists the subscriptions of an organisation to feeds that the caller may read.
import type { Subscription } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type Holder, selectSubscriptions } from './queries.js';
import { showSubscription } from './subscriptions.js';

export async function listSubscriptions(
  database: Queryable,
  holder: Holder,
): Promise<Subscription[]> {
  const rows = await database.query(selectSubscriptions(holder));
  return rows.map(showSubscription);
}
