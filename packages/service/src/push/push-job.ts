// Sends to the subscriptions of all organisations. Any number of servers do so: each claims what is due and nobody else has
// claimed, for some seconds at a time, so that a subscription has one sender, and what a server leaves another one continues.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttemptOutcome,
  attemptOutcomes,
  KEPT_ATTEMPTS,
  keysOf,
  type SubscriptionState,
  type SuspensionReason,
  subscriptionStates,
} from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import type { FeedAccess } from '../feed/feed.js';
import type { FeedViews } from '../feed/feed-views.js';
import { type CompareFeeds, type GrownFeed, GrownFeeds } from '../feed/grown-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { Measure } from '../metrics/measure.js';
import { type DueDelivery, RunningDeliveries } from './choose-deliveries.js';
import { deliver } from './deliver.js';
import type { ReceiverConnections } from './post-to-receiver.js';
import { suspendSubscription } from './queries.js';
import type { FindRestriction } from './read-entries.js';
import { hostOf } from './receiver-address.js';
import {
  type AttemptChanges,
  type ReceiverMessage,
  type ReceiverOf,
  type SendDelivery,
  type Sent,
  sendToReceiver,
} from './send-to-receiver.js';
import {
  type ClaimedRow,
  claimDue,
  type DueRow,
  LEASE_S,
  releaseAll,
  type SendingStep,
  type SendingStepRow,
  selectDue,
  selectFeedsWithDue,
  selectPushFigures,
  storeSteps,
} from './sending-queries.js';
import { subscribableKinds, subscribedKind } from './subscribed-feeds.js';

/** How many grown feeds are looked at at once, and how many due subscriptions to them. */
const MAX_FEEDS_PER_TURN = 100;
const MAX_DUE_PER_TURN = 1000;

/** After how long a turn that failed is tried again, and what could not be stored of an attempt, in milliseconds. */
const RETRY_DELAY_MS = 1000;

/** How long closing waits for attempts that have begun, in milliseconds. */
const CLOSE_TIMEOUT_MS = 3000;

/** How long a test event waits for its turn, in milliseconds. */
const TEST_RETRY_MS = 100;

/** What the job needs. */
export type PushParts = {
  database: Database;
  audit: AuditTrail;
  views: FeedViews;
  findRestriction: FindRestriction;
  watch: FeedWatch;
  connections: ReceiverConnections;
  sendDelivery: SendDelivery;
  recordAccess: (access: FeedAccess) => void;
  clock: () => Date;
  log: { info(context: object, message: string): void };
};

/** The scopes of each kind of feed. */
const scopesOfKinds = new Map(
  subscribableKinds.map(({ number }) => [number, subscribedKind(number).scopes]),
);

/** Sends until it is closed. A failure is reported, and what failed is tried again. */
export class PushJob {
  readonly #parts: PushParts;
  readonly #reportFailure: (error: unknown) => void;
  /** This server, as one that sends. */
  readonly #sender = randomUUID();
  readonly #closing = new AbortController();
  readonly #ending = new AbortController();
  readonly #running = new RunningDeliveries();
  readonly #deliveries = new Set<Promise<void>>();
  readonly #steps: Batch<SendingStep, { row: SendingStepRow | undefined }>;
  readonly #outcomes = new Map<AttemptOutcome, number>();
  #grown: GrownFeeds | undefined;
  #turns: Promise<void> = Promise.resolve();
  /** Feeds with subscriptions that are due and for which there was no room. */
  readonly #heldBack = new Set<GrownFeed>();

  constructor(parts: PushParts, reportFailure: (error: unknown) => void) {
    this.#parts = parts;
    this.#reportFailure = reportFailure;
    const { database } = parts;
    // What becomes of many attempts is stored with one commit.
    this.#steps = new Batch(
      async (steps) => {
        const statement = storeSteps(this.#sender, steps, scopesOfKinds, KEPT_ATTEMPTS);
        const rows = await database.transact((transaction) => transaction.query(statement));
        const byId = new Map(rows.map((row) => [row.id, row]));
        return steps.map(({ id }) => ({ row: byId.get(id) }));
      },
      { keys: ({ id }) => [id], measured: { by: database.batches, as: 'push' } },
    );
  }

  readonly measures: Measure[] = [
    {
      name: 'landfall_push_attempts_total',
      help: 'Attempts of this server to reach the receiver of a subscription, by outcome',
      read: async () =>
        keysOf(attemptOutcomes).map((outcome) => ({
          labels: { outcome },
          value: this.#outcomes.get(outcome) ?? 0,
        })),
    },
    {
      name: 'landfall_push_sending',
      help: 'Subscriptions to which this server sends now',
      read: async () => this.#running.size,
    },
    {
      name: 'landfall_push_subscriptions',
      help: 'Subscriptions of all organisations, by state',
      read: () => this.#readFigures(({ subscriptions }) => subscriptions),
    },
    {
      name: 'landfall_push_failing',
      help: 'Subscriptions whose last attempt failed, by state',
      read: () => this.#readFigures(({ failing }) => failing),
    },
    {
      name: 'landfall_push_lag',
      help: 'Entries that no receiver has confirmed yet, over all subscriptions, by state',
      read: () => this.#readFigures(({ lag }) => lag),
    },
  ];

  start(): void {
    const { watch } = this.#parts;
    this.#grown = new GrownFeeds(watch, subscribableKinds, this.#findDue);
    this.#turns = this.#takeTurns(this.#grown);
  }

  /** Says that something may be due. */
  wake(feed: GrownFeed): void {
    this.#grown?.wake(feed);
  }

  /**
   * Sends a message beside the deliveries, as soon as there is room for it.
   *
   * @returns `undefined` if there is none in time
   */
  async sendBeside(
    receiver: ReceiverOf,
    organisationId: number,
    message: ReceiverMessage,
    maxWaitMs: number,
  ): Promise<Sent | undefined> {
    const host = hostOf(new URL(receiver.url));
    const delivery = { id: randomUUID(), organisationId, host, isUnproven: true };
    const deadline = performance.now() + maxWaitMs;
    while (!this.#running.hasRoomFor(delivery)) {
      if (performance.now() >= deadline || this.#closing.signal.aborted) return undefined;
      await delay(TEST_RETRY_MS);
    }
    this.#running.add(delivery);
    try {
      return await this.#send(receiver, message, this.#ending.signal);
    } finally {
      this.#leave(delivery.id);
    }
  }

  /** Ends it: attempts that have begun may end for a moment, and what is left is free for other servers at once. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#grown?.stop();
    await this.#turns;
    const ended = Promise.all(this.#deliveries);
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.#ending.abort();
    this.#parts.connections.close();
    // What hangs all the same keeps no server.
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    await this.#parts.database.query(releaseAll(this.#sender)).catch(this.#reportFailure);
  }

  readonly #findDue: CompareFeeds = async (after, limit) => {
    const behind = await this.#parts.database.query(selectFeedsWithDue(after, limit));
    return { behind, last: behind.length < limit ? undefined : behind.at(-1) };
  };

  async #takeTurns(grown: GrownFeeds): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const feeds = await grown.take(MAX_FEEDS_PER_TURN);
        if (feeds.length > 0 && !signal.aborted) await this.#sendTo(feeds, grown);
      } catch (error) {
        this.#reportFailure(error);
        // It ends early when the job is closed.
        await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Claims what is due of some feeds, as far as there is room, and begins to send. */
  async #sendTo(feeds: readonly GrownFeed[], grown: GrownFeeds): Promise<void> {
    const { database } = this.#parts;
    const due = await database.query(selectDue(feeds, MAX_DUE_PER_TURN));
    const chosen = this.#choose(due.map(toDelivery));
    if (chosen.length < due.length) for (const feed of feeds) this.#heldBack.add(feed);
    if (chosen.length === 0) return;
    const claimedAt = performance.now();
    const ids = chosen.map(({ id }) => id);
    let claimed: readonly ClaimedRow[] = [];
    try {
      const claim = claimDue(this.#sender, ids, scopesOfKinds);
      claimed = await database.transact((transaction) => transaction.query(claim));
    } finally {
      const taken = new Set(claimed.map(({ id }) => id));
      for (const id of ids) if (!taken.has(id)) this.#leave(id);
    }
    for (const one of claimed) {
      const delivery = this.#deliver(one, claimedAt)
        .catch(this.#reportFailure)
        .finally(() => {
          this.#deliveries.delete(delivery);
          this.#leave(one.id);
          // Others may have waited for the place, and the feed may have grown since it was read last.
          grown.wake({ kind: one.kind, owner: one.owner });
        });
      this.#deliveries.add(delivery);
    }
  }

  /** Those for which there is room, which they have from then on. */
  #choose(due: readonly DueDelivery[]): DueDelivery[] {
    const chosen: DueDelivery[] = [];
    for (const delivery of due) {
      if (this.#running.has(delivery.id) || !this.#running.hasRoomFor(delivery)) continue;
      this.#running.add(delivery);
      chosen.push(delivery);
    }
    return chosen;
  }

  /** What was held back may have room now. */
  #leave(id: string): void {
    this.#running.remove(id);
    for (const feed of this.#heldBack) this.#grown?.wake(feed);
    this.#heldBack.clear();
  }

  async #deliver(claimed: ClaimedRow, claimedAt: number): Promise<void> {
    const { database, views, findRestriction, recordAccess } = this.#parts;
    let leasedFrom = claimedAt;
    const leasedUntil = () => leasedFrom + LEASE_S * 1000;
    await deliver(
      {
        lookUps: database.lookUps,
        views,
        findRestriction,
        recordAccess,
        leasedUntil,
        signal: this.#ending.signal,
        send: (receiver, message, signal) => this.#sendClaimed(receiver, message, signal),
        suspend: (suspended, reason) => this.#suspend(suspended, reason),
        store: async (step) => {
          const from = performance.now();
          const row = await this.#store(step, leasedUntil());
          leasedFrom = from;
          return row;
        },
      },
      claimed,
    );
  }

  #sendClaimed(claimed: ClaimedRow, message: ReceiverMessage, signal: AbortSignal): Promise<Sent> {
    if (message.kind !== 'ENTRIES') return this.#send(claimed, message, signal);
    const { id: subscription, organisation, clientId } = claimed;
    const delivery = { subscription, organisation, clientId, message };
    return this.#parts.sendDelivery(delivery, (changes) =>
      this.#send(claimed, message, signal, changes),
    );
  }

  async #send(
    receiver: ReceiverOf,
    message: ReceiverMessage,
    signal: AbortSignal,
    { sentAt, signal: end = signal, ...changes }: AttemptChanges = {},
  ): Promise<Sent> {
    const { url, signature, keys } = receiver;
    const sent = await sendToReceiver(
      this.#parts.connections,
      { url, signature, keys: changes.keys ?? keys },
      changes.message ?? message,
      AbortSignal.any([signal, end]),
      sentAt,
    );
    const { outcome } = sent.attempt;
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    return sent;
  }

  /** What a receiver has confirmed is stored as long as nobody else sends: else it would be sent again. */
  async #store(step: SendingStep, leasedUntil: number): Promise<SendingStepRow | undefined> {
    for (;;) {
      try {
        return (await this.#steps.submit(step)).row;
      } catch (error) {
        const isLate = performance.now() + RETRY_DELAY_MS >= leasedUntil;
        if (isLate || this.#ending.signal.aborted) throw error;
        this.#reportFailure(error);
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  async #suspend(
    { id, address, organisationId }: ClaimedRow,
    reason: SuspensionReason,
  ): Promise<void> {
    const { database, audit, clock, log } = this.#parts;
    const isSuspended = await database.transact(async (transaction) => {
      const [row] = await transaction.query(suspendSubscription(id, address, reason));
      if (row === undefined) return false;
      await audit.record(transaction, {
        at: clock(),
        actor: undefined,
        requestId: undefined,
        action: 'subscription.suspend',
        details: { subscription: id, organisation: row.organisation, reason },
      });
      return true;
    }, 'maintenance');
    if (isSuspended)
      log.info({ subscription: id, organisationId, reason }, 'a subscription is suspended');
  }

  async #readFigures(
    read: (figures: { subscriptions: number; failing: number; lag: number }) => number,
  ): Promise<{ labels: { state: SubscriptionState }; value: number }[]> {
    const rows = await this.#parts.database.query(selectPushFigures);
    const none = { subscriptions: 0, failing: 0, lag: 0 };
    return keysOf(subscriptionStates).map((state) => ({
      labels: { state },
      value: read(rows.find((row) => row.state === state) ?? none),
    }));
  }
}

function toDelivery({ id, organisationId, url, isUnproven }: DueRow): DueDelivery {
  return { id, organisationId, host: hostOf(new URL(url)), isUnproven };
}
