// Which results an installation has: two, or four (decision 0303).
import { type DecidedRouting, EXTENDED_ROUTINGS, type ValidationError } from '@landfall/contract';

/** `standard`: `TO_CONTROL` and `TO_ENTRY`; `extended`: also `ENTRY_PENDING` and `ENTRY_DENIED`. */
export type RoutingResults = 'standard' | 'extended';

const extended: readonly string[] = EXTENDED_ROUTINGS;

/** The errors of a decision whose result the installation does not have. */
export function checkResult(routing: DecidedRouting, results: RoutingResults): ValidationError[] {
  if (results === 'extended' || !extended.includes(routing)) return [];
  const error = `must be TO_CONTROL, TO_ENTRY or UNDECIDED: this installation has not switched on ${routing} (LANDFALL_ROUTING_RESULTS)`;
  return [{ field: 'routing', error, code: 'UNKNOWN_CODE' }];
}
