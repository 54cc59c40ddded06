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
import { findStart } from './find-start.js';
import { HeldFeeds } from './held-feeds.js';
import { openRelayStream, type RelayStream, removeStream } from './jetstream.js';
import { type ProgressRow, selectProgress } from './queries.js';
import { type RelayLog, relayEntries } from './relay-entries.js';
import type { RelayedFeeds } from './relayed-feeds.js';
import { readInstallation } from './stream-mark.js';

/** How long a server waits before it tries to relay again, in milliseconds: after each failure twice as long. */
const RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 5000;

/** After how long a failure is logged again that goes on, in milliseconds. */
const LOG_AGAIN_MS = 600_000;

/** The address of NATS, on how many servers streams should be stored, and the log. */
export type RelaySettings = { natsUrl: string; replicas: number; log: RelayLog };

/** What one server at a time relays to a stream. */
export type RelayTask = {
  /** What is relayed, in log lines. */
  name: string;
  stream: string;
  subjects: string;
  /** The session lock of the one server that relays it. */
  lock: number;
  /** Resolves when there is something to relay, and with the signal. */
  whenNeeded?(signal: AbortSignal): Promise<void>;
  /** Relays until the signal or an error. */
  run(context: TaskContext): Promise<void>;
  progress(): Promise<ProgressRow>;
};

/** What a task gets of the relay that runs it. */
export type TaskContext = {
  stream: RelayStream;
  log: RelayLog;
  /** Feeds or views that wait, by their owners. */
  held: HeldFeeds;
  /** Is called when it is known where to continue: after which sequence number, with how many feeds. */
  begun: (sequence: number, feeds: number) => void;
  /** Is called when entries were stored, or the stream still ends where it ended. */
  progressed: () => void;
  signal: AbortSignal;
};

/** A relay that runs in the background until it is closed. */
export type Relay = {
  /** Whether this server is the one that relays. */
  readonly relaying: boolean;
  /** Whether there is something to relay, as far as this server knows. */
  readonly needed: boolean;
  /** How many feeds or views wait, because they alone cannot be relayed by this server. */
  readonly held: number;
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

/** Relays the feeds of a kind. */
export function startRelay(
  database: Database,
  watch: FeedWatch,
  feeds: RelayedFeeds,
  settings: RelaySettings,
): Relay {
  const { name, stream: streamName, subjects, lock } = feeds;
  const task: RelayTask = {
    name,
    stream: streamName,
    subjects,
    lock,
    run: async ({ stream, log, held, begun, progressed, signal }) => {
      const start = await findStart(database, feeds, stream);
      await stream.claim();
      begun(start.sequence, start.positions.size);
      await relayEntries({ database, watch, feeds, stream, log, held, progressed, signal }, start);
    },
    progress: async () => {
      const [row] = await database.query(selectProgress(feeds));
      return row ?? { relayed: 0, lag: 0 };
    },
  };
  return startTask(database, task, settings);
}

/** Starts relaying. While NATS or the database is unavailable it is tried again; the service is not affected. */
export function startTask(
  database: Database,
  task: RelayTask,
  { natsUrl, replicas, log }: RelaySettings,
): Relay {
  const { name, stream: streamName, subjects } = task;
  let relaying = false;
  let held = new HeldFeeds();
  let needed = task.whenNeeded === undefined;
  /** Whether this relay has written to the stream, or may have: it is the stream of this database. */
  let isOwn = false;
  /** Whether the stream is of data that was replaced. */
  let isOld = false;
  let failure: unknown;
  /** The last warning, until entries are relayed again. */
  let warned: { message: string; at: number } | undefined;
  const begun = new EventEmitter();

  const warnOf = (error: unknown) => {
    const message = messageOf(error);
    const isSaid = warned?.message === message && performance.now() - warned.at < LOG_AGAIN_MS;
    if (isSaid) return;
    log.warn({ err: error }, `${name} are not relayed to NATS`);
    warned = { message, at: performance.now() };
  };

  /** @param onProgress called when entries are stored, or the stream still is what was relayed to it */
  const relayOnce = async (signal: AbortSignal, onProgress: () => void) => {
    // A stream of data that was replaced is removed, whether or not there is something to relay.
    if (!isOld) await task.whenNeeded?.(signal);
    if (signal.aborted) return;
    needed ||= !isOld;
    const lost = new AbortController();
    const release = await database.tryLock(task.lock, () => lost.abort());
    if (release === undefined) return;
    try {
      if (isOld) await removeStream(natsUrl, streamName);
      isOld = false;
      const installation = await readInstallation(database);
      const stream = await openRelayStream(
        natsUrl,
        { stream: streamName, subjects, replicas },
        installation,
      );
      void stream.closed.then(() => lost.abort());
      try {
        if (stream.replicas < replicas) {
          log.warn(
            { stream: streamName, replicas: stream.replicas, configured: replicas },
            'the stream is stored on fewer servers than configured: change it with `nats stream edit`',
          );
        }
        let say: () => void = () => undefined;
        held = new HeldFeeds();
        await task.run({
          stream,
          log,
          held,
          begun: (sequence, feeds) => {
            relaying = true;
            isOwn = true;
            failure = undefined;
            begun.emit('relaying');
            say = () => log.info({ sequence, feeds }, `relaying ${name} to NATS`);
            // After a failure it is not known yet whether it ends at the same entry again.
            if (warned === undefined) say();
          },
          progressed: () => {
            if (warned !== undefined) say();
            warned = undefined;
            onProgress();
          },
          signal: AbortSignal.any([signal, lost.signal]),
        });
      } finally {
        await stream.close();
      }
    } finally {
      relaying = false;
      held = new HeldFeeds();
      await release();
    }
  };

  const run = async (signal: AbortSignal) => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await relayOnce(signal, () => {
          failures = 0;
        });
      } catch (error) {
        failure = error;
        failures++;
        warnOf(error);
      }
      const wait = RETRY_DELAY_MS * 2 ** Math.max(0, failures - 1);
      // It ends early when the relay is closed.
      await delay(Math.min(wait, MAX_RETRY_DELAY_MS), undefined, { signal }).catch(() => undefined);
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
    get relaying() {
      return relaying;
    },
    get held() {
      return held.size;
    },
    get needed() {
      return needed || relaying;
    },
    progress: () => task.progress(),
    whenRelaying: async (timeoutMs) => {
      if (relaying) return;
      await once(begun, 'relaying', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {
        throw failure ?? new Error(`another server relays ${name}, or NATS does not respond`);
      });
    },
    close,
    startAnew: () => {
      isOld = isOwn;
      needed = task.whenNeeded === undefined;
      course = begin();
    },
    remove: async () => {
      await close();
      if (isOwn) await removeStream(natsUrl, streamName);
    },
  };
}
