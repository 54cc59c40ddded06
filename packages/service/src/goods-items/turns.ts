// Long work in slices: whoever else waits for the event loop gets a turn in between.

/** How long work goes on before others get a turn, in milliseconds. */
const MAX_TURN_MS = 15;

/** One piece of work that goes on in turns. */
export class Turns {
  #begun = performance.now();

  /** Whether it is time for `next`. Asked between steps that take far less than a turn. */
  get over(): boolean {
    return performance.now() - this.#begun >= MAX_TURN_MS;
  }

  /** Lets everybody else have a turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#begun = performance.now();
  }
}
