// Creates a run: selects its house consignments, and fixes the list.
import {
  MAX_REPORTED_ERRORS,
  type NewRoutingRun,
  type RoutingRunSelection,
  RUN_EXAMINED,
  RUN_SIZE,
  type ValidationError,
} from '@landfall/contract';
import {
  type Selection,
  selectHouseConsignments,
} from '../consignments/select-house-consignments.js';
import { newId } from '../new-id.js';
import type { DecisionContext } from '../routing/decision-context.js';
import { checkResult } from '../routing/routing-results.js';
import type { Runs } from './runs.js';
import { type StartedRun, startRun } from './start-run.js';

const LIMITS = { found: RUN_SIZE, examined: RUN_EXAMINED };

/** Creates a run, or previews it. Each house consignment is decided only if its current decision is still the one of now. */
export async function createRoutingRun(
  runs: Runs,
  { select, routing, routingControlLocation, reason, ...requested }: NewRoutingRun,
  context: DecisionContext,
): Promise<StartedRun> {
  const refused = checkResult(routing, runs.results);
  if (refused.length > 0) return { errors: refused };
  const { houseConsignmentIds, ...filters } = select;
  // Written in capitals, an id is the same.
  const ids = houseConsignmentIds && [
    ...new Set(houseConsignmentIds.map((id) => id.toLowerCase())),
  ];
  const selection = await selectHouseConsignments(runs.database, { ...filters, ids }, LIMITS);
  const errors = checkSelection(selection, select, requested.preview === true);
  if (typeof selection === 'string' || errors.length > 0) return { errors };
  return startRun(
    runs,
    {
      id: newId(),
      // The rows of the run have its ids.
      selection: JSON.stringify(filters),
      routing,
      routingControlLocation,
      reason,
      reverses: undefined,
    },
    selection.map(([id, expected, current]) => ({ id, expected, current })),
    requested,
    context,
  );
}

function checkSelection(
  selection: Selection,
  { houseConsignmentIds = [] }: RoutingRunSelection,
  isPreview: boolean,
): ValidationError[] {
  const number = (count: number) => count.toLocaleString('en-GB');
  if (selection === 'TOO_WIDE') {
    const error = `would examine more than ${number(RUN_EXAMINED)} house consignments: add a document, mrn, or from and to`;
    return [{ field: 'select', error, code: 'SIZE' }];
  }
  if (selection === 'TOO_MANY') {
    const error = `has more than ${number(RUN_SIZE)} house consignments: select fewer, and make several runs`;
    return [{ field: 'select', error, code: 'SIZE' }];
  }
  const found = new Set(selection.map(([id]) => id));
  const missing = houseConsignmentIds.flatMap((id, index): ValidationError[] =>
    found.has(id.toLowerCase())
      ? []
      : [
          {
            field: `select.houseConsignmentIds.${index}`,
            error:
              'is not the id of a house consignment that is pre-notified and matches the filters',
            code: 'REFERENCE_NOT_FOUND',
          },
        ],
  );
  if (missing.length > 0) return missing.slice(0, MAX_REPORTED_ERRORS + 1);
  return selection.length === 0 && !isPreview
    ? [{ field: 'select', error: 'has no house consignments', code: 'SIZE' }]
    : [];
}
