// Requests begin in slices: however many arrive at once, everything else that waits for the event loop runs between two
// slices, and addresses take turns.
import { FairQueue } from '../fair-queue.js';

/** How long requests may begin in one turn of the event loop, in milliseconds; then the others wait for the next one. */
const MAX_SLICE_MS = 5;

/**
 * The requests of one server that are to begin. A server accepts one connection in each turn of the event loop, so a turn
 * that lasts long keeps new clients waiting for longer than the requests take.
 */
export class RequestTurns {
  readonly #waiting = new FairQueue<string, () => void>();
  /** When the first request of this turn of the event loop began; `undefined` before it. */
  #sliceStart: number | undefined;

  /** Begins a request now, or in a later turn if there are many. @param address who sends it */
  begin(address: string, request: () => void): void {
    if (this.#sliceStart === undefined) {
      this.#sliceStart = performance.now();
      setImmediate(this.#beginNext);
    }
    if (this.#waiting.size > 0 || this.#isOver(this.#sliceStart)) {
      this.#waiting.add(address, request);
    } else request();
  }

  readonly #beginNext = (): void => {
    const start = performance.now();
    while (this.#waiting.size > 0 && !this.#isOver(start)) this.#waiting.take()?.();
    this.#sliceStart = undefined;
    if (this.#waiting.size === 0) return;
    // What arrives before the next turn joins those that wait.
    this.#sliceStart = start;
    setImmediate(this.#beginNext);
  };

  #isOver(start: number): boolean {
    return performance.now() - start >= MAX_SLICE_MS;
  }
}
