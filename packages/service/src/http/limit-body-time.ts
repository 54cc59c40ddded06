// How long the server waits for a request's body. Only waiting for bytes counts, not the time to process them.
import type { IncomingMessage } from 'node:http';
import { bodyTypeOf, MULTIPART } from './media-type.js';
import { NDJSON } from './ndjson.js';

/** How long to wait for a whole body, or for the next bytes of a stream of lines, in milliseconds. */
export const BODY_TIMEOUT_MS = 60_000;

/** How much longer a document may take than another body: the longest one needs 35 kB/s. */
const DOCUMENT_FACTOR = 5;

/** Checks within the timeout; a check counts as waiting if no byte arrived since the previous one. */
const CHECKS = 60;

/** Makes the function that begins to wait for the body of a request, and closes the connection if it is late. */
export function limitBodyTime(
  timeoutMs: number = BODY_TIMEOUT_MS,
): (request: IncomingMessage) => void {
  let begun: IncomingMessage[] = [];
  // Most bodies arrive with their headers: they are complete after this turn of the event loop and need no timer.
  const watchUnread = () => {
    const requests = begun;
    begun = [];
    for (const request of requests) if (!request.complete) watchBody(request, timeoutMs);
  };
  return (request) => {
    if (!request.complete && begun.push(request) === 1) setImmediate(watchUnread);
  };
}

/**
 * Counts checks instead of time: if this thread was busy, one check is late, and the bytes that arrived meanwhile are
 * read before the next check.
 */
function watchBody(request: IncomingMessage, timeoutMs: number): void {
  const { socket } = request;
  const mediaType = bodyTypeOf(request);
  const isLines = mediaType === NDJSON;
  const mostWaited = mediaType === MULTIPART ? CHECKS * DOCUMENT_FACTOR : CHECKS;
  let received = socket.bytesRead;
  let waited = 0;
  const check = setInterval(() => {
    if (request.complete || request.destroyed) return clearInterval(check);
    // While the buffer is full, nothing is read from the socket: the client is not the one that is slow.
    const isFull = request.readableLength >= request.readableHighWaterMark;
    const hasArrived = socket.bytesRead > received;
    received = socket.bytesRead;
    if (isLines && hasArrived) waited = 0;
    else if (!isFull) waited++;
    if (waited >= mostWaited) {
      clearInterval(check);
      request.destroy();
    }
  }, timeoutMs / CHECKS).unref();
}
