// What cases expect of responses. Each function throws `NotMetError` with a sentence for people.
import { isDeepStrictEqual } from 'node:util';
import {
  compileCheck,
  isObject,
  OAuthError,
  Problem,
  type ProblemStatus,
  type ValidationErrorCode,
} from '@landfall/contract';
import { type OperationId, operationOf } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';

/** The service does not meet a requirement. */
export class NotMetError extends Error {
  readonly code = 'NOT_MET';
  override name = 'NotMetError';
}

type Received = Pick<HttpResponse, 'status' | 'headers' | 'text'>;

/** Expects a condition; the sentence says what is wrong if it does not hold. */
export function expect(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new NotMetError(sentence);
}

/** Expects equal values, compared member by member. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  expect(
    isDeepStrictEqual(actual, expected),
    `${what}: ${shorten(actual)}, expected ${shorten(expected)}`,
  );
}

/** Expects a status code. */
export function expectStatus({ status, text }: Received, ...expected: number[]): void {
  const detail = status >= 400 ? `: ${shorten(text)}` : '';
  expect(
    expected.includes(status),
    `the status is ${status}, expected ${expected.join(' or ')}${detail}`,
  );
}

/** Expects a media type, whatever its parameters. */
export function expectMediaType({ headers }: Received, expected: string): void {
  const found = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  expect(found === expected, `the media type is ${found ?? 'absent'}, expected ${expected}`);
}

/** The body of a JSON response. */
export function readJson(response: Received, mediaType = 'application/json'): unknown {
  expectMediaType(response, mediaType);
  try {
    return JSON.parse(response.text);
  } catch {
    throw new NotMetError(`the body is not JSON: ${shorten(response.text)}`);
  }
}

/** The body of a JSON response that is an object. */
export function readObject(response: Received): Record<string, unknown> {
  const body = readJson(response);
  expect(isObject(body), `the body is not an object: ${shorten(response.text)}`);
  return body;
}

/** The lines of an NDJSON response. */
export function readLines(response: Received): unknown[] {
  expectMediaType(response, 'application/x-ndjson');
  const lines = response.text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      throw new NotMetError(`line ${index + 1} is not JSON: ${shorten(line)}`);
    }
  });
}

/** Expects that a successful response has the schema that the contract gives the operation. */
export function expectSchema(operationId: OperationId, response: Received): void {
  const content = operationOf(operationId).responses[response.status]?.content ?? {};
  const schema = content['application/json'];
  expect(
    schema !== undefined,
    `${operationId} has no JSON response with the status ${response.status}`,
  );
  expectValid(schema, readJson(response), `the response of ${operationId}`);
}

/** Expects that a value has a schema of the contract. */
export function expectValid(
  schema: Parameters<typeof compileCheck>[0],
  value: unknown,
  what: string,
): void {
  const checked = compileCheck(schema, { strict: true })(value);
  if (checked.valid) return;
  const [first] = checked.errors;
  throw new NotMetError(`${what} breaks its schema: ${first?.field} ${first?.error}`);
}

/** Expects a problem (RFC 9457) with a status and, if given, a validation error with a code at a field. */
export function expectProblem(
  response: Received,
  status: ProblemStatus,
  error?: { code: ValidationErrorCode; field?: string | RegExp },
): void {
  expectStatus(response, status);
  const body = readJson(response, 'application/problem+json');
  expectValid(Problem, body, 'the problem');
  // The cast is true because the body has just been checked.
  const problem = body as Problem;
  expectEqual(problem.status, status, 'status in the problem');
  if (error === undefined) return;
  const { code, field } = error;
  const found = (problem.validationErrors ?? []).some(
    (one) => one.code === code && (field === undefined || matches(one.field, field)),
  );
  const at = field === undefined ? '' : ` at ${field}`;
  expect(found, `no validation error ${code}${at}: ${shorten(problem.validationErrors)}`);
}

function matches(field: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? field === expected : expected.test(field);
}

/** Expects an error of a token endpoint (RFC 6749, section 5.2). */
export function expectOAuthError(
  response: Received,
  error: string,
  description?: RegExp | string,
): void {
  expectStatus(response, 400, 401);
  const body = readObject(response);
  expectValid(OAuthError, body, 'the error');
  expectEqual(body.error, error, 'error');
  const text = String(body.error_description);
  const isExpected =
    typeof description === 'string' ? text.startsWith(description) : description?.test(text);
  expect(isExpected !== false, `error_description is "${text}", expected ${description}`);
}

/** A value as text, cut. */
function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
