// Which cases of a generated list a run tests. `npm test` and CI draw a few of each long list, others in every run;
// `npm test -- --all`, and a run of files that are named, test every case.
import { createHash } from 'node:crypto';

/** The environment variable with the seed of the run; without it every case is tested. `scripts/test.js` sets it. */
const DRAW_SEED = 'LANDFALL_TEST_DRAW';

/**
 * The cases that this run tests: at most `count` of them in their order, the same for the same seed, or all of them.
 *
 * @param list what the cases are, so that lists of one length do not draw alike
 */
export function drawCases<Case>(
  list: string,
  cases: readonly Case[],
  count: number,
): readonly Case[] {
  return drawBySeed(process.env[DRAW_SEED], list, cases, count);
}

export function drawBySeed<Case>(
  seed: string | undefined,
  list: string,
  cases: readonly Case[],
  count: number,
): readonly Case[] {
  if (seed === undefined || cases.length <= count) return cases;
  const numbered = cases.map((_, index) => ({ index, number: draw(`${seed}\n${list}\n${index}`) }));
  const drawn = numbered.toSorted((one, other) => one.number - other.number).slice(0, count);
  const indexes = new Set(drawn.map(({ index }) => index));
  return cases.filter((_, index) => indexes.has(index));
}

function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

/** Whether this run draws cases: what lasts for a number of seconds or repetitions is shorter then. */
export const isDrawn = process.env[DRAW_SEED] !== undefined;
