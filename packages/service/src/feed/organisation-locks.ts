// The locks that feeds are appended under, and waiting for one without holding another.
//
// A transaction that needs the locks of several organisations takes them by `lock_in_order` (a function of the
// database). Where one is not free it gives up, waits here until that one is, and begins again. So whoever waits long
// holds nothing meanwhile, and nobody waits behind him. An organisation that transactions of other servers take one
// after the other is never seen free, so who has waited in vain takes a turn: it waits in the queue of the database for
// this organisation, before it holds another one.
import type { Queryable, Transaction } from '../database/database.js';
import { lockFeeds, selectFree } from './lock-queries.js';

/** How long a transaction that holds some organisations waits for a further one, in milliseconds. */
export const LOCK_TIMEOUT_MS = 50;

/** How often an organisation that somebody else holds is tried, in milliseconds. */
const POLL_INTERVAL_MS = 20;

/** How long a transaction that holds no organisation waits for its turn, in milliseconds. */
export const TURN_TIMEOUT_MS = 500;

/** After how long those who wait try again although the organisation was not seen free, in milliseconds. */
const MAX_WAIT_MS = 2000;

/** Another transaction holds the lock of an organisation. The transaction that needed it is rolled back. */
export class OrganisationHeldError extends Error {
  readonly code = 'ORGANISATION_HELD';
  override name = 'OrganisationHeldError';
  readonly organisation: number;

  constructor(organisation: number) {
    super(`another transaction holds the lock of organisation ${organisation}`);
    this.organisation = organisation;
  }
}

/**
 * Locks organisations until the end of the transaction.
 *
 * @param held the one that was not free before, if this is tried again: it is waited for as a turn
 * @throws OrganisationHeldError when one of them is not free
 */
export async function lockOrganisations(
  transaction: Transaction,
  organisations: readonly number[],
  held?: number,
): Promise<void> {
  if (held !== undefined && organisations.includes(held)) {
    await transaction.query(lockFeeds([held], TURN_TIMEOUT_MS));
  }
  const [row] = await transaction.query<{ locked: number[] }>(
    lockFeeds(organisations, LOCK_TIMEOUT_MS),
  );
  requireLocked(organisations, row?.locked ?? []);
}

/** @throws OrganisationHeldError unless all of them are locked */
export function requireLocked(organisations: readonly number[], locked: readonly number[]): void {
  const free = new Set(locked);
  const held = organisations.find((organisation) => !free.has(organisation));
  if (held !== undefined) throw new OrganisationHeldError(held);
}

type Release = {
  since: number;
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/** Waits for organisations to be released: one query for all of them, over a session on which nothing blocks. */
export class OrganisationReleases {
  readonly #lookUps: Queryable;
  readonly #maxWaitMs: number;
  readonly #awaited = new Map<number, Release>();
  #polling = false;

  /**
   * @param lookUps the session for short reads
   * @param maxWaitMs after how long a wait ends although the organisation was not seen free
   */
  constructor(lookUps: Queryable, maxWaitMs: number = MAX_WAIT_MS) {
    this.#lookUps = lookUps;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Resolves when nobody holds the organisation, or after the maximum time: it may be held again by then. */
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
        const waitedSince = performance.now() - this.#maxWaitMs;
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
