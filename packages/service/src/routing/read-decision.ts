// Reads a decision, or reports the rules that it breaks. Pure: no database.
import { compileCheck, RoutingDecision, type ValidationError } from '@landfall/contract';

/** A decision, or every rule that it breaks. */
export type ReadDecision = { decision: RoutingDecision } | { errors: readonly ValidationError[] };

const check = compileCheck<RoutingDecision>(RoutingDecision);

/** Reads one decision. Wire contract, section 7. */
export function readDecision(value: unknown): ReadDecision {
  const checked = check(value);
  if (!checked.valid) return { errors: checked.errors };
  const { routing, routingControlLocation } = checked.value;
  if (routing !== 'TO_CONTROL' && routingControlLocation !== undefined) {
    return { errors: [locationWithoutControl('routingControlLocation')] };
  }
  return { decision: checked.value };
}

/** A location is only allowed with a control. */
export function locationWithoutControl(field: string): ValidationError {
  return { field, error: 'must be left out unless routing is TO_CONTROL', code: 'FORMAT' };
}
