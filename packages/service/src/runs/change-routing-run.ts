// Pauses, resumes or gives up a run.
import type { RoutingRunState, ValidationError } from '@landfall/contract';
import { transactOnFeeds } from '../feed/transact-on-feeds.js';
import type { DecisionContext } from '../routing/decision-context.js';
import { lockRun, updateRunState } from './queries.js';
import {
  etagOf,
  RunChangedError,
  RunNotFoundError,
  type Runs,
  type ShownRun,
  showRun,
} from './runs.js';

/** The state that somebody wants a run to have. */
export type RequestedState = Exclude<RoutingRunState, 'COMPLETED'>;

/** In which state it must be: any, or one with an entity tag for which the function returns `true`. */
export type RunPrecondition = 'any' | ((etag: string) => boolean);

const ACTIONS: Record<RequestedState, string> = {
  RUNNING: 'routing-run.resume',
  PAUSED: 'routing-run.pause',
  GIVEN_UP: 'routing-run.give-up',
};

/**
 * Changes the state of a run, after the transaction in which it decides now: afterwards, a run that does not go on decides
 * nothing more.
 *
 * @param precondition is not checked if the run has the state already: the response to the request that changed it may
 *   have been lost
 * @throws RunNotFoundError, RunChangedError
 */
export async function changeRoutingRun(
  { database, audit, clock, wake }: Runs,
  id: string,
  state: RequestedState,
  precondition: RunPrecondition,
  { at, organisation, clientId, requestId }: DecisionContext,
): Promise<{ run: ShownRun } | { errors: ValidationError[] }> {
  const changed = await transactOnFeeds(
    database,
    async (transaction) => {
      const [run] = await transaction.query(lockRun(id));
      if (run === undefined) throw new RunNotFoundError(id);
      if (run.state === state) return run;
      if (precondition !== 'any' && !precondition(etagOf(run.version))) {
        throw new RunChangedError(id);
      }
      if (run.state !== 'RUNNING' && run.state !== 'PAUSED') return run.state;
      const [row] = await transaction.query(updateRunState(id, state, undefined, at));
      if (row === undefined) throw new Error(`routing run ${id} was not updated`);
      await audit.record(transaction, {
        at: at ?? clock(),
        actor: { organisation, client: clientId },
        requestId,
        action: ACTIONS[state],
        details: { run: id },
      });
      return row;
    },
    'writes',
  );
  if (typeof changed === 'string') {
    const error = `must not be changed: the run is ${changed}`;
    return { errors: [{ field: 'state', error, code: 'RUN_STATE' }] };
  }
  if (state === 'RUNNING') wake();
  return { run: showRun(id, changed) };
}
