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
  // The TLS certificate is checked before the request is sent.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Calls of the system that come before a connection, whatever their code. */
const BEFORE_CONNECTION = new Set<unknown>(['connect', 'getaddrinfo', 'socket', 'bind']);

/** What Node.js says, without a code, of a port to which `fetch` never connects (such as 6000). */
const FORBIDDEN_PORT = /^bad port$/;

/** What Node.js says when a proxy does not open the tunnel through which the request would be sent. */
const NO_TUNNEL = /^Proxy response \((\d{1,3})\) !== 200 when HTTP Tunneling$/;

/** The error for what `fetch`, or reading its response, threw. */
export function toConnectionError(thrown: unknown, address: string): ConnectionError {
  const { code, syscall } = originOf(thrown);
  const message = messageOf(thrown);
  const [, refusal] = NO_TUNNEL.exec(message) ?? [];
  const reason =
    refusal === undefined
      ? (code ?? message)
      : `the proxy on the way responds with ${refusal}: check HTTPS_PROXY and NO_PROXY`;
  const isBefore =
    refusal !== undefined ||
    BEFORE_CONNECTION.has(syscall) ||
    (code === undefined && FORBIDDEN_PORT.test(message)) ||
    // A host that becomes unreachable while the response is read has the same code.
    (code !== undefined && NOTHING_SENT.has(code) && syscall !== 'read' && syscall !== 'write');
  return new ConnectionError(`cannot reach ${address} (${reason})`, {
    cause: thrown,
    outcomeUnknown: !isBefore,
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
