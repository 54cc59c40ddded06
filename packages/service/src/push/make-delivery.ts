// What is sent to a receiver, as text and with its id. The command that forwards a feed makes the same.
import { createHash } from 'node:crypto';
import type { ReceiverMessage } from './send-to-receiver.js';

/** Entries that are sent together. */
export type DeliveredEntries = {
  entries: number;
  /** The entries as a JSON array. */
  body: string;
  /** The id of the last entry. */
  marker: string | undefined;
  /** The id of the entry before the first one. */
  previous: string | null;
};

/**
 * A delivery of entries.
 *
 * @param type what the entries are, such as `routing.signals`
 * @param at the same at each attempt
 */
export function makeDelivery(
  subscription: string,
  type: string,
  { entries, body: data, marker, previous }: DeliveredEntries,
  at: Date,
): ReceiverMessage {
  // The entries are the bytes that are stored.
  const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${data},"marker":${JSON.stringify(marker)}}`;
  const webhookId = toWebhookId('entries', subscription, `${previous} ${marker}`);
  return { kind: 'ENTRIES', webhookId, entries, marker, body };
}

/** The challenge before the first entry. */
export function makeVerification(
  subscription: string,
  challenge: string,
  at: Date,
): ReceiverMessage {
  const type = 'subscription.verification';
  const body = JSON.stringify({ type, timestamp: at, subscription, challenge });
  const webhookId = toWebhookId('verification', subscription, challenge);
  return { kind: 'VERIFICATION', webhookId, entries: 0, marker: undefined, body };
}

/** A test event. `nonce`: another one for each event. */
export function makeTestEvent(subscription: string, nonce: string, at: Date): ReceiverMessage {
  const type = 'subscription.test';
  const body = JSON.stringify({ type, timestamp: at, subscription });
  const webhookId = toWebhookId('test', subscription, nonce);
  return { kind: 'TEST', webhookId, entries: 0, marker: undefined, body };
}

/**
 * The id of a message: always the same for the same entries of a subscription. The id of the last entry is in it, because the
 * positions of a database that was restored are those of other entries.
 */
function toWebhookId(kind: string, subscription: string, what: string): string {
  const digest = createHash('sha256').update(`${kind} ${subscription} ${what}`).digest('base64url');
  return `msg_${digest.slice(0, 32)}`;
}
