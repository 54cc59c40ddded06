// Reads a scenario and reports every rule that it breaks.
import type { ValidationError } from '../errors.js';
import { isObject } from '../is-object.js';
import { type Check, compileCheck } from '../validation.js';
import { type Scenario, type ScenarioKind, scenarioKindNames, scenarioSchema } from './scenario.js';

/** A scenario, or the rules that it breaks. */
export type ReadScenario = { scenario: Scenario } | { errors: ValidationError[] };

/** Compiled on their first use. */
const checks = new Map<ScenarioKind, Check<Scenario>>();

/**
 * Reads a scenario.
 *
 * @example
 * readScenario({ kind: 'delay', milliseconds: 500, times: 3 });
 */
export function readScenario(value: unknown): ReadScenario {
  if (!isObject(value)) return refuse('', 'must be an object', 'FORMAT');
  const { kind } = value;
  if (kind === undefined || kind === null) return refuse('kind', 'must not be null', 'REQUIRED');
  const known = scenarioKindNames.find((name) => name === kind);
  if (known === undefined) {
    return refuse('kind', `must be one of [${scenarioKindNames.join(', ')}]`, 'UNKNOWN_CODE');
  }
  const checked = checkOf(known)(value);
  return checked.valid ? { scenario: checked.value } : { errors: checked.errors };
}

function checkOf(kind: ScenarioKind): Check<Scenario> {
  const check = checks.get(kind) ?? compileCheck<Scenario>(scenarioSchema(kind));
  checks.set(kind, check);
  return check;
}

function refuse(field: string, error: string, code: ValidationError['code']): ReadScenario {
  return { errors: [{ field, error, code }] };
}
