// At most some pieces of work at once, in turns of the organisations, and none that waits for ever.
import { FairQueue } from './fair-queue.js';
import { KeyCounts } from './key-counts.js';

/** Its turn did not come in time, so the work was not begun. */
export class NoTurnError extends Error {
  readonly code = 'NO_TURN';
  override name = 'NoTurnError';
}

/** Work that needs much of what it uses, such as a scan. */
export class LimitedTurns {
  readonly #waiting = new FairQueue<number, () => void>();
  readonly #limit: number;
  readonly #limitOfEach: number;
  readonly #maxWaitMs: number;
  readonly #runningOf = new KeyCounts<number>();
  #running = 0;

  /**
   * @param limit how many run at once
   * @param limitOfEach how many of one organisation, so that slow work of one leaves places to others
   */
  constructor(limit: number, maxWaitMs: number, limitOfEach = limit) {
    this.#limit = limit;
    this.#maxWaitMs = maxWaitMs;
    this.#limitOfEach = limitOfEach;
  }

  /** How many wait. Whoever waits holds what its work needs, so the limit of that is the limit of the queue. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws NoTurnError when its turn does not come in time */
  async take<Result>(organisation: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limit && this.#mayRun(organisation)) this.#begin(organisation);
    else await this.#wait(organisation);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#runningOf.remove(organisation);
      this.#waiting.take((other) => this.#mayRun(other))?.();
    }
  }

  #mayRun(organisation: number): boolean {
    return this.#runningOf.of(organisation) < this.#limitOfEach;
  }

  #begin(organisation: number): void {
    this.#running++;
    this.#runningOf.add(organisation);
  }

  #wait(organisation: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.#begin(organisation);
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
