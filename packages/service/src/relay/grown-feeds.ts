// The feeds that may have entries to relay, in turns. They are found by what servers announce after each commit, so the
// cost is that of new entries. An announcement may be lost: a sweep compares some feeds a second, whatever their number.
import type { Queryable } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { selectEndsAfter } from './queries.js';
import type { RelayedFeeds } from './relayed-feeds.js';

/** How many feeds one sweep compares. */
const SWEPT_FEEDS = 500;

/** How often feeds are compared, in milliseconds, after all were compared once. */
const SWEEP_INTERVAL_MS = 1000;

/** The feeds of one kind that have grown. */
export class GrownFeeds {
  readonly #queryable: Queryable;
  readonly #feeds: RelayedFeeds;
  readonly #positions: ReadonlyMap<number, number>;
  readonly #stopWatching: () => void;
  readonly #grown = new Set<number>();
  #wakeUp: () => void = () => undefined;
  #stopped = false;
  #sweptTo = -1;
  #nextSweep = 0;

  /** @param positions how far each feed is relayed; the relay changes it */
  constructor(
    queryable: Queryable,
    watch: FeedWatch,
    feeds: RelayedFeeds,
    positions: ReadonlyMap<number, number>,
  ) {
    this.#queryable = queryable;
    this.#feeds = feeds;
    this.#positions = positions;
    this.#stopWatching = watch.watchKind(feeds.kind, (owner) => {
      this.add(owner);
      this.#wakeUp();
    });
  }

  /** Puts a feed at the end of the queue. */
  add(owner: number): void {
    this.#grown.add(owner);
  }

  /** Takes the feeds that have waited longest. Waits for one, until the next sweep at the latest. */
  async take(max: number): Promise<number[]> {
    if (performance.now() >= this.#nextSweep) await this.#sweep();
    if (this.#grown.size === 0 && !this.#stopped) await this.#wait();
    const taken: number[] = [];
    for (const owner of this.#grown) {
      if (taken.length === max) break;
      taken.push(owner);
      this.#grown.delete(owner);
    }
    return taken;
  }

  /** Ends the wait. */
  stop(): void {
    this.#stopped = true;
    this.#stopWatching();
    this.#wakeUp();
  }

  /** A sweep continues where the last one ended. The first pass over all feeds does not wait in between. */
  async #sweep(): Promise<void> {
    const ends = await this.#queryable.query(
      selectEndsAfter(this.#feeds, this.#sweptTo, SWEPT_FEEDS),
    );
    for (const { owner, position } of ends) {
      if (position > (this.#positions.get(owner) ?? 0)) this.add(owner);
    }
    const isPassComplete = ends.length < SWEPT_FEEDS;
    this.#sweptTo = isPassComplete ? -1 : (ends.at(-1)?.owner ?? -1);
    if (isPassComplete || this.#nextSweep > 0) {
      this.#nextSweep = performance.now() + SWEEP_INTERVAL_MS;
    }
  }

  /** It ends early when a feed has grown. */
  async #wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, this.#nextSweep - performance.now()));
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
