// How many requests one space may have: as many at once as in a minute, and then one for each that comes back. A monotonic
// clock measures it.

/** What counts as one further request, in bytes. */
const BYTES_OF_REQUEST = 65_536;

/** The requests that a space may still have. */
export class RequestBudget {
  readonly #perMinute: number;
  readonly #now: () => number;
  #left: number;
  #countedAt: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#left = perMinute;
    this.#countedAt = now();
  }

  /** Counts a request; returns after how many seconds it may be sent again, 0 if it may be now. */
  take(): number {
    const now = this.#now();
    const perMs = this.#perMinute / 60_000;
    this.#left = Math.min(this.#perMinute, this.#left + (now - this.#countedAt) * perMs);
    this.#countedAt = now;
    if (this.#left < 1) return Math.ceil((1 - this.#left) / perMs / 1000);
    this.#left--;
    return 0;
  }

  /** Counts what a request has received: more than is left delays later requests, for a minute at most. */
  spend(bytes: number): void {
    const further = Math.floor(bytes / BYTES_OF_REQUEST);
    this.#left = Math.max(-this.#perMinute, this.#left - further);
  }
}
