// Long work in slices: everything else that waits for the event loop runs between two of them.
import { FairQueue } from './fair-queue.js';

/** How long one slice takes, in milliseconds. */
const MAX_SLICE_MS = 5;

/** Characters that take about a millisecond to read as JSON. */
const LONG_TEXT = 16 * 1024;

/** Work that waits for its next slice, by whom it is for. */
const waiting = new FairQueue<number, () => void>();

/** Resumes one piece of work in each turn of the event loop, however much there is. */
function resumeOne(): void {
  waiting.take()?.();
  if (waiting.size > 0) setImmediate(resumeOne);
}

/** One piece of long work. */
export class Turns {
  readonly #owner: number;
  #sliceStart = performance.now();

  /** @param owner whom the work is for, such as an organisation: the work of one does not delay that of others */
  constructor(owner = 0) {
    this.#owner = owner;
  }

  /** Whether it is time for `next`. Check it between steps that take far less than a slice. */
  get over(): boolean {
    return performance.now() - this.#sliceStart >= MAX_SLICE_MS;
  }

  /** Whether it is time for `next` before a text of so many characters is read: a long one has a slice of its own. */
  isOverBefore(characters: number): boolean {
    return this.over || characters > LONG_TEXT;
  }

  /** Resolves when the next slice may begin. Works that begin in the same turn of the event loop begin with it, too. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.size === 0) setImmediate(resumeOne);
      waiting.add(this.#owner, resolve);
    });
    this.#sliceStart = performance.now();
  }
}
