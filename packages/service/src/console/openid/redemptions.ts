// Limits what browsers, which anybody has, let this server ask of the provider: each sign-in redeems one code, and few
// codes are redeemed at the same time.

import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounded-cache.js';
import { FairQueue } from '../../fair-queue.js';
import { KeyCounts } from '../../key-counts.js';
import { MAX_AGE_S } from './sign-in-cookie.js';
import { SignInRefusedError } from './sign-in-refusal.js';

/** The limits of one server. */
type RedemptionLimits = {
  /** Redemptions at the same time. */
  maxRunning: number;
  /** Sign-ins that wait for theirs. */
  maxWaiting: number;
  /** How long they wait, in milliseconds. */
  maxWaitMs: number;
  /** Sign-ins of one address that redeem or wait. People at a terminal may share theirs. */
  maxOfAddress: number;
  /** Sign-ins that are remembered as used; the oldest is forgotten first. */
  maxUsed: number;
};

const redemptionLimits: RedemptionLimits = {
  maxRunning: 8,
  maxWaiting: 100,
  maxWaitMs: 5000,
  maxOfAddress: 25,
  maxUsed: 10_000,
};

/** Lets a sign-in that waits begin, or refuses it. */
type Waiting = { begin: () => void; refuse: () => void };

/**
 * The redemptions of one server. Addresses take turns; when too many wait, one of the address with the most is refused, so
 * that several addresses together cannot fill the places.
 */
export class Redemptions {
  readonly #limits: RedemptionLimits;
  /** The states of sign-ins whose cookie may still be valid. */
  readonly #used: LRUCache<string, true>;
  #running = 0;
  /** The sign-ins of each address that redeem or wait. */
  readonly #ofAddress = new KeyCounts<string>();
  /** Sign-ins that wait, by their address. */
  readonly #waiting = new FairQueue<string, Waiting>();

  constructor(limits: Partial<RedemptionLimits> = {}) {
    this.#limits = { ...redemptionLimits, ...limits };
    this.#used = new LRUCache({ ...atMost(this.#limits.maxUsed), ttl: MAX_AGE_S * 1000 });
  }

  /**
   * Redeems the code of a sign-in, when it is its turn.
   *
   * @param state identifies the sign-in
   * @param address where it comes from, as requests are limited by it
   * @throws SignInRefusedError `expired` if it was used before, `busy` if others take too long, or its address has too many
   */
  async run<Result>(
    state: string,
    address: string,
    redeem: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#used.has(state)) throw new SignInRefusedError('expired');
    if (this.#ofAddress.of(address) >= this.#limits.maxOfAddress) {
      throw new SignInRefusedError('busy');
    }
    this.#used.set(state, true);
    this.#ofAddress.add(address);
    try {
      return await this.#takeTurn(address, redeem);
    } finally {
      this.#ofAddress.remove(address);
    }
  }

  async #takeTurn<Result>(address: string, redeem: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.maxRunning) this.#running++;
    else await this.#wait(address);
    try {
      return await redeem();
    } finally {
      const next = this.#waiting.take();
      // The turn goes to the next one.
      if (next === undefined) this.#running--;
      else next.begin();
    }
  }

  #wait(address: string): Promise<void> {
    if (this.#waiting.size >= this.#limits.maxWaiting) {
      const displaced = this.#waiting.lastOfMost(this.#waiting.countOf(address) + 1);
      if (displaced === undefined) throw new SignInRefusedError('busy');
      displaced.refuse();
    }
    return new Promise((resolve, reject) => {
      const own: Waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          this.#waiting.remove(address, own);
          reject(new SignInRefusedError('busy'));
        },
      };
      const timer = setTimeout(own.refuse, this.#limits.maxWaitMs);
      this.#waiting.add(address, own);
    });
  }
}
