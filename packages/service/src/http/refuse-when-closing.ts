// A request over a connection that is still open while the server closes is refused with a problem.
import type { FastifyInstance } from 'fastify';
import { HttpError } from './problem.js';

/** Refuses new requests from the moment that closing begins; those under way are completed. */
export function refuseWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (closing) done(new HttpError(503, 'The server is stopping', { 'Retry-After': '1' }));
    else done();
  });
}
