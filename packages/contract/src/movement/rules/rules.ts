// The one list of the rules of movement messages: the service, the command and the reference use it and nothing else.
import type { MovementMessageName } from '../levels.js';
import type { ModeName } from '../modes.js';
import { atOnceRules } from './at-once.js';
import { codeRules } from './codes.js';
import { completenessRules } from './completeness.js';
import { houseConsignmentRules } from './house-consignment.js';
import { keyRules } from './keys.js';
import { placeAndTransportRules } from './places-and-transport.js';
import { relationRules } from './relation.js';
import type { Rule } from './rule.js';

/** Every rule, by phase. */
export const movementRules: readonly Rule[] = [
  ...atOnceRules,
  ...codeRules,
  ...placeAndTransportRules,
  ...houseConsignmentRules,
  ...relationRules,
  ...keyRules,
  ...completenessRules,
];

/** Whether a rule is for a level in a mode. */
export function appliesTo(
  { levels, modes }: Pick<Rule, 'levels' | 'modes'>,
  level: MovementMessageName,
  mode: ModeName,
): boolean {
  return levels.includes(level) && (modes?.includes(mode) ?? true);
}
