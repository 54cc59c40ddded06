// The effects of the scenarios around movement declarations. What they change within the service is noted for the request.
import type { ScenarioOf } from '@landfall/contract';
import type { Effects } from './effect.js';

/** The scenarios that have held back a status, each of one request. */
const held = new WeakSet<ScenarioOf<'late-status'>>();

/** Whether a scenario holds back a status that was recorded at a time. */
export function holdsBack(
  scenario: ScenarioOf<'late-status'>,
  recordedAt: Date,
  now: Date,
): boolean {
  const isLate = now.getTime() < recordedAt.getTime() + scenario.foundAfter * 1000;
  if (isLate) held.add(scenario);
  return isLate;
}

export const movementEffects = {
  'late-status': {
    before: (scenario) => async () => held.has(scenario),
  },
} satisfies Partial<Effects>;
