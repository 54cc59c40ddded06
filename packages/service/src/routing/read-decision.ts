// Reads a decision, or reports the rules that it breaks. Pure: no database.
import { compileCheck, RoutingDecision, type ValidationError } from '@landfall/contract';

/** A decision, or every rule that it breaks. */
export type ReadDecision = { decision: RoutingDecision } | { errors: readonly ValidationError[] };

const check = compileCheck<RoutingDecision>(RoutingDecision, { refuseUnknown: true });

/** Reads one decision. */
export function readDecision(value: unknown): ReadDecision {
  const checked = check(value);
  return checked.valid ? { decision: checked.value } : { errors: checked.errors };
}
