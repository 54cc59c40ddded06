// Relays the stream of goods items to NATS JetStream: in order, without loss, each event once.
//
// One server at a time relays, under a lock that ends with its session. It resumes after the last message of the
// stream in NATS, which it identifies by the eventId, and stores each event only directly after the one before it
// (Nats-Expected-Last-Sequence). So a crash of either side, or a server that still relays after it lost the lock,
// causes no duplicate, gap or reordering, even after NATS's window for duplicates.
import { setTimeout as delay } from 'node:timers/promises';
import { UUID_PATTERN } from '@landfall/contract';
import type { Database } from '../../database/database.js';
import { SESSION_LOCKS } from '../../database/locks.js';
import type { FeedWatch } from '../../feed/watch-feeds.js';
import { messageOf } from '../../native-error.js';
import { goodsItemStream } from '../event-feed.js';
import { openRelayStream, RELAY_STREAM, type RelayStream } from './jetstream.js';
import {
  type NotedRow,
  noteRelayed,
  type RelayedRow,
  selectEventPosition,
  selectEventsAfter,
  selectLag,
  selectNoted,
} from './relay-queries.js';

/** Maximum number of events that are read at once. */
const MAX_EVENTS_PER_READ = 1000;

/** Maximum number of events that NATS has not acknowledged yet. */
const MAX_IN_FLIGHT = 256;

/** How long a server waits before it tries to relay again, in milliseconds. */
const RETRY_DELAY_MS = 500;

/** How long the relay waits for a wake-up before it reads again, in milliseconds. */
const POLL_INTERVAL_MS = 5000;

/** The log of the relay. */
export type RelayLog = {
  info(context: object, message: string): void;
  warn(context: object, message: string): void;
};

/** A relay that runs in the background until it is closed. */
export type Relay = {
  /** Whether this server is the one that relays. */
  readonly relaying: boolean;
  /** How many events are published but not relayed by any server. */
  lag(): Promise<number>;
  close(): Promise<void>;
};

/** The last event in NATS: its position in the stream and its sequence number in NATS. */
type RelayPosition = { position: number; sequence: number };

/** The recorded position of the relay, on whichever server it runs. */
export async function findRelayed(database: Database): Promise<number> {
  const [noted] = await database.query<NotedRow>(selectNoted(RELAY_STREAM));
  return noted?.position ?? 0;
}

/** Starts the relay. While NATS or the database is unavailable it retries; the service is not affected. */
export function startRelay(
  database: Database,
  watch: FeedWatch,
  natsUrl: string,
  log: RelayLog,
): Relay {
  const closing = new AbortController();
  const { signal } = closing;
  let relaying = false;

  const relayOnce = async () => {
    const lost = new AbortController();
    const release = await database.tryLock(SESSION_LOCKS.relay, () => lost.abort());
    if (release === undefined) return;
    try {
      const stream = await openRelayStream(natsUrl);
      void stream.closed.then(() => lost.abort());
      try {
        const start = await findStart(database, stream);
        relaying = true;
        log.info(start, 'relaying goods items to NATS');
        await relayFrom(database, watch, stream, start, {
          signal: AbortSignal.any([signal, lost.signal]),
          log,
        });
      } finally {
        await stream.close();
      }
    } finally {
      relaying = false;
      await release();
    }
  };

  const running = (async () => {
    let lastWarning = '';
    while (!signal.aborted) {
      try {
        await relayOnce();
        lastWarning = '';
      } catch (error) {
        // A repeated error is logged once.
        const message = messageOf(error);
        if (message !== lastWarning)
          log.warn({ err: error }, 'goods items are not relayed to NATS');
        lastWarning = message;
      }
      // It ends early when the relay is closed.
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  })();

  return {
    get relaying() {
      return relaying;
    },
    lag: async () => {
      const [row] = await database.query<{ lag: number }>(selectLag(RELAY_STREAM));
      return row?.lag ?? 0;
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

/**
 * The position to resume from: that of the last event in NATS, whatever was recorded. A stream that never had a message
 * is filled from the oldest event that is kept.
 */
async function findStart(database: Database, stream: RelayStream): Promise<RelayPosition> {
  const { sequence, eventId } = await stream.end();
  if (sequence === 0) return { position: 0, sequence };
  if (eventId === undefined) {
    // NATS has removed all messages, by age or by a purge. Positions and sequence numbers increase together.
    const [noted] = await database.query<NotedRow>(selectNoted(RELAY_STREAM));
    if (noted === undefined || noted.sequence > sequence) {
      throw new Error(`${RELAY_STREAM} had messages that are not from this database`);
    }
    return { position: noted.position + sequence - noted.sequence, sequence };
  }
  const [last] = new RegExp(UUID_PATTERN).test(eventId)
    ? await database.query<{ position: number }>(selectEventPosition(eventId))
    : [];
  if (last === undefined) {
    throw new Error(`the last message of ${RELAY_STREAM} is no event of this database: ${eventId}`);
  }
  return { position: last.position, sequence };
}

/** Relays until the signal or an error. */
async function relayFrom(
  database: Database,
  watch: FeedWatch,
  stream: RelayStream,
  start: RelayPosition,
  { signal, log }: { signal: AbortSignal; log: RelayLog },
): Promise<void> {
  let last = start;
  const watcher = watch.watch(goodsItemStream);
  signal.addEventListener('abort', () => watcher.stop(), { once: true });
  try {
    await record(database, last);
    while (!signal.aborted) {
      const events = await database.query<RelayedRow>(
        selectEventsAfter(last.position, MAX_EVENTS_PER_READ),
      );
      const [first] = events;
      if (first === undefined) {
        if (!signal.aborted) await watcher.next(POLL_INTERVAL_MS);
        continue;
      }
      if (last.position > 0 && first.position > last.position + 1) {
        log.warn({ ...last, next: first.position }, 'goods items expired before they were relayed');
      }
      const stored = await storeAll(stream, events, last.sequence, signal);
      if (stored !== undefined) {
        last = { position: stored.position, sequence: last.sequence + events.indexOf(stored) + 1 };
        await record(database, last);
      }
    }
  } finally {
    watcher.stop();
  }
}

async function record(database: Database, { position, sequence }: RelayPosition): Promise<void> {
  await database.query(noteRelayed(RELAY_STREAM, position, sequence));
}

/**
 * Stores events in order, without waiting for each acknowledgement. When one fails, those after it fail too, because
 * each requires the one before it. The first failure is thrown when no request is in flight any more.
 *
 * @returns the last event that was stored; not the last of all only after the signal
 */
async function storeAll(
  stream: RelayStream,
  events: readonly RelayedRow[],
  sequence: number,
  signal: AbortSignal,
): Promise<RelayedRow | undefined> {
  const inFlight: Promise<unknown>[] = [];
  let failure: { error: unknown } | undefined;
  let sent = 0;
  for (const event of events) {
    if (failure !== undefined || signal.aborted) break;
    inFlight.push(
      stream.store(event, sequence + sent).catch((error: unknown) => {
        failure ??= { error };
      }),
    );
    sent++;
    if (inFlight.length >= MAX_IN_FLIGHT) await inFlight.shift();
  }
  await Promise.all(inFlight);
  if (failure !== undefined) throw failure.error;
  return events[sent - 1];
}
