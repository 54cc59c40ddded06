// Makes the request of an operation: address, headers, body and time limit.
import { ConfigurationError } from '../errors/landfall-error.js';
import { makeAddress, type QueryValue } from '../http/address.js';
import { RequestTimer } from '../http/request-timer.js';
import type { HttpRequest } from '../http/send-request.js';
import type { OpenedBody } from './body-form.js';
import type { Operation, OperationInput } from './operation.js';
import type { RequestOptions } from './options.js';

/** One attempt of a call. */
export type Call = {
  operation: Operation;
  input: OperationInput;
  options: RequestOptions;
  body: OpenedBody | undefined;
  attempt: number;
  token: string | undefined;
};

/** An upload has this much more time for each byte of a known length, in milliseconds: 32 kB/s. */
const MS_PER_BYTE = 1 / 32;

/** The request of one attempt, with the timer that starts now. */
export function prepareRequest(
  call: Call,
  baseUrl: string,
  defaultTimeoutMs: number,
  defaultHeaders: Readonly<Record<string, string>>,
): { request: HttpRequest; timer: RequestTimer } {
  const { operation, input, options, body, attempt } = call;
  const { operationId, method, path, defaults } = operation;
  const { timeoutMs = defaultTimeoutMs, waitSeconds = 0, signal } = options;
  const extraMs = waitSeconds * 1000 + (body?.size ?? 0) * MS_PER_BYTE;
  // Before the timer starts, because it throws for a header that cannot be sent.
  const headers = makeHeaders(call, defaultHeaders);
  const timer = new RequestTimer(baseUrl, timeoutMs + extraMs, signal);
  // The cast is true because the types of queries have only such members.
  const query = input.query as Record<string, QueryValue> | undefined;
  const request: HttpRequest = {
    operationId,
    method,
    url: `${baseUrl}${makeAddress(path, input.parameters, query, defaults)}`,
    attempt,
    headers,
    body: body?.open(timer),
  };
  return { request, timer };
}

function makeHeaders(
  { operation, options, token }: Call,
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  const { body, result } = operation;
  const given: [name: string, value: string | undefined][] = [
    ...Object.entries(defaults),
    ['accept', result.contentType],
    ['content-type', body?.contentType],
    ['authorization', token === undefined ? undefined : `Bearer ${token}`],
    ['prefer', result.prefer],
    ['prefer', options.waitSeconds === undefined ? undefined : `wait=${options.waitSeconds}`],
    ['if-match', options.ifMatch],
    ['if-none-match', options.ifNoneMatch],
    ...Object.entries(options.headers ?? {}),
  ];
  const headers = new Headers();
  for (const [name, value] of given) if (value !== undefined) setHeader(headers, name, value);
  return Object.fromEntries(headers);
}

/** The platform's error has the value, which may be a secret. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ConfigurationError(
      `the header ${name} cannot be sent: it has characters that headers must not have`,
    );
  }
}
