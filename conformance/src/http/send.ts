// Sends requests with a bounded wait, and records every exchange for the report.
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.js';

/** How long a response may take, in milliseconds, beside the wait that the request prefers. */
export const RESPONSE_TIMEOUT_MS = 20_000;

/** How often a request that is over the rate limit or meets an overloaded server is sent again. */
const MAX_RETRIES = 5;

/** The longest `Retry-After` that is followed, in seconds. */
const MAX_RETRY_AFTER = 5;

/** There is no complete response. */
export class NoResponseError extends Error {
  readonly code = 'NO_RESPONSE';
  override name = 'NoResponseError';
}

/** Options of sending. */
export type SendOptions = { signal: AbortSignal; timeoutMs?: number | undefined };

/**
 * Sends a request. One that is refused with 429 or 503 and `Retry-After` is sent again, as clients do, and once one
 * that may be repeated and whose connection was closed (RFC 9110, section 9.2.2).
 *
 * @throws NoResponseError
 */
export async function send(
  request: HttpRequest,
  { signal, timeoutMs = RESPONSE_TIMEOUT_MS }: SendOptions,
  record: (exchange: Exchange) => void,
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt++) {
    const exchange: Exchange = { request, durationMs: 0 };
    record(exchange);
    const startedAt = performance.now();
    try {
      const response = await openResponse(
        request,
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      );
      exchange.response = {
        status: response.status,
        reason: response.statusText,
        headers: response.headers,
        text: await response.text(),
      };
    } catch (error) {
      exchange.failure = describe(error);
      // An idle connection may be closed by the other side just when it is used again.
      if (request.method !== 'POST' && isReset(error) && attempt === 1) continue;
      throw new NoResponseError(`${request.method} ${request.url}: ${exchange.failure}`);
    } finally {
      exchange.durationMs = performance.now() - startedAt;
    }
    const pause = retryAfter(exchange.response);
    if (pause === undefined || attempt > MAX_RETRIES) return exchange.response;
    await delay(pause * 1000, undefined, { signal });
  }
}

/** Sends a request; the body of the response is read by the caller. */
export function openResponse(request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const { method, url, headers, body, chunked = false } = request;
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body !== undefined &&
      (chunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body })),
  });
}

/** Whether the connection was closed before there was a response. */
function isReset(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE';
}

function retryAfter({ status, headers }: HttpResponse): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 && seconds <= MAX_RETRY_AFTER ? seconds : undefined;
}

/** The cause of a failed request: that of `fetch` is in its own `cause`. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? cause.message : undefined;
  return inner === undefined || inner === '' ? error.message : `${error.message}: ${inner}`;
}
