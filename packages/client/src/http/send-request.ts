// Sends one HTTP request, with its timer and hooks.
import { toConnectionError } from '../errors/connection-error.js';
import type { Hooks, RequestEvent } from './hooks.js';
import { OpenResponse } from './open-response.js';
import type { RequestTimer } from './request-timer.js';
import type { RequestBody } from './upload.js';

/** What sends requests: `fetch` of the platform, or one that is compatible with it. */
export type Fetch = typeof globalThis.fetch;

/** How requests are sent. */
export type Transport = { fetch: Fetch; hooks: Hooks };

/** One request. */
export type HttpRequest = RequestEvent & {
  headers: Record<string, string>;
  body?: RequestBody | undefined;
};

/**
 * Sends the request and resolves when the headers of the response have arrived, whatever its status.
 *
 * @throws ConnectionError, TimeoutError, or the reason of the caller's signal
 */
export async function sendRequest(
  { fetch, hooks }: Transport,
  { headers, body, ...event }: HttpRequest,
  timer: RequestTimer,
): Promise<OpenResponse> {
  const traceparent = hooks.traceparent?.();
  const start = performance.now();
  hooks.onRequest?.(event);
  try {
    const response = await fetch(event.url, {
      method: event.method,
      headers: traceparent === undefined ? headers : { ...headers, traceparent },
      signal: timer.signal,
      ...(await optionsOf(body)),
    });
    hooks.onResponse?.({
      ...event,
      status: response.status,
      durationMs: performance.now() - start,
    });
    return new OpenResponse(response, timer);
  } catch (error) {
    timer.stop();
    timer.signal.throwIfAborted();
    throw toConnectionError(error, timer.address);
  }
}

/** Browsers stream the body of a request over HTTP/2 at most, and some do not, so there it is collected first. */
const canStream = !('document' in globalThis || 'WorkerGlobalScope' in globalThis);

/** `fetch` requires `duplex` for a streamed body; the type of its options does not have it yet. */
async function optionsOf(
  body: RequestBody | undefined,
): Promise<{ body?: RequestBody; duplex?: 'half' }> {
  if (body === undefined) return {};
  if (!(body instanceof ReadableStream)) return { body };
  return canStream ? { body, duplex: 'half' } : { body: await new Response(body).blob() };
}
