// How long the server waits for a request's body. Only waiting for bytes counts, not the time to process them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NDJSON } from './ndjson.js';

/** How long to wait for a whole body, or for the next bytes of a stream of lines, in milliseconds. */
const BODY_TIMEOUT_MS = 60_000;

/** Checks within the timeout; a check counts as waiting if no byte arrived since the previous one. */
const CHECKS = 60;

/** Closes the connection of a request whose body does not arrive in time. */
export function limitBodyTime(app: FastifyInstance, timeoutMs: number = BODY_TIMEOUT_MS): void {
  let begun: FastifyRequest[] = [];
  // Most bodies arrive with their headers: they are complete after this turn of the event loop and need no timer.
  const watchUnread = () => {
    const requests = begun;
    begun = [];
    for (const request of requests) if (!request.raw.complete) watchBody(request, timeoutMs);
  };
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.raw.complete && begun.push(request) === 1) setImmediate(watchUnread);
    done(null, payload);
  });
}

/**
 * Counts checks instead of time: if this thread was busy, one check is late, and the bytes that arrived meanwhile are
 * read before the next check.
 */
function watchBody({ raw, headers }: FastifyRequest, timeoutMs: number): void {
  const { socket } = raw;
  const isLines = headers['content-type']?.startsWith(NDJSON) === true;
  let received = socket.bytesRead;
  let waited = 0;
  const check = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(check);
    // While the buffer is full, nothing is read from the socket: the client is not the one that is slow.
    const isFull = raw.readableLength >= raw.readableHighWaterMark;
    const hasArrived = socket.bytesRead > received;
    received = socket.bytesRead;
    if (isLines && hasArrived) waited = 0;
    else if (!isFull) waited++;
    if (waited >= CHECKS) {
      clearInterval(check);
      raw.destroy();
    }
  }, timeoutMs / CHECKS).unref();
}
