// Sends one HTTP request, with its timer and hooks.
import { toConnectionError } from '../errors/connection-error.js';
import { VERSION } from '../version.js';
import { type Hooks, observe, type RequestEvent } from './hooks.js';
import { OpenResponse } from './open-response.js';
import type { RequestTimer } from './request-timer.js';
import type { RequestBody } from './upload.js';

/** What sends requests: `fetch` of the platform, or one that is compatible with it. */
export type Fetch = typeof globalThis.fetch;

/** Another value would fail the request, or reach the service as something else. */
const TRACEPARENT = /^[\da-f-]{55}$/;

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
  const traceparent = observe(() => hooks.traceparent?.()) ?? '';
  const start = performance.now();
  observe(() => hooks.onRequest?.(event));
  try {
    const response = await fetch(event.url, {
      method: event.method,
      headers: { ...ownHeaders, ...headers, ...(TRACEPARENT.test(traceparent) && { traceparent }) },
      signal: timer.signal,
      // What a redirect leads to would get the token, or a presentation as a GET.
      redirect: 'manual',
      ...(await optionsOf(body)),
    });
    const durationMs = performance.now() - start;
    observe(() => hooks.onResponse?.({ ...event, status: response.status, durationMs }));
    return new OpenResponse(response, timer);
  } catch (error) {
    timer.stop();
    timer.signal.throwIfAborted();
    throw toConnectionError(error, timer.address);
  }
}

/** Where a response redirects to; `undefined` if it does not. A browser does not say where. */
export function redirectOf({ type, status, headers }: Response): string | undefined {
  if (type === 'opaqueredirect') return 'another address';
  return [301, 302, 303, 307, 308].includes(status)
    ? (headers.get('location') ?? 'another address')
    : undefined;
}

const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

/** Says in logs of the service which client it is. In a browser, it would make every request need a preflight. */
const ownHeaders = isBrowser ? {} : { 'user-agent': `landfall-client/${VERSION}` };

/** Browsers stream the body of a request over HTTP/2 at most, and some do not, so there it is collected first. */
const canStream = !isBrowser;

/** `fetch` requires `duplex` for a streamed body; the type of its options does not have it yet. */
async function optionsOf(
  body: RequestBody | undefined,
): Promise<{ body?: RequestBody; duplex?: 'half' }> {
  if (body === undefined) return {};
  if (!(body instanceof ReadableStream)) return { body };
  return canStream ? { body, duplex: 'half' } : { body: await new Response(body).blob() };
}
