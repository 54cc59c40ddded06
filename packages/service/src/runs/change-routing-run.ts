// Confirms, pauses, resumes or gives up a run.
import type { RoutingRunState, ValidationError } from '@landfall/contract';
import { transactOnFeeds } from '../feed/transact-on-feeds.js';
import { clientKey, type DecisionContext } from '../routing/decision-context.js';
import { confirmRun, type LockedRunRow, lockRun, updateRunState } from './queries.js';
import {
  etagOf,
  RunChangedError,
  RunNotFoundError,
  type Runs,
  type ShownRun,
  showRun,
} from './runs.js';

/** The state that somebody wants a run to have. */
export type RequestedState = Exclude<RoutingRunState, 'PROPOSED' | 'COMPLETED'>;

const ACTIONS: Record<RequestedState, string> = {
  RUNNING: 'routing-run.resume',
  PAUSED: 'routing-run.pause',
  GIVEN_UP: 'routing-run.give-up',
};

/**
 * Changes the state of a run, after the transaction in which it decides now: afterwards, a run that does not go on decides
 * nothing more.
 *
 * @param isExpected whether an entity tag is that of the state that was read. It is not called if the run has the new state
 *   already: the response to the request that changed it may have been lost
 * @throws RunNotFoundError, RunChangedError
 */
export async function changeRoutingRun(
  { database, audit, clock, wake }: Runs,
  id: string,
  state: RequestedState,
  isExpected: (etag: string) => boolean,
  context: DecisionContext,
): Promise<{ run: ShownRun } | { errors: ValidationError[] }> {
  const { at, organisation, clientId, requestId } = context;
  const changed = await transactOnFeeds(
    database,
    async (transaction) => {
      const [run] = await transaction.query(lockRun(id));
      if (run === undefined) throw new RunNotFoundError(id);
      if (run.state === state) return run;
      if (!isExpected(etagOf(run.version))) throw new RunChangedError(id);
      const error = checkChange(run, state, context);
      if (error !== undefined) return { errors: [error] };
      const confirms = run.state === 'PROPOSED' && state === 'RUNNING';
      const [row] = await transaction.query(
        confirms ? confirmRun(id, context) : updateRunState(id, state, undefined, at),
      );
      if (row === undefined) throw new Error(`routing run ${id} was not updated`);
      await audit.record(transaction, {
        at: at ?? clock(),
        actor: { organisation, client: clientId },
        requestId,
        action: confirms ? 'routing-run.confirm' : ACTIONS[state],
        details: { run: id },
      });
      return row;
    },
    'writes',
  );
  if ('errors' in changed) return changed;
  if (state === 'RUNNING') wake();
  return { run: showRun(id, changed) };
}

/** Why the state of a run must not become another one; `undefined` if it may. */
function checkChange(
  run: LockedRunRow,
  state: RequestedState,
  { origin, clientId }: DecisionContext,
): ValidationError | undefined {
  const refuse = (error: string, code: 'RUN_STATE' | 'FOUR_EYES') => ({
    field: 'state',
    error,
    code,
  });
  if (run.state === 'PROPOSED') {
    if (state === 'GIVEN_UP') return undefined;
    if (state === 'PAUSED') {
      return refuse('must not be PAUSED: the run is PROPOSED, and decides nothing', 'RUN_STATE');
    }
    if (origin !== 'OFFICER') {
      return refuse('must be confirmed by an officer: this client is a system', 'FOUR_EYES');
    }
    // A person may work for several organisations, in the console with the same subject.
    return clientKey(run.clientId) === clientKey(clientId)
      ? refuse('must be confirmed by another officer than the one who created the run', 'FOUR_EYES')
      : undefined;
  }
  return run.state === 'RUNNING' || run.state === 'PAUSED'
    ? undefined
    : refuse(`must not be changed: the run is ${run.state}`, 'RUN_STATE');
}
