// On which requests a scenario takes effect, and how long delays are: by chance, which a seed repeats.
import { createHash, randomInt } from 'node:crypto';
import { MAX_SEED, type Scenario } from '@landfall/contract';

/** A seed for a scenario that has none. */
export function drawSeed(): number {
  return randomInt(MAX_SEED);
}

/** The scenario with a seed, if chance decides anything of it. */
export function withSeed(scenario: Scenario): Scenario {
  const isByChance = scenario.percent !== undefined || jitterOf(scenario) > 0;
  return isByChance ? { ...scenario, seed: scenario.seed ?? drawSeed() } : scenario;
}

/**
 * Whether a scenario takes effect on a request.
 *
 * @param number how many requests to which it applies came before
 */
export function isAffected(
  { after = 0, percent = 100, seed = 0 }: Scenario,
  number: number,
): boolean {
  return number >= after && (percent === 100 || draw(seed, number, 'effect') * 100 < percent);
}

/** The scenario for one request: a delay with its jitter has its whole length. */
export function addJitter(scenario: Scenario, seed: number, number: number): Scenario {
  if (scenario.kind !== 'delay' || scenario.jitter === undefined) return scenario;
  const more = Math.floor(draw(seed, number, 'jitter') * (scenario.jitter + 1));
  return { ...scenario, milliseconds: scenario.milliseconds + more };
}

function jitterOf(scenario: Scenario): number {
  return scenario.kind === 'delay' ? (scenario.jitter ?? 0) : 0;
}

/** A number from 0 (inclusive) to 1 (exclusive), the same for the same values: requests in parallel draw independently. */
function draw(seed: number, number: number, what: string): number {
  const digest = createHash('sha256').update(`${seed} ${number} ${what}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}
