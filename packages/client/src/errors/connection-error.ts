// Errors of the connection: no response, or only part of one.

import { isError } from './is-error.js';
import { LandfallError } from './landfall-error.js';

/** The service cannot be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends LandfallError {
  override readonly code = 'CONNECTION';
  override name = 'ConnectionError';
}

/** There was no response, or no progress of a stream, for `timeoutMs`. */
export class TimeoutError extends LandfallError {
  override readonly code = 'TIMEOUT';
  override name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super(message, { outcomeUnknown: true });
    this.timeoutMs = timeoutMs;
  }
}

/**
 * Codes of an error of `fetch` that occurs before anything is sent, in Node.js, Deno and Bun. A browser does not say
 * why a connection failed, so the outcome is unknown there.
 */
const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);

/** The error for what `fetch`, or reading its response, threw. */
export function toConnectionError(thrown: unknown, address: string): ConnectionError {
  const { code, syscall } = originOf(thrown);
  return new ConnectionError(`cannot reach ${address} (${code ?? messageOf(thrown)})`, {
    cause: thrown,
    // A host that becomes unreachable while the response is read has the same code.
    outcomeUnknown:
      code === undefined || !NOTHING_SENT.has(code) || syscall === 'read' || syscall === 'write',
  });
}

/** The code of the error or of one that caused it, and of which call; of several attempts to connect, the first. */
function originOf(thrown: unknown): { code?: string; syscall?: unknown } {
  for (let error = thrown, depth = 0; isError(error) && depth < 4; depth++) {
    if ('code' in error && typeof error.code === 'string' && error.code !== '') {
      return { code: error.code, syscall: 'syscall' in error ? error.syscall : undefined };
    }
    error = isAggregate(error) ? error.errors[0] : error.cause;
  }
  return {};
}

function isAggregate(error: Error): error is AggregateError {
  return 'errors' in error && Array.isArray(error.errors);
}

function messageOf(thrown: unknown): string {
  if (!isError(thrown)) return String(thrown);
  return isError(thrown.cause) ? thrown.cause.message : thrown.message;
}
