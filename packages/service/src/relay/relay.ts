// Relays the feeds of a kind to NATS JetStream: each feed in its order, without loss, each entry once.
//
// One server at a time relays a kind, under a lock that ends with its session. It resumes after the messages of the
// stream, which it identifies by their ids, and stores each entry only directly after the message before it
// (Nats-Expected-Last-Sequence). So a crash of either side, a change of the stream's leader, or a server that still
// relays after it lost the lock, causes no duplicate, gap or reordering, even after NATS's window for duplicates.
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { messageOf } from '../native-error.js';
import { findStart, type RelayStart } from './find-start.js';
import { GrownFeeds } from './grown-feeds.js';
import { openRelayStream, type RelayStream, removeStream } from './jetstream.js';
import {
  type CandidateRow,
  forgetRelayedAfter,
  type ProgressRow,
  type RelayedRow,
  recordRelayed,
  selectCandidates,
  selectProgress,
} from './queries.js';
import type { RelayedFeeds } from './relayed-feeds.js';

/** Maximum number of feeds of one turn, and of the entries of a turn, which they share equally. */
const MAX_FEEDS_PER_TURN = 100;
const MAX_ENTRIES_PER_TURN = 1000;

/** Maximum number of entries that NATS has not acknowledged yet. */
const MAX_IN_FLIGHT = 256;

/**
 * How often the end of the stream is compared with what was relayed, in milliseconds. Storing an entry compares it as well,
 * but a cluster of NATS may lose acknowledged messages while no entry comes.
 */
const CHECK_INTERVAL_MS = 5000;

/** How long a server waits before it tries to relay again, in milliseconds. */
const RETRY_DELAY_MS = 500;

/** The log of the relay. */
export type RelayLog = {
  info(context: object, message: string): void;
  warn(context: object, message: string): void;
};

/** The address of NATS, on how many servers streams should be stored, and the log. */
export type RelaySettings = { natsUrl: string; replicas: number; log: RelayLog };

/** A relay that runs in the background until it is closed. */
export type Relay = {
  readonly feeds: RelayedFeeds;
  /** Whether this server is the one that relays. */
  readonly relaying: boolean;
  /** How many entries are relayed, and how many are not yet, by whichever server. */
  progress(): Promise<ProgressRow>;
  /**
   * Resolves when this server relays.
   *
   * @throws the last failure, after so many milliseconds
   */
  whenRelaying(timeoutMs: number): Promise<void>;
  /** Ends relaying. */
  close(): Promise<void>;
  /** After `close`: relays again, to a new stream. One that this relay has never written to is not deleted for that. */
  startAnew(): void;
  /** Ends relaying, and deletes the stream if this relay has written to it. */
  remove(): Promise<void>;
};

/** One course of relaying: from its start until it is ended. */
type Course = { ending: AbortController; running: Promise<void> };

/** Starts the relay. While NATS or the database is unavailable it retries; the service is not affected. */
export function startRelay(
  database: Database,
  watch: FeedWatch,
  feeds: RelayedFeeds,
  { natsUrl, replicas, log }: RelaySettings,
): Relay {
  const { name, stream: streamName, subjects } = feeds;
  let relaying = false;
  /** Whether this relay has written to the stream, or may have: it is the stream of this database. */
  let isOwn = false;
  /** Whether the stream is of data that was replaced. */
  let isOld = false;
  let failure: unknown;
  const begun = new EventEmitter();

  const relayOnce = async (signal: AbortSignal) => {
    const lost = new AbortController();
    const release = await database.tryLock(feeds.lock, () => lost.abort());
    if (release === undefined) return;
    try {
      if (isOld) await removeStream(natsUrl, streamName);
      isOld = false;
      const stream = await openRelayStream(natsUrl, { stream: streamName, subjects, replicas });
      void stream.closed.then(() => lost.abort());
      try {
        if (stream.replicas < replicas) {
          log.warn(
            { stream: streamName, replicas: stream.replicas, configured: replicas },
            'the stream is stored on fewer servers than configured: change it with `nats stream edit`',
          );
        }
        const start = await findStart(database, feeds, stream);
        relaying = true;
        isOwn = true;
        failure = undefined;
        begun.emit('relaying');
        const { sequence, positions } = start;
        log.info({ sequence, feeds: positions.size }, `relaying ${name} to NATS`);
        const end = AbortSignal.any([signal, lost.signal]);
        await relayFrom({ database, watch, feeds, stream, log, signal: end }, start);
      } finally {
        await stream.close();
      }
    } finally {
      relaying = false;
      await release();
    }
  };

  const run = async (signal: AbortSignal) => {
    let lastWarning = '';
    while (!signal.aborted) {
      try {
        await relayOnce(signal);
        lastWarning = '';
      } catch (error) {
        failure = error;
        // A repeated error is logged once.
        const message = messageOf(error);
        if (message !== lastWarning) log.warn({ err: error }, `${name} are not relayed to NATS`);
        lastWarning = message;
      }
      // It ends early when the relay is closed.
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const begin = (): Course => {
    const ending = new AbortController();
    return { ending, running: run(ending.signal) };
  };
  let course = begin();
  const close = async () => {
    course.ending.abort();
    await course.running;
  };

  return {
    feeds,
    get relaying() {
      return relaying;
    },
    progress: async () => {
      const [row] = await database.query(selectProgress(feeds));
      return row ?? { relayed: 0, lag: 0 };
    },
    whenRelaying: async (timeoutMs) => {
      if (relaying) return;
      await once(begun, 'relaying', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {
        throw failure ?? new Error(`another server relays ${name}, or NATS does not respond`);
      });
    },
    close,
    startAnew: () => {
      isOld = isOwn;
      course = begin();
    },
    remove: async () => {
      await close();
      if (isOwn) await removeStream(natsUrl, streamName);
    },
  };
}

type RelayContext = {
  database: Database;
  watch: FeedWatch;
  feeds: RelayedFeeds;
  stream: RelayStream;
  log: RelayLog;
  /** Ends the relay. */
  signal: AbortSignal;
};

/** Relays until the signal or an error. Feeds take turns, so one with many entries delays the others by a turn. */
async function relayFrom(context: RelayContext, start: RelayStart): Promise<void> {
  const { database, watch, feeds, stream, signal } = context;
  const { positions } = start;
  let { sequence } = start;
  const grown = new GrownFeeds(database, watch, feeds, positions);
  signal.addEventListener('abort', () => grown.stop(), { once: true });
  try {
    await database.query(forgetRelayedAfter(feeds.stream, sequence));
    await database.query(recordRelayed(feeds.stream, start.found));
    let checkedAt = performance.now();
    while (!signal.aborted) {
      const owners = await grown.take(MAX_FEEDS_PER_TURN);
      if (performance.now() - checkedAt >= CHECK_INTERVAL_MS) {
        await expectEnd(feeds.stream, stream, sequence);
        checkedAt = performance.now();
      }
      if (owners.length === 0) continue;
      const limit = Math.ceil(MAX_ENTRIES_PER_TURN / owners.length);
      const after = new Map(owners.map((owner) => [owner, positions.get(owner) ?? 0]));
      const candidates = await database.query(selectCandidates(feeds, after, limit));
      for (const owner of findUnfinished(candidates, limit)) grown.add(owner);
      const entries = candidates.filter(hasEntry);
      warnOfExpired(context, entries, after);
      const stored = await storeAll(context, entries, sequence);
      const last = new Map<number, RelayedRow>();
      for (const { owner, position } of entries.slice(0, stored)) {
        sequence++;
        last.set(owner, { owner, position, sequence });
        positions.set(owner, position);
      }
      if (last.size > 0) await database.query(recordRelayed(feeds.stream, [...last.values()]));
    }
  } finally {
    grown.stop();
  }
}

/** Fails if the stream ends before what it has acknowledged. The relay then starts again after what the stream has. */
async function expectEnd(name: string, stream: RelayStream, sequence: number): Promise<void> {
  const end = await stream.end();
  if (end.sequence < sequence) {
    throw new Error(
      `${name} has lost what it acknowledged: it ends at ${end.sequence}, not at ${sequence}`,
    );
  }
}

/** An entry with its text. */
type Entry = CandidateRow & { entry: string };

function hasEntry(row: CandidateRow): row is Entry {
  return row.entry !== null;
}

/** The feeds that may have more than what this turn relays. */
function findUnfinished(rows: readonly CandidateRow[], limit: number): Set<number> {
  const counts = new Map<number, number>();
  for (const { owner } of rows) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const cutOff = rows.filter((row) => !hasEntry(row)).map(({ owner }) => owner);
  return new Set([...cutOff, ...[...counts.keys()].filter((owner) => counts.get(owner) === limit)]);
}

/** Positions have no gap, except where entries have expired. */
function warnOfExpired(
  { feeds, log }: RelayContext,
  entries: readonly Entry[],
  after: ReadonlyMap<number, number>,
): void {
  const previous = new Map(after);
  for (const { owner, position } of entries) {
    const last = previous.get(owner) ?? 0;
    if (last > 0 && position > last + 1) {
      log.warn({ owner, last, next: position }, `${feeds.name} expired before they were relayed`);
    }
    previous.set(owner, position);
  }
}

/**
 * Stores entries in order, without waiting for each acknowledgement. When one fails, those after it fail too, because
 * each requires the one before it. The first failure is thrown when no request is in flight any more.
 *
 * @returns how many were stored; not all only after the signal
 */
async function storeAll(
  { stream, feeds, signal }: RelayContext,
  entries: readonly Entry[],
  sequence: number,
): Promise<number> {
  const inFlight: Promise<unknown>[] = [];
  let failure: { error: unknown } | undefined;
  let sent = 0;
  for (const { id, topic, entry } of entries) {
    if (failure !== undefined || signal.aborted) break;
    const message = {
      subject: feeds.toSubject(topic),
      id: feeds.toMessageId(topic, id),
      marker: id,
      entry,
    };
    inFlight.push(
      stream.store(message, sequence + sent).catch((cause: unknown) => {
        const bytes = Buffer.byteLength(entry);
        const what = `entry ${id} of ${bytes} bytes was not stored: ${messageOf(cause)}`;
        failure ??= { error: new Error(what, { cause }) };
      }),
    );
    sent++;
    if (inFlight.length >= MAX_IN_FLIGHT) await inFlight.shift();
  }
  await Promise.all(inFlight);
  if (failure !== undefined) throw failure.error;
  return sent;
}
