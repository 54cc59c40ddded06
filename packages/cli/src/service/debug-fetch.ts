// --debug: `fetch` that shows each request and response on standard error, without secrets.
import type { Fetch } from '@landfall/client';
import { coloursFor, report } from '../output/output.js';
import { eraseProgress } from '../output/progress.js';
import { redactHeader, redactText } from './redact.js';

/** Maximum number of bytes of a body that are shown. */
const MAX_SHOWN_BYTES = 2048;

/** Shows the requests and responses of `fetch`, with a number that connects them. */
export function showExchanges(send: Fetch): Fetch {
  let count = 0;
  return async (input, init) => {
    const number = ++count;
    const request = new Request(input, { ...init, body: null });
    showRequest(number, request, init?.body);
    const start = performance.now();
    const elapsed = () => `${Math.round(performance.now() - start)} ms`;
    let response: Response;
    try {
      response = await send(input, init);
    } catch (error) {
      show(number, '<', `no response after ${elapsed()}: ${reasonOf(error)}`);
      throw error;
    }
    show(number, '<', `${response.status} ${response.statusText} (${elapsed()})`);
    showHeaders(number, '<', response.headers);
    return showBodyOf(number, response);
  };
}

function showRequest(number: number, { method, url, headers }: Request, body: unknown): void {
  show(number, '>', `${method} ${redactText(url)}`);
  showHeaders(number, '>', headers);
  if (typeof body === 'string' || body instanceof URLSearchParams) {
    const bytes = new TextEncoder().encode(String(body));
    showBody(number, '>', bytes.subarray(0, MAX_SHOWN_BYTES), bytes.length);
  } else if (body !== undefined && body !== null) show(number, '>', '(a body that is streamed)');
}

/** A response with the same contents, whose body is shown when it has been read, or as much as is shown. */
function showBodyOf(number: number, response: Response): Response {
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isShown = false;
  const showOnce = (isComplete: boolean) => {
    if (isShown || length === 0) return;
    isShown = true;
    const bytes = Buffer.concat(chunks).subarray(0, MAX_SHOWN_BYTES);
    showBody(number, '<', bytes, isComplete ? length : undefined);
  };
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (length < MAX_SHOWN_BYTES) chunks.push(chunk.slice());
        length += chunk.length;
        if (length > MAX_SHOWN_BYTES) showOnce(false);
        controller.enqueue(chunk);
      },
      flush: () => showOnce(true),
    }),
  );
  const { status, statusText, headers, url } = response;
  const shown = new Response(body, { status, statusText, headers });
  // The client resolves links relative to the address of the response.
  return Object.defineProperty(shown, 'url', { value: url });
}

function showHeaders(number: number, direction: string, headers: Headers): void {
  for (const [name, value] of headers) {
    show(number, direction, `${name}: ${redactHeader(name, value)}`);
  }
}

/** @param length of the whole body; `undefined` if there is more than is shown, of unknown length */
function showBody(
  number: number,
  direction: string,
  bytes: Uint8Array,
  length: number | undefined,
): void {
  for (const line of redactText(new TextDecoder().decode(bytes)).trimEnd().split('\n')) {
    show(number, direction, line);
  }
  if (length === undefined) show(number, direction, '(more)');
  else if (length > bytes.length) {
    show(number, direction, `(${length - bytes.length} more bytes)`);
  }
}

function show(number: number, direction: string, text: string): void {
  eraseProgress();
  // Of control characters, only the tabulator is kept.
  const line = text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, ' ');
  report(coloursFor(process.stderr).dim(`${number} ${direction} ${line}`));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
