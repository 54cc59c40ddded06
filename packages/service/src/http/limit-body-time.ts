// How long a request's body may take to arrive. Lines may be any number and take any time, as long as they come.
import type { FastifyInstance } from 'fastify';
import { NDJSON } from './ndjson.js';

/** How long a body may take as a whole; how long a stream of lines may be silent, in milliseconds. */
const LIMIT = 60_000;

/** Ends the connection of a request whose body does not arrive in time. */
export function limitBodyTime(app: FastifyInstance, limit: number = LIMIT): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, headers } = request;
    // A body that came with its head, as most do, needs no watch.
    if (!raw.complete) {
      const { socket } = raw;
      if (headers['content-type']?.startsWith(NDJSON)) {
        // Node.js ends a connection on which nothing is read or written so long; the next request sets it anew.
        socket.setTimeout(limit);
      } else {
        const timer = setTimeout(() => socket.destroy(), limit).unref();
        raw.once('end', () => clearTimeout(timer));
        reply.raw.once('close', () => clearTimeout(timer));
      }
    }
    done(null, payload);
  });
}
