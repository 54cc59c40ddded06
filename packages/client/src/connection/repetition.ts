// Notices that what must always be new comes again, such as the next page of a list, with little memory.
import { UnexpectedResponseError } from '../errors/landfall-error.js';

/** The places that a reader has come to, of which none may come again. It remembers one of them (Brent's algorithm). */
export class Repetition {
  readonly #what: string;
  #remembered: string | undefined;
  #count = 0;

  /** @param what is repeated, as the error says it */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * Notes a place. A cycle is noticed at the latest in its third round.
   *
   * @throws UnexpectedResponseError when it was the remembered one; the place is not noted then
   */
  add(place: string): void {
    if (place === this.#remembered) {
      throw new UnexpectedResponseError(`${this.#what}: what has been read would be read again`);
    }
    this.#count += 1;
    // At each power of two.
    if ((this.#count & (this.#count - 1)) === 0) this.#remembered = place;
  }
}
