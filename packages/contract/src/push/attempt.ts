// Attempts to reach a receiver.
import { type Static, Type } from 'typebox';
import { keysOf } from '../keys-of.js';
import { pageLimit } from '../paging.js';
import { Count, Instant } from '../quantities.js';

/** How many attempts of a subscription are kept. */
export const KEPT_ATTEMPTS = 1000;

/** What became of an attempt. */
export const attemptOutcomes = {
  CONFIRMED: 'the receiver answered 2xx; of a verification, with the challenge',
  REFUSED: 'the receiver answered with another status; redirects are not followed',
  WRONG_CHALLENGE: 'the response to a verification did not repeat the challenge',
  TIMEOUT: 'the receiver did not answer within 15 s',
  UNREACHABLE: 'no connection, or it ended before the response',
  TLS_FAILED:
    'no TLS connection: the receiver has no TLS 1.2 or newer, or has ended the handshake; nothing was sent',
  CERTIFICATE_EXPIRED:
    'the certificate of the receiver, or one of its issuers, has expired or is not valid yet; nothing was sent',
  CERTIFICATE_NAME: 'the certificate of the receiver is for another name; nothing was sent',
  CERTIFICATE_UNTRUSTED:
    'the certificate of the receiver leads to no authority that is trusted here: it is self-signed, or an intermediate certificate is missing; nothing was sent',
  ADDRESS_REFUSED:
    'the name of the receiver leads to an address of a private, local or special network',
} as const;

/** What became of an attempt. */
export const AttemptOutcome = Type.Enum(keysOf(attemptOutcomes), {
  $id: 'AttemptOutcome',
  description: Object.entries(attemptOutcomes)
    .map(([outcome, meaning]) => `\`${outcome}\`: ${meaning}`)
    .join('; '),
});
export type AttemptOutcome = Static<typeof AttemptOutcome>;

/** An attempt to reach the receiver of a subscription. */
export const SubscriptionAttempt = Type.Object(
  {
    number: Type.Integer({
      minimum: 1,
      description: 'Counts the attempts of the subscription from 1, without gaps',
    }),
    at: Instant('When it ended'),
    kind: Type.Enum(['ENTRIES', 'VERIFICATION', 'TEST'], {
      description: 'What was sent: entries, a challenge, or a test event',
    }),
    webhookId: Type.String({ description: 'The `webhook-id` that was sent' }),
    entries: Count('How many entries were sent'),
    marker: Type.Optional(
      Type.String({ format: 'uuid', description: 'The id of the last entry that was sent' }),
    ),
    outcome: AttemptOutcome,
    status: Type.Optional(
      Type.Integer({ description: 'The status of the response, if there was one' }),
    ),
    durationMs: Count('How long it took, in milliseconds'),
  },
  { $id: 'SubscriptionAttempt', description: 'An attempt to reach the receiver of a subscription' },
);
export type SubscriptionAttempt = Static<typeof SubscriptionAttempt>;

/** The query of the list of attempts. */
export const SubscriptionAttemptQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only attempts with lower numbers: the number of the last one that was read',
    }),
  ),
  outcome: Type.Optional(
    Type.Enum(keysOf(attemptOutcomes), { description: 'Only attempts with this outcome' }),
  ),
  limit: pageLimit,
});
export type SubscriptionAttemptQuery = Static<typeof SubscriptionAttemptQuery>;
