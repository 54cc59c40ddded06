// Choices with unequal shares.
import type { Random } from './random.js';

/** Picks one of the choices, each with its share. */
export type Picker<Choice> = (random: Random) => Choice;

/**
 * Makes a picker of choices with weights.
 *
 * @param weighted each choice with its weight, greater than 0; the sum is arbitrary
 */
export function pickByWeight<Choice>(
  weighted: readonly (readonly [Choice, number])[],
): Picker<Choice> {
  let sum = 0;
  const ends = weighted.map(([choice, weight]) => {
    sum += weight;
    return { choice, end: sum };
  });
  return (random) => {
    const at = random.fraction() * sum;
    const found = ends.find(({ end }) => at < end) ?? ends.at(-1);
    if (found === undefined) throw new RangeError('there are no choices');
    return found.choice;
  };
}

/** Makes a picker in which the choice of rank n, from 1, has a share proportional to 1/n (Zipf's law). */
export function pickByRank<Choice>(ranked: readonly Choice[]): Picker<Choice> {
  return pickByWeight(ranked.map((choice, index) => [choice, 1 / (index + 1)] as const));
}

/**
 * A whole number from `min` to `max` of which small ones are more likely.
 *
 * @param skew 1: all are equally likely; 3: half of the numbers are in the first eighth of the range
 */
export function skewedInteger(random: Random, min: number, max: number, skew: number): number {
  return min + Math.floor((max - min + 1) * random.fraction() ** skew);
}
