// Makes the request of an operation: address, headers, body and time limit.
import { makeAddress, type QueryValue } from '../http/address.js';
import { RequestTimer } from '../http/request-timer.js';
import type { HttpRequest } from '../http/send-request.js';
import { type LineSource, type RequestBody, Upload } from '../http/upload.js';
import type { BodyForm, Operation, OperationInput, ResultForm } from './operation.js';
import type { RequestOptions } from './options.js';

/** One attempt of a call. */
export type Call = {
  operation: Operation;
  input: OperationInput;
  options: RequestOptions;
  upload: Upload | undefined;
  attempt: number;
  token: string | undefined;
};

/** An upload has this much more time for each byte of a known length, in milliseconds: 32 kB/s. */
const MS_PER_BYTE = 1 / 32;

const contentTypes: Record<BodyForm, string> = {
  json: 'application/json',
  lines: 'application/x-ndjson',
  text: 'text/csv',
  form: 'application/x-www-form-urlencoded',
};

const acceptedTypes: Record<ResultForm, string> = {
  json: 'application/json',
  page: 'application/json',
  lines: 'application/x-ndjson',
  text: 'text/plain',
  none: '*/*',
};

/** The body of an operation that takes lines or text; `undefined` of any other. */
export function openUpload(
  { body: form }: Operation,
  { body }: OperationInput,
): Upload | undefined {
  if (form !== 'lines' && form !== 'text') return undefined;
  // The cast is true because the types of such an operation take nothing else.
  return new Upload(body as LineSource<object>);
}

/** The request of one attempt, with the timer that starts now. */
export function prepareRequest(
  call: Call,
  baseUrl: string,
  defaultTimeoutMs: number,
): { request: HttpRequest; timer: RequestTimer } {
  const { operation, input, options, upload, attempt } = call;
  const { operationId, method, path } = operation;
  const { timeoutMs = defaultTimeoutMs, waitSeconds = 0, signal } = options;
  const extraMs = waitSeconds * 1000 + (upload?.size ?? 0) * MS_PER_BYTE;
  const timer = new RequestTimer(baseUrl, timeoutMs + extraMs, signal);
  // The cast is true because the types of queries have only such members.
  const query = input.query as Record<string, QueryValue> | undefined;
  const request: HttpRequest = {
    operationId,
    method,
    url: `${baseUrl}${makeAddress(path, input.parameters, query)}`,
    attempt,
    headers: makeHeaders(call),
    body: upload === undefined ? makeBody(operation, input) : upload.open(timer),
  };
  return { request, timer };
}

function makeHeaders({ operation, options, token }: Call): Record<string, string> {
  const { body, result } = operation;
  const headers = new Headers({ accept: acceptedTypes[result] });
  if (body !== undefined) headers.set('content-type', contentTypes[body]);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (options.waitSeconds !== undefined) headers.set('prefer', `wait=${options.waitSeconds}`);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return Object.fromEntries(headers);
}

function makeBody({ body: form }: Operation, { body }: OperationInput): RequestBody | undefined {
  if (form === 'json') return JSON.stringify(body);
  // The cast is true because the types of such an operation take nothing else.
  if (form === 'form') return new URLSearchParams(body as Record<string, string>);
  return undefined;
}
