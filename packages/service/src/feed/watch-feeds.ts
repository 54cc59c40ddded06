// Wakes those who wait for a feed to grow: at once when this server appended, soon when another one did, and within
// a second in any case, by one poll of the tables for all who wait.
import type { Database } from '../database/database.js';
import { type Feed, type FeedKind, feedKey, readFeedKey } from './feed.js';
import { selectFeedEnds, selectWrites } from './queries.js';
import { onAppended } from './transact-on-feeds.js';

/** How often the watched feeds are polled: one query for all of them, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

/** The shortest time between two announcements to other servers, in milliseconds: the first growth is announced at once. */
const ANNOUNCE_INTERVAL_MS = 50;

/** Feeds named in one announcement: a notification of PostgreSQL holds 8000 bytes. */
const MAX_FEEDS_PER_ANNOUNCEMENT = 500;

/** One who waits for feeds. Made before they are read, so that nothing falls between the two. */
export type FeedWatcher = {
  /** Resolves with `true` when one of them may have grown since the last call, with `false` after so many milliseconds. */
  next(timeout: number): Promise<boolean>;
  /** Ends the wait; more than once is the same as once. */
  stop(): void;
};

type Watched = { feed: Feed; position: number | undefined; wake: Set<() => void> };

/** All who wait on this server. */
export class FeedWatch {
  readonly #database: Database;
  readonly #watched = new Map<string, Watched>();
  readonly #kindHandlers = new Map<number, Set<(owner: number) => void>>();
  readonly #grown = new Set<string>();
  readonly #pollInterval: number;
  readonly #reportFailure: (error: unknown) => void;
  #polling: NodeJS.Timeout | undefined;
  #isPolling = false;
  #announcing: NodeJS.Timeout | undefined;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #writes: string | undefined;
  #closed = false;
  readonly #endListening: () => void;

  /**
   * @param settings `pollInterval`: how often the feeds are polled, in milliseconds; a test of waking sets it long.
   * `reportFailure` takes the error of a poll or an announcement, which the next one makes up for.
   */
  constructor(
    database: Database,
    {
      pollInterval = POLL_INTERVAL_MS,
      reportFailure = () => undefined,
    }: { pollInterval?: number; reportFailure?: (error: unknown) => void } = {},
  ) {
    this.#database = database;
    this.#pollInterval = pollInterval;
    this.#reportFailure = reportFailure;
    database.replacements.onOutdated(() => this.#wakeAll());
    this.#endListening = onAppended(database, (appended) => this.wakeAppended(appended));
    database.announcements.onMessage((message) => {
      for (const key of message.split(',')) {
        const { kind, owner } = readFeedKey(key);
        this.#wake(kind, owner);
      }
    });
  }

  /** Whether the server is closing, so that nobody should wait any longer. */
  get closed(): boolean {
    return this.#closed;
  }

  watch(...feeds: readonly Feed[]): FeedWatcher {
    const watched = feeds.map((feed): [key: string, watched: Watched] => {
      const key = feedKey(feed.kind.number, feed.owner);
      const found = this.#watched.get(key) ?? { feed, position: undefined, wake: new Set() };
      this.#watched.set(key, found);
      return [key, found];
    });
    // A new one has to be polled once, whether or not anything is written.
    this.#writes = undefined;
    this.#polling ??= setInterval(() => void this.#pollInBackground(), this.#pollInterval).unref();

    let grown = false;
    let wakeUp: () => void = () => undefined;
    const wake = () => {
      grown = true;
      wakeUp();
    };
    for (const [, { wake: all }] of watched) all.add(wake);

    return {
      next: async (timeout) => {
        if (!grown && !this.#closed) {
          await waitFor(timeout, (resolve) => {
            wakeUp = resolve;
          });
        }
        const woken = grown;
        grown = false;
        return woken;
      },
      stop: () => {
        wakeUp();
        // It is called again when the socket of a read closes: by then others may wait for the feed, without this one.
        for (const [key, { wake: all }] of watched) {
          if (all.delete(wake) && all.size === 0) this.#watched.delete(key);
        }
      },
    };
  }

  /**
   * Calls the handler with the owner of each feed of a kind that has grown. What is announced by another server may be
   * lost, and is not made up for.
   *
   * @returns a function that ends it
   */
  watchKind(kind: FeedKind, handle: (owner: number) => void): () => void {
    const handlers = this.#kindHandlers.get(kind.number) ?? new Set();
    this.#kindHandlers.set(kind.number, handlers.add(handle));
    return () => void handlers.delete(handle);
  }

  /** Reports that feeds of a kind have grown; called after the commit. */
  wake(kind: FeedKind, owners: Iterable<number>): void {
    for (const owner of owners) this.#noteGrown(kind.number, owner);
    this.#announceLater();
  }

  /** The same of what the database says was appended (`append_to_feeds`). */
  wakeAppended(appended: string | null | undefined): void {
    // Such as {"entries":"1/17/5-6 2/17/9-9","digest":"..."}: the kind, the owner and the positions of each feed.
    for (const [, ranges = ''] of (appended ?? '').matchAll(/"entries":"([^"]*)"/g)) {
      for (const range of ranges.split(' ')) {
        const [kind, owner] = range.split('/');
        this.#noteGrown(Number(kind), Number(owner));
      }
    }
    this.#announceLater();
  }

  #noteGrown(kind: number, owner: number): void {
    this.#wake(kind, owner);
    this.#grown.add(feedKey(kind, owner));
  }

  #announceLater(): void {
    if (this.#grown.size > 0 && this.#announcing === undefined && !this.#closed) {
      const wait = this.#announcedAt + ANNOUNCE_INTERVAL_MS - performance.now();
      this.#announcing = setTimeout(() => this.#announce(), Math.max(0, wait)).unref();
    }
  }

  /** Wakes all for the last time. */
  close(): void {
    this.#closed = true;
    this.#endListening();
    clearInterval(this.#polling);
    clearTimeout(this.#announcing);
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const { feed } of this.#watched.values()) this.#wake(feed.kind.number, feed.owner);
  }

  #wake(kind: number, owner: number): void {
    for (const wake of this.#watched.get(feedKey(kind, owner))?.wake ?? []) wake();
    for (const handle of this.#kindHandlers.get(kind) ?? []) handle(owner);
  }

  /** A lost announcement is made up for by the next poll of the other servers. */
  #announce(): void {
    this.#announcing = undefined;
    this.#announcedAt = performance.now();
    const keys = [...this.#grown];
    this.#grown.clear();
    for (let start = 0; start < keys.length; start += MAX_FEEDS_PER_ANNOUNCEMENT) {
      const message = keys.slice(start, start + MAX_FEEDS_PER_ANNOUNCEMENT).join(',');
      this.#database.announcements.send(message).catch(this.#reportFailure);
    }
  }

  /** One at a time: while the database hangs, polls do not pile up. One that fails is made up for by the next one. */
  async #pollInBackground(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.#poll();
    } catch (error) {
      // The next poll reads all positions, whether or not anything was written.
      this.#writes = undefined;
      this.#reportFailure(error);
    } finally {
      this.#isPolling = false;
    }
  }

  async #poll(): Promise<void> {
    if (this.#watched.size === 0) {
      clearInterval(this.#polling);
      this.#polling = undefined;
      return;
    }
    if (!(await this.#hasBeenWritten())) return;
    // Only now: a feed that is watched since the query above has to be polled once too.
    const all = [...this.#watched.values()];
    for (const kind of new Set(all.map(({ feed }) => feed.kind))) {
      const owners = all.filter(({ feed }) => feed.kind === kind).map(({ feed }) => feed.owner);
      const rows = await this.#database.query(selectFeedEnds(kind, owners));
      for (const { owner, position } of rows) this.#note(kind, owner, position);
    }
  }

  /** While nothing is written to the database at all, polling costs one trivial query. */
  async #hasBeenWritten(): Promise<boolean> {
    const before = this.#writes;
    const [row] = await this.#database.query(selectWrites);
    this.#writes = row?.writes;
    return row?.writes !== before;
  }

  #note({ number: kind }: FeedKind, owner: number, position: number): void {
    const watched = this.#watched.get(feedKey(kind, owner));
    if (watched === undefined || watched.position === position) return;
    watched.position = position;
    this.#wake(kind, owner);
  }
}

function waitFor(timeout: number, whenWoken: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeout);
    whenWoken(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
