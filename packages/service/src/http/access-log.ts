// The access log: one line for each request, whatever else is logged.
import type { FastifyInstance } from 'fastify';

/** Logs every request from now on. The route is logged and not the address, which may hold what is secret. */
export function logRequests(app: FastifyInstance): void {
  const log = app.log.child({}, { level: 'info' });
  app.addHook('onResponse', ({ id, method, routeOptions, caller }, reply, done) => {
    log.info(
      {
        id,
        method,
        route: routeOptions.url ?? 'none',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        organisation: caller?.organisation,
      },
      'request',
    );
    done();
  });
}
