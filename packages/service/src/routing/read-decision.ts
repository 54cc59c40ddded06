// Reads a decision, or reports the rules that it breaks. Pure: no database.
import { compileCheck, RoutingDecision, type ValidationError } from '@landfall/contract';
import { checkResult, type RoutingResults } from './routing-results.js';

/** A decision, or every rule that it breaks. */
export type ReadDecision = { decision: RoutingDecision } | { errors: readonly ValidationError[] };

const check = compileCheck<RoutingDecision>(RoutingDecision, { refuseUnknown: true });

/** Reads one decision. */
export function readDecision(value: unknown, results: RoutingResults): ReadDecision {
  const checked = check(value);
  if (!checked.valid) return { errors: checked.errors };
  const errors = checkResult(checked.value.routing, results);
  return errors.length === 0 ? { decision: checked.value } : { errors };
}
