// Reads the header that requests scenarios for one request: a structured field (RFC 9651, section 3.1).
import {
  type OperationId,
  readScenario,
  type Scenario,
  scenarioDuration,
  scenarioKind,
  scenarioSelection,
  type ValidationError,
} from '@landfall/contract';
import { ValidationFailedError } from '@landfall/service/assembly';
import { type BareItem, ParseError, parseList, Token } from 'structured-headers';

/** The name of the header. */
export const SCENARIO_HEADER = 'Landfall-Scenario';

/** Maximum length of the header, in characters. */
export const MAX_SCENARIO_HEADER = 4096;

/** Members that make no sense for one request. */
const OF_SEVERAL_REQUESTS: readonly string[] = [
  'operation',
  ...Object.keys(scenarioSelection),
  ...Object.keys(scenarioDuration),
];

/**
 * The scenarios of a header, such as `lost-response;committed=?0` or `delay;milliseconds=500, too-many-requests`. The
 * parameters are those of the kind in lower case, with hyphens: `retry-after` for `retryAfter`.
 *
 * @param operation the one that is called
 * @throws ValidationFailedError that names the header, the parameter and the rule
 */
export function readScenarioHeader(
  header: string | readonly string[] | undefined,
  operation: OperationId,
): Scenario[] {
  if (header === undefined) return [];
  const members = parse([header].flat().join(', '));
  if (members.length === 0) throw refuse('', 'must name a scenario');
  return members.map((member) => readMember(member, operation));
}

function parse(text: string): ReturnType<typeof parseList> {
  try {
    return parseList(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw refuse('', `must be a list of scenarios with parameters (RFC 9651): ${error.message}`);
  }
}

function readMember(
  [name, parameters]: ReturnType<typeof parse>[number],
  operation: OperationId,
): Scenario {
  if (!(name instanceof Token)) throw refuse('', 'must have the names of scenarios, as tokens');
  const scenario: Record<string, unknown> = { kind: name.toString() };
  for (const [key, value] of parameters) {
    if (OF_SEVERAL_REQUESTS.includes(key) || key === 'kind') {
      throw refuse(key, 'must be left out: the header applies to its own request');
    }
    scenario[toMember(key)] = toValue(value);
  }
  const read = readScenario(scenario);
  if ('errors' in read) {
    throw new ValidationFailedError(
      read.errors.map((error) => ({ ...error, field: fieldOf(toKey(error.field)) })),
    );
  }
  if (!scenarioKind(read.scenario.kind).operations.includes(operation)) {
    throw refuse('', `${read.scenario.kind} does not apply to ${operation}`);
  }
  return read.scenario;
}

function toMember(key: string): string {
  return key.replaceAll(/-([a-z])/g, (_found, letter: string) => letter.toUpperCase());
}

function toKey(member: string): string {
  return member === 'kind'
    ? ''
    : member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toValue(value: BareItem): unknown {
  return value instanceof Token ? value.toString() : value;
}

function fieldOf(parameter: string): string {
  return parameter === '' ? SCENARIO_HEADER : `${SCENARIO_HEADER}.${parameter}`;
}

function refuse(parameter: string, error: string): ValidationFailedError {
  const problem: ValidationError = { field: fieldOf(parameter), error, code: 'FORMAT' };
  return new ValidationFailedError([problem]);
}
