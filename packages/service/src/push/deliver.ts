// Sends to one subscription that this server has claimed, until nothing is left or an attempt fails.
import { DELIVERY_TIMEOUT_S, type SuspensionReason } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import {
  type Feed,
  type FeedAccess,
  MarkerExpiredError,
  UnknownMarkerError,
} from '../feed/feed.js';
import type { FeedViews } from '../feed/feed-views.js';
import { findMarker } from '../feed/read-feed.js';
import { routingSignals } from '../routing/signal-feed.js';
import { makeChallenge, repeatsChallenge } from './challenge.js';
import { makeDelivery, makeVerification } from './make-delivery.js';
import type { Attempt } from './queries.js';
import { type EntriesRead, type FindRestriction, readEntries } from './read-entries.js';
import { GIVE_UP_AFTER_S, GIVE_UP_VERIFYING_AFTER_S, nextWait } from './retry-schedule.js';
import type { ReceiverMessage, Sent } from './send-to-receiver.js';
import type { ClaimedRow, SendingStep, SendingStepRow } from './sending-queries.js';
import { subscribedKind } from './subscribed-feeds.js';

/** What delivering needs. */
export type DeliveryParts = {
  /** For short reads by key. */
  lookUps: Queryable;
  views: FeedViews;
  findRestriction: FindRestriction;
  send: (claimed: ClaimedRow, message: ReceiverMessage, signal: AbortSignal) => Promise<Sent>;
  /** Stores what became of an attempt and begins the next; `undefined` if somebody else sends by now. */
  store: (step: SendingStep) => Promise<SendingStepRow | undefined>;
  suspend: (claimed: ClaimedRow, reason: SuspensionReason) => Promise<void>;
  recordAccess: (access: FeedAccess) => void;
  /** Until when nobody else sends, by the monotonic clock. */
  leasedUntil: () => number;
  signal: AbortSignal;
};

/** An attempt ends within this time before the lease does, in milliseconds. */
const ATTEMPT_MS = (DELIVERY_TIMEOUT_S + 5) * 1000;

/**
 * How long a claim lasts, in milliseconds, except for the attempt with which it ends: then others that wait for the place have
 * their turn, and changed secrets take effect.
 */
const MAX_CLAIM_MS = 5000;

/** Verifies the receiver, or delivers what there is. */
export async function deliver(parts: DeliveryParts, claimed: ClaimedRow): Promise<void> {
  if (!claimed.isAllowed) return parts.suspend(claimed, 'ACCESS_ENDED');
  if (claimed.state === 'VERIFYING') return verify(parts, claimed);
  try {
    await deliverEntries(parts, claimed);
  } catch (error) {
    if (error instanceof MarkerExpiredError) return parts.suspend(claimed, 'MARKER_EXPIRED');
    if (error instanceof UnknownMarkerError) return parts.suspend(claimed, 'UNKNOWN_MARKER');
    throw error;
  }
}

const nothing = {
  attempt: undefined,
  confirmed: undefined,
  isVerified: false,
  waitS: undefined,
  beginTo: undefined,
} satisfies Omit<SendingStep, 'id' | 'address'>;

async function verify(parts: DeliveryParts, claimed: ClaimedRow): Promise<void> {
  const challenge = makeChallenge();
  const { id, address } = claimed;
  const message = makeVerification(id, challenge, new Date());
  const sent = await parts.send(claimed, message, parts.signal);
  if (parts.signal.aborted) return;
  const answered = sent.attempt.outcome === 'CONFIRMED';
  const isVerified = answered && repeatsChallenge(sent.responseBody, challenge);
  const outcome = answered && !isVerified ? 'WRONG_CHALLENGE' : sent.attempt.outcome;
  const attempt: Attempt = { ...sent.attempt, outcome };
  const waitS = isVerified ? undefined : waitAfter(claimed, sent);
  await parts.store({ ...nothing, id, address, attempt, isVerified, waitS });
  if (isVerified) return;
  if (attempt.status === 410) await parts.suspend(claimed, 'RECEIVER_GONE');
  else if (claimed.failingForS >= GIVE_UP_VERIFYING_AFTER_S) {
    await parts.suspend(claimed, 'NOT_VERIFIED');
  }
}

async function deliverEntries(parts: DeliveryParts, claimed: ClaimedRow): Promise<void> {
  const { id, address, kind: number, owner } = claimed;
  const { kind, type } = subscribedKind(number);
  const feed: Feed = { kind, owner };
  const { generation } = parts.views;
  const until = performance.now() + MAX_CLAIM_MS;
  let after = await findAfter(parts, feed, claimed);
  let previous = claimed.marker;
  let step: SendingStep = { ...nothing, id, address };
  let upTo = claimed.sentTo ?? undefined;
  for (;;) {
    // A database that was replaced is read again from what it says itself.
    const isCurrent = generation === parts.views.generation && !parts.signal.aborted;
    const goesOn = isCurrent && performance.now() < until;
    if (upTo !== undefined && after >= upTo) upTo = undefined;
    const read = goesOn ? await readNext(parts, feed, claimed, after, upTo) : undefined;
    const { entries = 0, position = after } = read ?? {};
    if (read !== undefined && entries === 0 && position > after) {
      // What is not for this subscription is passed over, with the next step.
      step = { ...step, confirmed: { position, marker: previous } };
      after = position;
      continue;
    }
    const begins = entries > 0;
    const row = await parts.store({ ...step, beginTo: begins ? position : undefined });
    if (row?.isAllowed === false) return parts.suspend(claimed, 'ACCESS_ENDED');
    if (read === undefined || !begins || row?.begins !== true) return;
    // Whoever was held up for so long may not be the only one who sends.
    if (performance.now() > parts.leasedUntil() - ATTEMPT_MS || parts.signal.aborted) return;
    const at = row.sentAt ?? new Date();
    const message = makeDelivery(id, type, { ...read, previous }, at);
    const sent = await parts.send(claimed, message, parts.signal);
    const { outcome } = sent.attempt;
    if (sent.mayHaveArrived) noteRead(parts, feed, claimed, read);
    // It may have arrived: it is sent again by whoever comes next.
    if (parts.signal.aborted && outcome !== 'CONFIRMED') return;
    if (outcome !== 'CONFIRMED') return fail(parts, claimed, sent);
    claimed.failures = 0;
    claimed.failingForS = 0;
    after = position;
    previous = read.marker ?? previous;
    const confirmed = { position, marker: previous };
    step = { ...nothing, id, address, attempt: sent.attempt, confirmed };
  }
}

/** The entries after a position for this subscription. */
function readNext(
  { views, findRestriction }: DeliveryParts,
  feed: Feed,
  { organisationId }: ClaimedRow,
  after: number,
  upTo: number | undefined,
): Promise<EntriesRead> {
  return readEntries(views, findRestriction, { feed, organisationId, after, upTo });
}

/**
 * The position after which deliveries go on. Of a subscriber that sees all entries, it is that of the last confirmed one; one with
 * a view may have passed over others since. If the view was removed, those follow now, as they do for whoever reads.
 *
 * @throws UnknownMarkerError when the data are others than those that were delivered
 * @throws MarkerExpiredError when entries after the position are not kept any longer
 */
async function findAfter(
  { lookUps, findRestriction }: DeliveryParts,
  feed: Feed,
  { organisationId, position, marker, feedEnd, removedPosition }: ClaimedRow,
): Promise<number> {
  if (position > feedEnd) throw new UnknownMarkerError('the feed ends before it');
  const isWhole = (await findRestriction(feed, organisationId)) === undefined;
  // What a view does not show is not missed when it is removed, and neither is the last message that it showed.
  const after = marker === null || !isWhole ? position : await findMarker(lookUps, feed, marker);
  if (after > position) throw new UnknownMarkerError('the last confirmed entry is another one');
  if (after < removedPosition) throw new MarkerExpiredError(feed.kind);
  return after;
}

async function fail(parts: DeliveryParts, claimed: ClaimedRow, sent: Sent): Promise<void> {
  const { id, address } = claimed;
  const { attempt } = sent;
  await parts.store({ ...nothing, id, address, attempt, waitS: waitAfter(claimed, sent) });
  if (attempt.status === 410) await parts.suspend(claimed, 'RECEIVER_GONE');
  else if (claimed.failingForS >= GIVE_UP_AFTER_S) await parts.suspend(claimed, 'NOT_CONFIRMED');
}

function waitAfter({ failures }: ClaimedRow, { retryAfter }: Sent): number {
  return nextWait(failures + 1, retryAfter, Math.random());
}

function noteRead(
  { recordAccess }: DeliveryParts,
  feed: Feed,
  { organisation, clientId }: ClaimedRow,
  { entries, position }: EntriesRead,
): void {
  // As for reading: of the other feeds, nobody asks who has read them.
  if (feed.kind !== routingSignals) return;
  const reader = { organisation, clientId };
  recordAccess({ feed, reader, first: position - entries + 1, last: position });
}
