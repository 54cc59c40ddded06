// Waits until what other transactions have locked is free: one query for all who wait, over a session on which nothing
// blocks.
import type { Queryable, Statement } from '../database/database.js';

/** How often what somebody else holds is tried, in milliseconds. */
const POLL_INTERVAL_MS = 20;

/** After how long those who wait try again although it was not seen free, in milliseconds. */
const MAX_WAIT_MS = 2000;

type Release = {
  /** When the wait ends although it was not seen free. */
  until: number;
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/** Waits for what has a key, such as the number of an organisation. */
export class Releases<Key extends number | string> {
  readonly #lookUps: Queryable;
  readonly #selectFree: (keys: readonly Key[]) => Statement<{ key: Key }>;
  readonly #awaited = new Map<Key, Release>();
  #polling = false;

  /**
   * @param lookUps the session for short reads
   * @param selectFree selects what nobody holds
   */
  constructor(lookUps: Queryable, selectFree: (keys: readonly Key[]) => Statement<{ key: Key }>) {
    this.#lookUps = lookUps;
    this.#selectFree = selectFree;
  }

  /** Resolves when nobody holds it, or after the maximum time: it may be held again by then. */
  wait(key: Key, maxWaitMs: number = MAX_WAIT_MS): Promise<void> {
    const until = performance.now() + maxWaitMs;
    const awaited = this.#awaited.get(key);
    if (awaited !== undefined) {
      awaited.until = Math.min(awaited.until, until);
      return awaited.promise;
    }
    const release = makeRelease(until);
    this.#awaited.set(key, release);
    if (!this.#polling) {
      this.#polling = true;
      void this.#poll();
    }
    return release.promise;
  }

  async #poll(): Promise<void> {
    while (this.#awaited.size > 0) {
      try {
        const free = await this.#lookUps.query(this.#selectFree([...this.#awaited.keys()]));
        const freed = new Set(free.map(({ key }) => key));
        const now = performance.now();
        for (const [key, { until, resolve }] of this.#awaited) {
          if (!freed.has(key) && until > now) continue;
          this.#awaited.delete(key);
          resolve();
        }
      } catch (error) {
        // The database is away for everybody who waits.
        for (const { reject } of this.#awaited.values()) reject(error);
        this.#awaited.clear();
      }
      if (this.#awaited.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    }
    this.#polling = false;
  }
}

function makeRelease(until: number): Release {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onRelease, onError) => {
    resolve = onRelease;
    reject = onError;
  });
  // Whoever waits sees a failure. One that nobody awaits, or not yet, would end the process.
  promise.catch(() => undefined);
  return { until, promise, resolve, reject };
}
