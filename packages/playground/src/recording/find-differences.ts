// Compares a recorded request with what a test expects.
import type { Exchange, RecordedBody } from './exchange.js';
import type { Expectation } from './expectation.js';

/** A member that is not as expected, such as `body.items[0].number`. */
export type Difference = { member: string; expected: unknown; actual: unknown };

/** At most so many differences are found in a request. */
const MAX_DIFFERENCES = 100;

/** What differs; none if the request is as expected. */
export function findDifferences(exchange: Exchange, expected: Expectation): Difference[] {
  const differences: Difference[] = [];
  const compare = (member: string, wanted: unknown, actual: unknown) => {
    if (wanted !== undefined && wanted !== actual) {
      differences.push({ member, expected: wanted, actual });
    }
  };
  compare('operation', expected.operation, exchange.operation);
  compare('method', expected.method, exchange.method);
  compare('path', expected.path, exchange.url.split('?', 1)[0]);
  compare('identity', expected.identity, exchange.identity?.name);
  compare('client', expected.client, exchange.identity?.client);
  compare('organisation', expected.organisation, exchange.identity?.organisation);
  compare('status', expected.status, exchange.response?.status);
  if (expected.scenario !== undefined) {
    const kinds = (exchange.scenarios ?? []).map(({ kind }) => kind);
    compare(
      'scenario',
      expected.scenario,
      kinds.find((kind) => kind === expected.scenario) ?? kinds[0],
    );
  }
  if (expected.body !== undefined) {
    const actual = readBody(exchange.request.body, typeof expected.body === 'string');
    compareValue('body', expected.body, actual, differences);
  }
  return differences;
}

function readBody(body: RecordedBody | undefined, asText: boolean): unknown {
  if (body === undefined || asText) return body?.text;
  try {
    return JSON.parse(body.text);
  } catch {
    return body.text;
  }
}

/** Of an object the expected members, of an array exactly the expected items. */
function compareValue(
  member: string,
  expected: unknown,
  actual: unknown,
  differences: Difference[],
): void {
  if (differences.length >= MAX_DIFFERENCES || Object.is(expected, actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) {
      compareValue(`${member}[${index}]`, item, actual[index], differences);
    }
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const [name, value] of Object.entries(expected)) {
      const found = Object.hasOwn(actual, name) ? actual[name] : undefined;
      compareValue(`${member}.${name}`, value, found, differences);
    }
  } else {
    differences.push({ member, expected, actual });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
