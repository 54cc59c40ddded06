// The run that decides on exactly the list that was shown.
import type {
  HouseConsignment,
  ListHouseConsignmentsQuery,
  NewRoutingRun,
  RoutingRunPreview,
} from '@landfall/client';
import type { CommonDecision } from './plan-decisions.js';

/**
 * Selects by the ids of the list, so that nothing is decided that matches later, and by the filters, so that the run says
 * why, and is refused when some of the list do not match any more.
 */
export function makeRun(
  consignments: readonly HouseConsignment[],
  filters: ListHouseConsignmentsQuery,
  { routing, routingControlLocation }: CommonDecision,
  reason: string,
): NewRoutingRun {
  return {
    // The cast is true because the filters have no other states than those of a run.
    select: {
      ...(filters as NewRoutingRun['select']),
      houseConsignmentIds: consignments.map(({ id }) => id),
    },
    routing,
    ...(routingControlLocation !== undefined && { routingControlLocation }),
    reason: reason.trim(),
    expectedCount: consignments.length,
  };
}

/** Whether a preview has the decisions of the list: somebody may have decided since it was made. */
export function isAsListed(
  consignments: readonly HouseConsignment[],
  { count, undecided, toControl, toEntry, entryPending = 0, entryDenied = 0 }: RoutingRunPreview,
): boolean {
  const listed = (routing: HouseConsignment['routing']) =>
    consignments.filter((one) => one.routing === routing).length;
  return (
    count === consignments.length &&
    undecided === listed(undefined) &&
    toControl === listed('TO_CONTROL') &&
    toEntry === listed('TO_ENTRY') &&
    entryPending === listed('ENTRY_PENDING') &&
    entryDenied === listed('ENTRY_DENIED')
  );
}
