// How long a request's body may take to arrive. Lines may be any number and take any time, as long as they come.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NDJSON } from './ndjson.js';

/** How long a body may take as a whole; how long a stream of lines may be silent, in milliseconds. */
const LIMIT = 60_000;

/** Ends the connection of a request whose body does not arrive in time. */
export function limitBodyTime(app: FastifyInstance, limit: number = LIMIT): void {
  let begun: FastifyRequest[] = [];
  // A body that came with its head, as most do, is read by the end of this turn of the event loop and needs no watch.
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

function watchBody({ raw, headers }: FastifyRequest, limit: number): void {
  const { socket } = raw;
  if (headers['content-type']?.startsWith(NDJSON)) {
    // Node.js ends a connection on which nothing is read or written so long; the next request sets it anew.
    socket.setTimeout(limit);
    return;
  }
  const timer = setTimeout(() => socket.destroy(), limit).unref();
  const forget = () => clearTimeout(timer);
  raw.once('end', forget);
  raw.once('close', forget);
}
