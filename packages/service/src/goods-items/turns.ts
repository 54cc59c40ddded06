// Long work in slices: everything else that waits for the event loop runs between two of them.

/** How long one slice takes, in milliseconds. */
const MAX_SLICE_MS = 5;

/** Work that waits for its next slice. One is resumed in each turn of the event loop, however much work there is. */
const waiting: (() => void)[] = [];

function resumeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}

/** One piece of long work. */
export class Turns {
  #sliceStart = performance.now();

  /** Whether it is time for `next`. Check it between steps that take far less than a slice. */
  get over(): boolean {
    return performance.now() - this.#sliceStart >= MAX_SLICE_MS;
  }

  /** Resolves when the next slice may begin. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(resumeOne);
    });
    this.#sliceStart = performance.now();
  }
}
