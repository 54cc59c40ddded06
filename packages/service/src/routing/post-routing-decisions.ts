// Records decisions on where house consignments go.
import {
  type RoutingDecisionResult,
  referenceError,
  type ValidationError,
} from '@landfall/contract';
import { heldError } from '../feed/commit-apart.js';
import type { DecisionCommits } from './commit-decisions.js';
import type { CurrentRow, DecisionResult, Problem } from './compare-decisions.js';
import type { DecisionContext } from './decision-context.js';
import type { ReadDecision } from './read-decision.js';

/** The result of a decision, without its line. */
export type DecisionOutcome = Omit<RoutingDecisionResult, 'line'>;

/**
 * Records a block of decisions in one transaction and returns the outcome of each, in order. A decision that changes
 * the current routing issues a signal to every organisation connected to the house consignment. Repeating a decision
 * with its decisionId writes nothing. The signals are readable when it resolves.
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
  const rows = await commits.commitApart({ decisions, context, onlyUndecided: false });
  const next = rows.values();
  return read.map((one) =>
    'decision' in one ? toOutcome(next.next().value ?? 'held') : refused(one.errors),
  );
}

function toOutcome(result: DecisionResult | 'held'): DecisionOutcome {
  if (result === 'held') return refused([heldError]);
  if (result.status === 'REFUSED') return refused([toError(result.problem)]);
  const { status, house: houseConsignmentId } = result;
  if (status === 'CONFLICT') {
    return { status, houseConsignmentId, ...(result.current && { current: view(result.current) }) };
  }
  const { number, signals } = result;
  return { status, houseConsignmentId, ...(number !== undefined && { number }), signals };
}

function view({
  number,
  routing,
  routingControlLocation: location,
  origin,
  decidedAt,
}: CurrentRow) {
  return {
    number,
    routing,
    ...(location && { routingControlLocation: location }),
    origin,
    decidedAt,
  };
}

function toError(problem: Problem): ValidationError {
  if (problem === 'DECISION_ID_REUSED') {
    const error = 'has been used by this organisation for another decision';
    return { field: 'decisionId', error, code: problem };
  }
  if (problem === 'RELEASED') {
    const error = 'must not be UNDECIDED: the goods are presented and TO_ENTRY';
    return { field: 'routing', error, code: problem };
  }
  if (problem === 'FOUR_EYES') {
    const error =
      'must not be decided alone: the goods are TO_CONTROL or ENTRY_DENIED. Create a routing run, which another officer confirms';
    return { field: 'routing', error, code: problem };
  }
  return referenceError('house-consignment', problem);
}

function refused(errors: readonly ValidationError[]): DecisionOutcome {
  return { status: 'REFUSED', validationErrors: [...errors] };
}
