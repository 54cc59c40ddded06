// Pseudo-random choices, which are the same for the same seed.
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A source of choices. The same seed and the same calls give the same results. */
export type Random = {
  /** An integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean;
  /** One of the choices, all equally likely. */
  pick<Choice>(choices: readonly [Choice, ...Choice[]] | readonly Choice[]): Choice;
  /** This many decimal digits; the first may be 0. */
  digits(count: number): string;
  /** A UUID v4, in lower case. */
  uuid(): string;
};

/** @param seed integer */
export function makeRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const integer = (min: number, max: number) => uniformInt(generator, min, max);
  const fraction = () => uniformFloat64(generator);
  /** Eight hexadecimal digits. */
  const word = () => integer(0, 0xffff_ffff).toString(16).padStart(8, '0');
  return {
    integer,
    fraction,
    chance: (probability) => fraction() < probability,
    pick: (choices) => {
      const choice = choices[integer(0, choices.length - 1)];
      if (choice === undefined) throw new RangeError('there are no choices');
      return choice;
    },
    digits: (count) => Array.from({ length: count }, () => integer(0, 9)).join(''),
    uuid: () => {
      const [a, b, c] = [word(), word(), word()];
      const variant = '89ab'[integer(0, 3)];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${word()}`;
    },
  };
}
