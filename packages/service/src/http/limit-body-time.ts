// How long the server waits for a request's body. Only waiting for bytes counts, never the time that we work on them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NDJSON } from './ndjson.js';

/** How long to wait for a body as a whole; of a stream of lines, for its next bytes; in milliseconds. */
const LIMIT = 60_000;

/** Checks in the time of the limit: a check counts as waiting when no byte came since the one before. */
const CHECKS = 60;

/** Closes the connection of a request whose body does not arrive in time. */
export function limitBodyTime(app: FastifyInstance, limit: number = LIMIT): void {
  let begun: FastifyRequest[] = [];
  // Most bodies come with their head: they are read by the end of this turn of the event loop and need no watch.
  const watchUnread = () => {
    const requests = begun;
    begun = [];
    for (const request of requests) if (!request.raw.complete) watchBody(request, limit);
  };
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.raw.complete && begun.push(request) === 1) setImmediate(watchUnread);
    done(null, payload);
  });
}

/**
 * Counts checks instead of time: when this thread was busy for long, one check comes late, and the bytes that arrived
 * meanwhile are read before the next.
 */
function watchBody({ raw, headers }: FastifyRequest, limit: number): void {
  const { socket } = raw;
  const isLines = headers['content-type']?.startsWith(NDJSON) === true;
  let received = socket.bytesRead;
  let waited = 0;
  const check = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(check);
    // A full buffer is one that we have not worked off: nothing is read from the socket then.
    const isFull = raw.readableLength >= raw.readableHighWaterMark;
    const came = socket.bytesRead > received;
    received = socket.bytesRead;
    if (isLines && came) waited = 0;
    else if (!isFull) waited++;
    if (waited >= CHECKS) {
      clearInterval(check);
      socket.destroy();
    }
  }, limit / CHECKS).unref();
}
