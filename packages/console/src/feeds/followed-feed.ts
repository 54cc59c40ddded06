// The entries of a feed as a page shows them: the newest ones, live, in memory.
import type { FollowState } from '@landfall/client';
import { type KeptLimits, keepNewest } from './keep-newest.js';

/** How many entries are kept. Older ones are dropped. */
const MAX_KEPT = 5_000;

/** The size of all entries together, where they have a size. */
const MAX_KEPT_SIZE = 32 * 1024 * 1024;

/** The shortest time between two changes of what is shown, in milliseconds. Nobody reads faster. */
const SHOW_INTERVAL_MS = 200;

/** The same for a page in the background. */
const HIDDEN_SHOW_INTERVAL_MS = 1000;

/** A feed at one moment. It is another object after each change. */
export type FeedView<Entry> = {
  /** The newest entries, oldest first. */
  entries: readonly Entry[];
  /** How many entries were received, including those that were dropped. */
  total: number;
  /** `reading`: older entries are still being read; `live`: everything until now was received. */
  state: 'reading' | 'live' | 'lost' | 'failed';
  /** Whether it was `live` once: entries may be missing that came later, but no earlier ones. */
  isComplete: boolean;
  error?: unknown;
};

/** Whether the entries are all that there are since the feed began: a count of them, or none, is then one of everything. */
export function hasEverything({ entries, total, isComplete }: FeedView<unknown>): boolean {
  return isComplete && total === entries.length;
}

const NOTHING_READ: FeedView<never> = {
  entries: [],
  total: 0,
  state: 'reading',
  isComplete: false,
};

/** Follows a feed in batches until the signal aborts. */
export type Follow<Entry> = (options: {
  signal: AbortSignal;
  onStateChange: (state: FollowState) => void;
}) => AsyncIterable<readonly Entry[]>;

type FeedOptions<Entry> = {
  /** Is called before it is read anew from its beginning: what was derived from its entries must be forgotten. */
  onRestart?: () => void;
  /** Is called with each batch at once, before it is shown. */
  onEntries?: (entries: readonly Entry[]) => void;
  /** The size of an entry, in characters. Default: 0, for entries that are always small. */
  sizeOf?: (entry: Entry) => number;
};

/** Follows a feed while somebody watches it, and from its first use until the page is closed. */
export class FollowedFeed<Entry> {
  readonly #follow: Follow<Entry>;
  readonly #onRestart: () => void;
  readonly #onEntries: (entries: readonly Entry[]) => void;
  readonly #limits: KeptLimits<Entry>;
  readonly #listeners = new Set<() => void>();
  #view: FeedView<Entry> = NOTHING_READ;
  #received: Entry[] = [];
  #receivedSize = 0;
  #total = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  #stop: AbortController | undefined;
  #isScheduled = false;

  constructor(
    follow: Follow<Entry>,
    {
      onRestart = () => undefined,
      onEntries = () => undefined,
      sizeOf = () => 0,
    }: FeedOptions<Entry> = {},
  ) {
    this.#follow = follow;
    this.#onRestart = onRestart;
    this.#onEntries = onEntries;
    this.#limits = { maxCount: MAX_KEPT, maxSize: MAX_KEPT_SIZE, sizeOf };
  }

  readonly read = (): FeedView<Entry> => this.#view;

  /** Watches it; the first to do so starts it. Returns a function that ends the watch. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.start();
    return () => this.#listeners.delete(listener);
  };

  /** Starts it, unless it runs. */
  start(): void {
    if (this.#stop === undefined || this.#view.state === 'failed') this.restart();
  }

  /** Reads it anew from its beginning. */
  restart(): void {
    this.close();
    this.#stop = new AbortController();
    this.#received = [];
    this.#receivedSize = 0;
    this.#total = 0;
    this.#view = NOTHING_READ;
    this.#onRestart();
    void this.#run(this.#stop.signal);
  }

  close(): void {
    this.#stop?.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const onStateChange = (change: FollowState) => {
      this.#change({ state: change.state });
    };
    try {
      for await (const batch of this.#follow({ signal, onStateChange })) {
        if (signal.aborted) return;
        this.#onEntries(batch);
        this.#total += batch.length;
        this.#receive(batch);
        this.#schedule();
      }
    } catch (error) {
      if (!signal.aborted) this.#change({ state: 'failed', error });
    }
  }

  #receive(batch: readonly Entry[]): void {
    this.#received.push(...batch);
    for (const entry of batch) this.#receivedSize += this.#limits.sizeOf(entry);
    // A browser may delay the timers of a page in the background for a minute.
    if (this.#received.length > 2 * MAX_KEPT || this.#receivedSize > 2 * MAX_KEPT_SIZE) {
      this.#received = [...keepNewest(this.#received, this.#limits)];
      this.#receivedSize = 0;
      for (const entry of this.#received) this.#receivedSize += this.#limits.sizeOf(entry);
    }
  }

  #change(change: Pick<FeedView<Entry>, 'state' | 'error'>): void {
    const isComplete = this.#view.isComplete || change.state === 'live';
    this.#view = { ...this.#view, ...change, isComplete };
    this.#schedule();
  }

  /** Shows the first change in the next frame, and those that follow it soon together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const show = () => this.#show();
    const interval = document.hidden ? HIDDEN_SHOW_INTERVAL_MS : SHOW_INTERVAL_MS;
    const wait = this.#shownAt + interval - performance.now();
    // A page in the background has no frames.
    if (document.hidden || wait > 0) setTimeout(show, Math.max(0, wait));
    else requestAnimationFrame(show);
  }

  #show(): void {
    this.#isScheduled = false;
    this.#shownAt = performance.now();
    const received = this.#received;
    this.#received = [];
    this.#receivedSize = 0;
    const entries =
      received.length === 0
        ? this.#view.entries
        : keepNewest([...this.#view.entries, ...received], this.#limits);
    this.#view = { ...this.#view, entries, total: this.#total };
    for (const listener of this.#listeners) listener();
  }
}
