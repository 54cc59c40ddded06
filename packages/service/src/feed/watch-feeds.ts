// Wakes those who wait for a feed to grow: at once when this server appended, soon when another one did, and within
// a second in any case, by one look at the table for all who wait.
import type { Database } from '../database/database.js';
import { type Feed, type FeedKind, feedKey } from './feed.js';
import { selectPositions, selectWrites } from './queries.js';

/** How often the feeds that are waited for are looked at: one query for all of them, in milliseconds. */
const LOOK_EVERY = 1000;

/** How often other servers are told at most, in milliseconds: the first growth at once, what follows together. */
const ANNOUNCE_EVERY = 50;

/** Feeds named in one announcement: a notification of PostgreSQL holds 8000 bytes. */
const FEEDS_AN_ANNOUNCEMENT = 500;

/** One who waits for one feed. Made before the feed is read, so that nothing falls between the two. */
export type FeedWatcher = {
  /** Resolves when the feed may have grown since the last call, or after so many milliseconds. */
  next(timeout: number): Promise<void>;
  /** Ends the wait. */
  stop(): void;
};

type Watched = { feed: Feed; position: number | undefined; wake: Set<() => void> };

/** All who wait on this server. */
export class FeedWatch {
  readonly #database: Database;
  readonly #watched = new Map<string, Watched>();
  readonly #grown = new Set<string>();
  #looking: NodeJS.Timeout | undefined;
  #announcing: NodeJS.Timeout | undefined;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #writes: string | undefined;
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
    database.onAnnouncement((message) => {
      for (const key of message.split(',')) this.#wakeKey(key);
    });
  }

  /** Whether the server is closing, so that nobody should wait any longer. */
  get closed(): boolean {
    return this.#closed;
  }

  watch(feed: Feed): FeedWatcher {
    const key = feedKey(feed.kind.number, feed.owner);
    const watched = this.#watched.get(key) ?? { feed, position: undefined, wake: new Set() };
    this.#watched.set(key, watched);
    // A new one has to be looked at once, whether or not anything is written.
    this.#writes = undefined;
    this.#looking ??= setInterval(() => void this.#look(), LOOK_EVERY).unref();

    let grown = false;
    let wakeUp: () => void = () => undefined;
    const wake = () => {
      grown = true;
      wakeUp();
    };
    watched.wake.add(wake);

    return {
      next: async (timeout) => {
        if (!grown && !this.#closed) {
          await waitFor(timeout, (resolve) => {
            wakeUp = resolve;
          });
        }
        grown = false;
      },
      stop: () => {
        wakeUp();
        watched.wake.delete(wake);
        if (watched.wake.size === 0) this.#watched.delete(key);
      },
    };
  }

  /** Tells that feeds of a kind have grown; called after the commit. */
  wake(kind: FeedKind, owners: Iterable<number>): void {
    for (const owner of owners) {
      const key = feedKey(kind.number, owner);
      this.#wakeKey(key);
      this.#grown.add(key);
    }
    if (this.#grown.size > 0 && this.#announcing === undefined && !this.#closed) {
      const wait = this.#announcedAt + ANNOUNCE_EVERY - performance.now();
      this.#announcing = setTimeout(() => this.#announce(), Math.max(0, wait)).unref();
    }
  }

  /** Wakes all for the last time. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#looking);
    clearTimeout(this.#announcing);
    for (const key of this.#watched.keys()) this.#wakeKey(key);
  }

  #wakeKey(key: string): void {
    for (const wake of this.#watched.get(key)?.wake ?? []) wake();
  }

  /** One that gets lost is made up for by the next look of the others. */
  #announce(): void {
    this.#announcing = undefined;
    this.#announcedAt = performance.now();
    const keys = [...this.#grown];
    this.#grown.clear();
    for (let start = 0; start < keys.length; start += FEEDS_AN_ANNOUNCEMENT) {
      const message = keys.slice(start, start + FEEDS_AN_ANNOUNCEMENT).join(',');
      this.#database.announce(message).catch(() => undefined);
    }
  }

  /** A look that fails is made up for by the next one. */
  async #look(): Promise<void> {
    const all = [...this.#watched.values()];
    if (all.length === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    if (!(await this.#hasBeenWritten())) return;
    for (const kind of new Set(all.map(({ feed }) => feed.kind))) {
      const owners = all.filter(({ feed }) => feed.kind === kind).map(({ feed }) => feed.owner);
      const rows = await this.#database
        .query<{ owner: number; position: number }>(selectPositions(kind, owners))
        .catch(() => []);
      for (const { owner, position } of rows) this.#note(feedKey(kind.number, owner), position);
    }
  }

  /** While nothing is written to the database at all, looking costs one trivial query. */
  async #hasBeenWritten(): Promise<boolean> {
    const [row] = await this.#database
      .query<{ writes: string }>(selectWrites)
      .catch(() => [undefined]);
    const same = row === undefined || row.writes === this.#writes;
    this.#writes = row?.writes ?? this.#writes;
    return !same;
  }

  #note(key: string, position: number): void {
    const watched = this.#watched.get(key);
    if (watched === undefined || watched.position === position) return;
    watched.position = position;
    this.#wakeKey(key);
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
