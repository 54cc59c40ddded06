// How many callers of control addresses may wait at once: each holds a connection, and looks at each recorded request.
import { HttpError } from '@landfall/service/assembly';

/** How many may wait in a playground or in one of its spaces. */
export const MAX_WAITS = 50;

/** How many may wait in a playground and all of its spaces together. */
export const MAX_WAITS_IN_ALL = 200;

/** Counts the callers that wait. */
export class Waits {
  readonly #max: number;
  readonly #place: string;
  readonly #all: Waits | undefined;
  #count = 0;

  /**
   * @param place in which they wait, for the error
   * @param all those of which these are a part
   */
  constructor(max: number, place: string, all?: Waits) {
    this.#max = max;
    this.#place = place;
    this.#all = all;
  }

  /**
   * Waits for the end of what is begun.
   *
   * @throws HttpError 429 when too many wait already
   */
  async during<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (this.#count >= this.#max) {
      throw new HttpError(
        429,
        `There are already ${this.#max} verifications that wait ${this.#place}: send it again when one has ended, or without within`,
        { 'Retry-After': '1' },
      );
    }
    this.#count++;
    try {
      return await (this.#all === undefined ? begin() : this.#all.during(begin));
    } finally {
      this.#count--;
    }
  }
}
