// The locks that feeds are appended under, and waiting for one without holding another.
//
// A transaction that needs the locks of several organisations takes them by `lock_in_order` (a function of the
// database). Where one is not free it gives up, waits here until that one is, and begins again. So whoever waits long
// holds nothing meanwhile, and nobody waits behind him.
import type { Database, Queryable } from '../database/database.js';
import { selectFree } from './lock-queries.js';

/** How long a transaction that holds some organisations waits for a further one, in milliseconds. */
export const LOCK_TIMEOUT_MS = 50;

/** How often an organisation that somebody else holds is tried, in milliseconds. */
const POLL_INTERVAL_MS = 20;

/** After how long those who wait try again by themselves, or give up, in milliseconds. */
const MAX_WAIT_MS = 10_000;

type Release = {
  since: number;
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

  /** Resolves when nobody holds the organisation, after ten seconds at the latest: it may be held again by then. */
  wait(organisation: number): Promise<void> {
    const awaited = this.#awaited.get(organisation);
    if (awaited !== undefined) return awaited.promise;
    const release = makeRelease();
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
        const waitedSince = performance.now() - MAX_WAIT_MS;
        for (const [organisation, { since, resolve }] of this.#awaited) {
          if (!freed.has(organisation) && since > waitedSince) continue;
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

function makeRelease(): Release {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onRelease, onError) => {
    resolve = onRelease;
    reject = onError;
  });
  return { since: performance.now(), promise, resolve, reject };
}
