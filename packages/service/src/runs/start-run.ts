// Previews a run, or stores it: what creating and reversing a run have in common.
import { type NewRoutingRunReversal, PREVIEWED, type ValidationError } from '@landfall/contract';
import type { DecisionContext } from '../routing/decision-context.js';
import { isRelease } from '../routing/decision-rules.js';
import { insertRun, type NewItem, type RunDescription } from './queries.js';
import { countRoutings, type FourEyes, type Runs, type ShownRun, showRun } from './runs.js';

/** A house consignment of a run that is requested, with its routing now. */
export type RequestedItem = NewItem & { current: string | null };

/** A preview as JSON text, the run that was created, or why it was not. */
export type StartedRun = { preview: string } | { run: ShownRun } | { errors: ValidationError[] };

/** Stores a run with all its house consignments, in one transaction; the job then carries it out. */
export async function startRun(
  runs: Runs,
  run: Omit<RunDescription, 'needsConfirmation'>,
  items: readonly RequestedItem[],
  { preview, expectedCount }: Pick<NewRoutingRunReversal, 'preview' | 'expectedCount'>,
  context: DecisionContext,
): Promise<StartedRun> {
  const needsConfirmation = mustBeConfirmed(runs.fourEyes, run, items);
  if (preview === true) return { preview: await makePreview(runs, items, needsConfirmation) };
  if (expectedCount !== undefined && expectedCount !== items.length) {
    const error = `is not ${items.length}, as many as there are now: nothing was changed`;
    return { errors: [{ field: 'expectedCount', error, code: 'COUNT_DIFFERS' }] };
  }
  const { database, audit, clock, wake } = runs;
  const created = await database.transact(async (transaction) => {
    const [row] = await transaction.query(insertRun({ ...run, needsConfirmation }, items, context));
    if (row === undefined) throw new Error('a routing run was not stored');
    const { organisation, clientId, requestId } = context;
    const { id, selection, reverses } = run;
    await audit.record(transaction, {
      at: context.at ?? clock(),
      actor: { organisation, client: clientId },
      requestId,
      action: 'routing-run.create',
      details: {
        run: id,
        ...(selection !== undefined && { select: JSON.parse(selection) }),
        ...(reverses !== undefined && { reverses }),
        houseConsignments: items.length,
        ...(needsConfirmation && { needsConfirmation }),
      },
    });
    return row;
  }, 'writes');
  wake();
  return { run: showRun(run.id, created) };
}

/** Whether another officer has to confirm the run. */
function mustBeConfirmed(
  { release, runSize }: FourEyes,
  run: Pick<RunDescription, 'routing' | 'routingControlLocation'>,
  items: readonly RequestedItem[],
): boolean {
  if (runSize > 0 && items.length >= runSize) return true;
  // What is not known any more is refused.
  return (
    release &&
    items.some((item) => {
      const { routing, routingControlLocation } = run.routing === undefined ? item : run;
      return routing !== undefined && isRelease(item.current, { routing, routingControlLocation });
    })
  );
}

async function makePreview(
  runs: Runs,
  items: readonly RequestedItem[],
  needsConfirmation: boolean,
): Promise<string> {
  const counts = JSON.stringify({
    ...countRoutings(items.map(({ current }) => current)),
    needsConfirmation,
  });
  const first = items.slice(0, PREVIEWED).map(({ id }) => id);
  const shown = first.length === 0 ? '[]' : await runs.readHouseConsignments(first);
  return `${counts.slice(0, -1)},"houseConsignments":${shown}}`;
}
