// Records decisions on where house consignments go.
import {
  type RoutingDecisionResult,
  referenceError,
  type ValidationError,
} from '@landfall/contract';
import type { DecisionCommits } from './commit-decisions.js';
import type { DecisionResult } from './compare-decisions.js';
import type { DecisionContext } from './decision-context.js';
import type { ReadDecision } from './read-decision.js';

/** The result of a decision, without its line. */
export type DecisionOutcome = Omit<RoutingDecisionResult, 'line'>;

/**
 * Records a block of decisions in one transaction and returns the outcome of each, in order. A decision that changes
 * the current one issues a signal to every organisation connected to the house consignment. Repeating a decision
 * writes nothing. The signals are readable when it resolves.
 *
 * @param read at most MAX_DECISIONS_PER_BLOCK; the outcome of an invalid one is its errors
 * @throws DatabaseUnavailableError when the commit failed or its outcome is unknown
 */
export async function postRoutingDecisions(
  commits: DecisionCommits,
  read: readonly ReadDecision[],
  context: DecisionContext,
): Promise<DecisionOutcome[]> {
  const decisions = read.flatMap((one) => ('decision' in one ? one.decision : []));
  const rows = await commits.commit({ decisions, context, onlyUndecided: false });
  const next = rows.values();
  return read.map((one) =>
    'decision' in one ? toOutcome(next.next().value) : refused(one.errors),
  );
}

function toOutcome(row: DecisionResult | undefined): DecisionOutcome {
  if (row === undefined) throw new Error('a block gave fewer outcomes than decisions');
  const { houses, house, changed, signals } = row;
  if (house === null) {
    const problem = houses === 0 ? 'REFERENCE_NOT_FOUND' : 'REFERENCE_AMBIGUOUS';
    return refused([referenceError('house-consignment', problem)]);
  }
  return { status: changed ? 'DECIDED' : 'UNCHANGED', houseConsignmentId: house, signals };
}

function refused(errors: readonly ValidationError[]): DecisionOutcome {
  return { status: 'REFUSED', validationErrors: [...errors] };
}
