// How many callers of control addresses may wait at once: each holds a connection, and looks at each recorded request.
import { HttpError } from '@landfall/service/assembly';

/** How many may wait in a playground or in one of its spaces. */
export const MAX_WAITS = 50;

/** How many may wait in a playground and all of its spaces together, besides the first ones of each. */
export const MAX_WAITS_IN_ALL = 200;

/** The first ones of each place are always admitted: nobody waits for a place that others have taken. */
export const OWN_WAITS = 5;

/** Counts the callers that wait. */
export class Waits {
  readonly #max: number;
  readonly #place: string;
  readonly #all: Waits | undefined;
  readonly #own: number;
  #count = 0;

  /**
   * @param place in which they wait, for the error
   * @param all those of which these are a part
   * @param own how many do not count among all
   */
  constructor(max: number, place: string, all?: Waits, own = 0) {
    this.#max = max;
    this.#place = place;
    this.#all = all;
    this.#own = own;
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
    const isOwn = this.#count < this.#own;
    this.#count++;
    try {
      return await (isOwn || this.#all === undefined ? begin() : this.#all.during(begin));
    } finally {
      this.#count--;
    }
  }
}
