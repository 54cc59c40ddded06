// The locks that feeds are appended under, and waiting for one without holding another.
//
// A transaction that needs the locks of several organisations takes them by `lock_in_order` (a function of the
// database). Where one is not free it gives up, waits here until that one is, and begins again. So whoever waits long
// holds nothing meanwhile, and nobody waits behind him. An organisation that transactions of other servers take one
// after the other is never seen free, so who has waited in vain takes a turn: it waits in the queue of the database for
// this organisation, before it holds another one.
import type { Database, Queryable } from '../database/database.js';
import { selectFree } from './lock-queries.js';

/** How long a transaction that holds some organisations waits for a further one, in milliseconds. */
export const LOCK_TIMEOUT_MS = 50;

/** How often an organisation that somebody else holds is tried, in milliseconds. */
const POLL_INTERVAL_MS = 20;

/** How long a transaction that holds no organisation waits for its turn, in milliseconds. */
export const TURN_TIMEOUT_MS = 500;

/** After how long those who wait try again although the organisation was not seen free, in milliseconds. */
const MAX_WAIT_MS = 2000;

type Release = {
  /** When the wait ends although the organisation was not seen free. */
  until: number;
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
};

const releases = new WeakMap<Database, OrganisationReleases>();

/** Whoever waits for organisations of a database shares its queries. */
export function releasesOf(database: Database): OrganisationReleases {
  const known = releases.get(database);
  if (known !== undefined) return known;
  const made = new OrganisationReleases(database.lookUps);
  releases.set(database, made);
  return made;
}

/** Waits for organisations to be released: one query for all of them, over a session on which nothing blocks. */
class OrganisationReleases {
  readonly #lookUps: Queryable;
  readonly #awaited = new Map<number, Release>();
  #polling = false;

  /** @param lookUps the session for short reads */
  constructor(lookUps: Queryable) {
    this.#lookUps = lookUps;
  }

  /** Resolves when nobody holds the organisation, or after the maximum time: it may be held again by then. */
  wait(organisation: number, maxWaitMs: number = MAX_WAIT_MS): Promise<void> {
    const until = performance.now() + maxWaitMs;
    const awaited = this.#awaited.get(organisation);
    if (awaited !== undefined) {
      awaited.until = Math.min(awaited.until, until);
      return awaited.promise;
    }
    const release = makeRelease(until);
    this.#awaited.set(organisation, release);
    if (!this.#polling) {
      this.#polling = true;
      void this.#poll();
    }
    return release.promise;
  }

  async #poll(): Promise<void> {
    while (this.#awaited.size > 0) {
      try {
        const free = await this.#lookUps.query<{ organisation: number }>(
          selectFree([...this.#awaited.keys()]),
        );
        const freed = new Set(free.map(({ organisation }) => organisation));
        const now = performance.now();
        for (const [organisation, { until, resolve }] of this.#awaited) {
          if (!freed.has(organisation) && until > now) continue;
          this.#awaited.delete(organisation);
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
