// Sends a signed message to the receiver of a subscription, and says what became of it.
import type { SubscriptionSignature } from '@landfall/contract';
import type { ReceiverConnections } from './post-to-receiver.js';
import type { Attempt } from './queries.js';
import { signHeaders } from './sign-delivery.js';

/** To whom. */
export type ReceiverOf = { url: string; signature: SubscriptionSignature; keys: readonly Buffer[] };

/** What is sent. */
export type ReceiverMessage = Pick<Attempt, 'kind' | 'webhookId' | 'entries' | 'marker'> & {
  body: string;
};

/** What became of it, and for how many seconds the receiver asks. */
export type Sent = {
  attempt: Attempt;
  /** Whether the receiver may have got it, whatever became of it. */
  mayHaveArrived: boolean;
  retryAfter: number | undefined;
  responseBody: string | undefined;
};

/** How an attempt differs from what it would be. */
export type AttemptChanges = {
  message?: ReceiverMessage;
  keys?: readonly Buffer[];
  sentAt?: Date;
  /** Ends it earlier. */
  signal?: AbortSignal;
};

/** A delivery of entries that is about to be sent. */
export type OwnDelivery = {
  subscription: string;
  organisation: string;
  clientId: string;
  message: ReceiverMessage;
};

/** Sends a delivery with what is given, and returns what became of it: `send` makes an attempt. */
export type SendDelivery = (
  delivery: OwnDelivery,
  send: (changes?: AttemptChanges) => Promise<Sent>,
) => Promise<Sent>;

/**
 * @param signal ends it: whether it has arrived is not known then
 * @param sentAt the time that is signed; default: now
 */
export async function sendToReceiver(
  connections: ReceiverConnections,
  { url, signature, keys }: ReceiverOf,
  { body, ...message }: ReceiverMessage,
  signal: AbortSignal,
  sentAt = new Date(),
): Promise<Sent> {
  const began = performance.now();
  const seconds = Math.floor(sentAt.getTime() / 1000);
  const headers = signHeaders(signature, keys, { id: message.webhookId, seconds, body });
  const readsBody = message.kind === 'VERIFICATION';
  const response = await connections.post({ url, headers, body, readsBody }, signal);
  const { outcome, status, retryAfter, mayHaveArrived } = response;
  const durationMs = Math.round(performance.now() - began);
  return {
    attempt: { ...message, outcome, status, durationMs },
    mayHaveArrived,
    retryAfter,
    responseBody: response.body,
  };
}
