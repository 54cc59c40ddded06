// Sends a test event to the receiver of a subscription.
import { randomUUID } from 'node:crypto';
import { KEPT_ATTEMPTS, type SubscriptionAttempt, type ValidationError } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { OverloadedError } from '../database/errors.js';
import { findSubscription } from './get-subscription.js';
import { makeTestEvent } from './make-delivery.js';
import { type Holder, insertAttempt } from './queries.js';
import type { ReceiverMessage, ReceiverOf, Sent } from './send-to-receiver.js';
import { SubscriptionNotFoundError } from './subscriptions.js';

/** How long a test event waits for its turn, in milliseconds. */
const MAX_WAIT_MS = 2000;

/** What testing needs. */
export type TestParts = {
  database: Database;
  /** Sends beside the deliveries; `undefined` if there is no room in time. */
  sendBeside: (
    receiver: ReceiverOf,
    organisationId: number,
    message: ReceiverMessage,
    maxWaitMs: number,
  ) => Promise<Sent | undefined>;
};

/**
 * Sends a test event, and stores what became of it.
 *
 * @throws SubscriptionNotFoundError
 * @throws OverloadedError when too much is sent at once for this organisation
 */
export async function testSubscription(
  { database, sendBeside }: TestParts,
  id: string,
  holder: Holder,
): Promise<{ attempt: SubscriptionAttempt } | { errors: ValidationError[] }> {
  const row = await findSubscription(database, id, holder);
  if (!row.isVerified) {
    const error = 'is of a subscription whose receiver is not verified: only the challenge is sent';
    return { errors: [{ field: 'id', error, code: 'SUBSCRIPTION_STATE' }] };
  }
  const message = makeTestEvent(id, randomUUID(), new Date());
  const sent = await sendBeside(row, holder.organisationId, message, MAX_WAIT_MS);
  if (sent === undefined) throw new OverloadedError('too much is sent for this organisation');
  const [stored] = await database.transact((transaction) =>
    transaction.query(insertAttempt(id, sent.attempt, KEPT_ATTEMPTS)),
  );
  if (stored === undefined) throw new SubscriptionNotFoundError(id);
  return { attempt: stored.attempt };
}
