// Pseudo-random choices that a seed repeats.

/** Numbers of mulberry32: the same seed gives the same ones on every machine. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, the count. */
  below(count) {
    return Math.floor(this.fraction() * count);
  }

  chance(probability) {
    return this.fraction() < probability;
  }

  /** One of the elements. */
  pick(elements) {
    return elements[this.below(elements.length)];
  }

  /** One of the elements, in proportion to its weight. */
  pickWeighted(elements) {
    let left = this.fraction() * elements.reduce((sum, { weight }) => sum + weight, 0);
    for (const element of elements) {
      left -= element.weight;
      if (left < 0) return element;
    }
    return elements[0];
  }

  /** A UUID of version 4. */
  uuid() {
    const digits = Array.from({ length: 32 }, () => this.below(16).toString(16));
    digits[12] = '4';
    digits[16] = '8';
    return [8, 4, 4, 4, 12].map((length) => digits.splice(0, length).join('')).join('-');
  }
}
