// At most some pieces of work at once, in turns of the organisations, and none that waits for ever.
import { FairQueue } from './fair-queue.js';

/** Its turn did not come in time, so the work was not begun. */
export class NoTurnError extends Error {
  readonly code = 'NO_TURN';
  override name = 'NoTurnError';
}

/** Work that needs much of what it uses, such as a scan. */
export class LimitedTurns {
  readonly #waiting = new FairQueue<number, () => void>();
  readonly #limit: number;
  readonly #maxWaitMs: number;
  #running = 0;

  /** @param limit how many run at once */
  constructor(limit: number, maxWaitMs: number) {
    this.#limit = limit;
    this.#maxWaitMs = maxWaitMs;
  }

  /** How many wait. Whoever waits holds what its work needs, so the limit of that is the limit of the queue. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws NoTurnError when its turn does not come in time */
  async take<Result>(organisation: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limit) this.#running++;
    else await this.#wait(organisation);
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = this.#waiting.take();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #wait(organisation: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.remove(organisation, begin);
        reject(new NoTurnError('too much of the same kind waits'));
      }, this.#maxWaitMs);
      this.#waiting.add(organisation, begin);
    });
  }
}
