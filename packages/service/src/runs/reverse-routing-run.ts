// Creates a run that decides again what was decided before another one.
import type { NewRoutingRunReversal } from '@landfall/contract';
import { newId } from '../new-id.js';
import type { DecisionContext } from '../routing/decision-context.js';
import { selectReversible, selectRun } from './queries.js';
import { RunNotFoundError, type Runs } from './runs.js';
import { type StartedRun, startRun } from './start-run.js';

/**
 * Creates the reversal of a run that has ended, or previews it. Each house consignment is decided only if the decision of
 * that run is still the current one.
 *
 * @throws RunNotFoundError
 */
export async function reverseRoutingRun(
  runs: Runs,
  id: string,
  { reason, ...requested }: NewRoutingRunReversal,
  context: DecisionContext,
): Promise<StartedRun> {
  const [run] = await runs.database.query(selectRun(id));
  if (run === undefined) throw new RunNotFoundError(id);
  const isPreview = requested.preview === true;
  if (run.state !== 'COMPLETED' && run.state !== 'GIVEN_UP' && !isPreview) {
    const error = `the run is ${run.state}: wait for its end, or give it up`;
    return { errors: [{ field: '', error, code: 'RUN_STATE' }] };
  }
  const decided = await runs.database.query(selectReversible(id));
  if (decided.length === 0 && !isPreview) {
    const error = 'the run has not changed the routing of any house consignment';
    return { errors: [{ field: '', error, code: 'RUN_STATE' }] };
  }
  return startRun(
    runs,
    {
      id: newId(),
      selection: undefined,
      routing: undefined,
      routingControlLocation: undefined,
      reason,
      reverses: id,
    },
    decided.map(({ id: house, decision, routing, routingControlLocation, current }) => ({
      id: house,
      expected: decision,
      routing: routing ?? undefined,
      routingControlLocation: routingControlLocation ?? undefined,
      current,
    })),
    requested,
    context,
  );
}
