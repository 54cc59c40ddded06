// The feeds that may have entries that somebody has not been sent, in turns: for the relay and for push. They are found by
// what servers announce after each commit, so the cost is that of new entries. An announcement may be lost: a sweep compares
// some feeds a second, whatever their number.
import { type FeedKind, feedKey, readFeedKey } from './feed.js';
import type { FeedWatch } from './watch-feeds.js';

/** How many feeds one sweep compares. */
const SWEPT_FEEDS = 500;

/** How often feeds are compared, in milliseconds, after all were compared once. */
const SWEEP_INTERVAL_MS = 1000;

/** A feed: the number of its kind, and its owner. */
export type GrownFeed = { kind: number; owner: number };

/**
 * Compares the next feeds after one, in the order of kinds and owners, `undefined` being before the first. Gives those that
 * have something to send, and the last that was compared; `undefined` if no further ones follow.
 */
export type CompareFeeds = (
  after: GrownFeed | undefined,
  limit: number,
) => Promise<{ behind: readonly GrownFeed[]; last: GrownFeed | undefined }>;

/** The feeds of some kinds that have grown. */
export class GrownFeeds {
  readonly #compare: CompareFeeds;
  readonly #endWatches: readonly (() => void)[];
  readonly #grown = new Set<string>();
  #wakeUp: () => void = () => undefined;
  #stopped = false;
  #sweptTo: GrownFeed | undefined;
  #nextSweep = 0;

  constructor(watch: FeedWatch, kinds: readonly FeedKind[], compare: CompareFeeds) {
    this.#compare = compare;
    this.#endWatches = kinds.map((kind) =>
      watch.watchKind(kind, (owner) => this.wake({ kind: kind.number, owner })),
    );
  }

  /** Puts a feed at the end of the queue. */
  add({ kind, owner }: GrownFeed): void {
    this.#grown.add(feedKey(kind, owner));
  }

  /** The same, and ends a wait for one. */
  wake(feed: GrownFeed): void {
    this.add(feed);
    this.#wakeUp();
  }

  /** Takes the feeds that have waited longest. Waits for one, until the next sweep at the latest. */
  async take(max: number): Promise<GrownFeed[]> {
    if (performance.now() >= this.#nextSweep) await this.#sweep();
    if (this.#grown.size === 0 && !this.#stopped) await this.#wait();
    const taken: GrownFeed[] = [];
    for (const key of this.#grown) {
      if (taken.length === max) break;
      taken.push(readFeedKey(key));
      this.#grown.delete(key);
    }
    return taken;
  }

  /** Ends the wait. */
  stop(): void {
    this.#stopped = true;
    for (const end of this.#endWatches) end();
    this.#wakeUp();
  }

  /** A sweep continues where the last one ended. The first pass over all feeds does not wait in between. */
  async #sweep(): Promise<void> {
    const { behind, last } = await this.#compare(this.#sweptTo, SWEPT_FEEDS);
    for (const feed of behind) this.add(feed);
    this.#sweptTo = last;
    if (last === undefined || this.#nextSweep > 0) {
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
