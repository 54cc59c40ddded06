// Relays the stream of goods items to NATS JetStream: in order, without loss, each event once.
//
// How it is kept: one server at a time relays, by a lock that dies with its session. It begins where the stream in
// NATS ends, which the eventId of the last message there tells, and each event is stored only right after the one
// before it (Nats-Expected-Last-Sequence). So whichever side dies, and whoever goes on believing that it relays,
// nothing is stored twice, left out or in another order, also after longer than NATS looks for duplicates.
import { setTimeout as delay } from 'node:timers/promises';
import { UUID_PATTERN } from '@landfall/contract';
import type { Database } from '../../database/database.js';
import { SESSION_LOCKS } from '../../database/locks.js';
import type { FeedWatch } from '../../feed/watch-feeds.js';
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

/** Events that are read at once. */
const EVENTS_AT_ONCE = 1000;

/** Events that are on their way to NATS at once. */
const WINDOW = 256;

/** How long a server waits before it tries to relay again, in milliseconds. */
const RETRY_DELAY_MS = 500;

/** How long nothing is looked for when nobody says that there is something, in milliseconds. */
const POLL_INTERVAL_MS = 5000;

/** Takes what the relay has to say. */
export type RelayLog = {
  info(said: object, message: string): void;
  warn(said: object, message: string): void;
};

/** A relay that runs in the background until it is closed. */
export type Relay = {
  /** Whether this server is the one that relays. */
  readonly relaying: boolean;
  /** How many events are published and not relayed, by whichever server. */
  lag(): Promise<number>;
  close(): Promise<void>;
};

/** Where the relay is: the last event that NATS has, by its position here and its sequence number there. */
type RelayPosition = { position: number; sequence: number };

/** How far the stream is relayed, by whichever server. */
export async function findRelayed(database: Database): Promise<number> {
  const [noted] = await database.query<NotedRow>(selectNoted(RELAY_STREAM));
  return noted?.position ?? 0;
}

/** Starts the relay. While NATS or the database is away it tries again, and the service goes on. */
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
        const place = await findPlace(database, stream);
        relaying = true;
        log.info(place, 'relaying goods items to NATS');
        await relayFrom(database, watch, stream, place, {
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
    let said = '';
    while (!signal.aborted) {
      try {
        await relayOnce();
        said = '';
      } catch (error) {
        // The same again and again is said once.
        const message = error instanceof Error ? error.message : String(error);
        if (message !== said) log.warn({ err: error }, 'goods items are not relayed to NATS');
        said = message;
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
 * Where to go on: after the last event that the stream in NATS has, whatever was noted. A stream that never had
 * a message is filled from the oldest event that is kept.
 */
async function findPlace(database: Database, stream: RelayStream): Promise<RelayPosition> {
  const { sequence, eventId } = await stream.end();
  if (sequence === 0) return { position: 0, sequence };
  if (eventId === undefined) {
    // All its messages are gone, by age or by a purge. Positions and sequence numbers go up together.
    const [noted] = await database.query<NotedRow>(selectNoted(RELAY_STREAM));
    if (noted === undefined || noted.sequence > sequence) {
      throw new Error(`${RELAY_STREAM} had messages that this database knows nothing of`);
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

/** Relays until the signal, or until something fails. */
async function relayFrom(
  database: Database,
  watch: FeedWatch,
  stream: RelayStream,
  start: RelayPosition,
  { signal, log }: { signal: AbortSignal; log: RelayLog },
): Promise<void> {
  let place = start;
  const watcher = watch.watch(goodsItemStream);
  signal.addEventListener('abort', () => watcher.stop(), { once: true });
  try {
    await note(database, place);
    while (!signal.aborted) {
      const events = await database.query<RelayedRow>(
        selectEventsAfter(place.position, EVENTS_AT_ONCE),
      );
      const [first] = events;
      if (first === undefined) {
        if (!signal.aborted) await watcher.next(POLL_INTERVAL_MS);
        continue;
      }
      if (place.position > 0 && first.position > place.position + 1) {
        log.warn({ ...place, next: first.position }, 'goods items went past their time unrelayed');
      }
      const last = await storeAll(stream, events, place.sequence, signal);
      if (last !== undefined) {
        place = { position: last.position, sequence: place.sequence + events.indexOf(last) + 1 };
        await note(database, place);
      }
    }
  } finally {
    watcher.stop();
  }
}

async function note(database: Database, { position, sequence }: RelayPosition): Promise<void> {
  await database.query(noteRelayed(RELAY_STREAM, position, sequence));
}

/**
 * Stores events one after the other, many on their way at once. When one fails those behind it fail too, because
 * each wants the one before it; all are waited for before the first failure is thrown.
 *
 * @returns the last one that was stored; fewer than all only after the signal
 */
async function storeAll(
  stream: RelayStream,
  events: readonly RelayedRow[],
  sequence: number,
  signal: AbortSignal,
): Promise<RelayedRow | undefined> {
  const underWay: Promise<unknown>[] = [];
  let failure: { error: unknown } | undefined;
  let sent = 0;
  for (const event of events) {
    if (failure !== undefined || signal.aborted) break;
    underWay.push(
      stream.store(event, sequence + sent).catch((error: unknown) => {
        failure ??= { error };
      }),
    );
    sent++;
    if (underWay.length >= WINDOW) await underWay.shift();
  }
  await Promise.all(underWay);
  if (failure !== undefined) throw failure.error;
  return events[sent - 1];
}
