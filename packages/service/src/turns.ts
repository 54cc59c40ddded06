// Long work in slices: everything else that waits for the event loop runs between two of them.

/** How long one slice takes, in milliseconds. */
const MAX_SLICE_MS = 5;

/** Work that waits for its next slice, by whom it is for. The first one has the next turn, and is the last one then. */
const waiting = new Map<number, (() => void)[]>();

/** Resumes one piece of work in each turn of the event loop, however much there is. */
function resumeOne(): void {
  const [next] = waiting;
  if (next === undefined) return;
  const [owner, works] = next;
  waiting.delete(owner);
  const work = works.shift();
  if (works.length > 0) waiting.set(owner, works);
  work?.();
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

  /** Resolves when the next slice may begin. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      const works = waiting.get(this.#owner);
      if (works === undefined) {
        if (waiting.size === 0) setImmediate(resumeOne);
        waiting.set(this.#owner, [resolve]);
      } else works.push(resolve);
    });
    this.#sliceStart = performance.now();
  }
}
