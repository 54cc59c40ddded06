// The decisions of a dataset: in advance in the pre-notification, changed before arrival, or none yet.
import type { DecisionLine, PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Random } from '../random.js';
import { riskOf } from './goods.js';
import type { Site } from './site.js';

/** Share of the decisions in advance that the authority changes before the goods arrive. */
const CHANGED = 0.03;

/** Share of the controls that take place after entry, at the destination. */
const AFTER_ENTRY = 0.2;

const reasons = [
  'selected at random',
  'the documents do not match',
  'the weight does not match the description',
] as const;

type Decision = Pick<PreNotifiedHouseConsignment, 'routing' | 'routingControlLocation'>;

/** The decision in advance; empty if there is none. Goods with a higher risk are controlled more often. */
export function decideInAdvance(
  random: Random,
  { decidedInAdvance, controlled }: Pick<Site, 'decidedInAdvance' | 'controlled'>,
  codes: readonly string[],
): Decision {
  if (!random.chance(decidedInAdvance)) return {};
  return random.chance(controlled * riskOf(codes)) ? control(random) : { routing: 'TO_ENTRY' };
}

/** Sometimes a line that changes the decision in advance. */
export function changeDecision(
  random: Random,
  mrn: string,
  { transportDocumentHouseLevel, routing }: PreNotifiedHouseConsignment,
): DecisionLine | undefined {
  if (routing === undefined || !random.chance(CHANGED)) return undefined;
  return {
    decision: {
      mrn,
      transportDocumentHouseLevel,
      ...(routing === 'TO_ENTRY'
        ? { ...control(random), reason: random.pick(reasons) }
        : { routing: 'TO_ENTRY', reason: 'the documents were checked' }),
    },
  };
}

function control(random: Random): Decision & { routing: 'TO_CONTROL' } {
  return {
    routing: 'TO_CONTROL',
    routingControlLocation: random.chance(AFTER_ENTRY) ? 'AFTER_ENTRY' : 'ON_ENTRY',
  };
}
