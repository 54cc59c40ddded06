// Makes the request of an operation: address, headers, body and time limit.
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
): { request: HttpRequest; timer: RequestTimer } {
  const { operation, input, options, body, attempt } = call;
  const { operationId, method, path } = operation;
  const { timeoutMs = defaultTimeoutMs, waitSeconds = 0, signal } = options;
  const extraMs = waitSeconds * 1000 + (body?.size ?? 0) * MS_PER_BYTE;
  const timer = new RequestTimer(baseUrl, timeoutMs + extraMs, signal);
  // The cast is true because the types of queries have only such members.
  const query = input.query as Record<string, QueryValue> | undefined;
  const request: HttpRequest = {
    operationId,
    method,
    url: `${baseUrl}${makeAddress(path, input.parameters, query)}`,
    attempt,
    headers: makeHeaders(call),
    body: body?.open(timer),
  };
  return { request, timer };
}

function makeHeaders({ operation, options, token }: Call): Record<string, string> {
  const { body, result } = operation;
  const headers = new Headers({ accept: result.contentType });
  if (body !== undefined) headers.set('content-type', body.contentType);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (options.waitSeconds !== undefined) headers.set('prefer', `wait=${options.waitSeconds}`);
  if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
  if (options.ifNoneMatch !== undefined) headers.set('if-none-match', options.ifNoneMatch);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return Object.fromEntries(headers);
}
