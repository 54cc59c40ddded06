// Lists the attempts of a subscription, the newest first.
import { PAGE_LIMIT, type SubscriptionAttemptQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { findSubscription } from './get-subscription.js';
import { type Holder, selectAttempts } from './queries.js';

/** Attempts, each as JSON text, and the number before which the next page begins if there are more. */
export type AttemptPage = { entries: readonly string[]; next: string | undefined };

/** @throws SubscriptionNotFoundError */
export async function listSubscriptionAttempts(
  database: Queryable,
  id: string,
  { before, outcome, limit = PAGE_LIMIT }: SubscriptionAttemptQuery,
  holder: Holder,
): Promise<AttemptPage> {
  await findSubscription(database, id, holder);
  const rows = await database.query(selectAttempts(id, before, outcome, limit));
  return {
    entries: rows.map(({ body }) => body),
    next: rows.length === limit ? `${rows.at(-1)?.number}` : undefined,
  };
}
