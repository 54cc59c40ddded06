// Wakes those who wait for a feed to grow: at once when this server appended, else when a look at the table finds it.
import type { Database } from '../database/database.js';
import { type Feed, type FeedKind, feedKey } from './feed.js';
import { selectPositions } from './queries.js';

/** How often the feeds that are waited for are looked at: one query for all of them, in milliseconds. */
const LOOK_EVERY = 1000;

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
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether the server is closing, so that nobody should wait any longer. */
  get closed(): boolean {
    return this.#closed;
  }

  watch(feed: Feed): FeedWatcher {
    const key = feedKey(feed.kind, feed.owner);
    const watched = this.#watched.get(key) ?? { feed, position: undefined, wake: new Set() };
    this.#watched.set(key, watched);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY).unref();

    let grown = false;
    let wakeUp: () => void = () => undefined;
    const wake = () => {
      grown = true;
      wakeUp();
    };
    watched.wake.add(wake);

    return {
      next: async (timeout) => {
        if (!grown && !this.#closed) await waitFor(timeout, (resolve) => (wakeUp = resolve));
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
      const watched = this.#watched.get(feedKey(kind, owner));
      if (watched === undefined) continue;
      for (const wake of watched.wake) wake();
    }
  }

  /** Wakes all for the last time. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const { wake } of this.#watched.values()) for (const each of wake) each();
  }

  /** Finds what other servers appended. A failed look is made up for by the next one. */
  async #look(): Promise<void> {
    const all = [...this.#watched.values()];
    if (all.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const statement = selectPositions(
      all.map(({ feed }) => feed.kind.number),
      all.map(({ feed }) => feed.owner),
    );
    const rows = await this.#database
      .query<{ kind: number; owner: number; position: number }>(statement)
      .catch(() => []);
    for (const { kind, owner, position } of rows) {
      const watched = this.#watched.get(`${kind}:${owner}`);
      if (watched === undefined || watched.position === position) continue;
      watched.position = position;
      for (const wake of watched.wake) wake();
    }
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
