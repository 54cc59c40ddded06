// The addresses that operators use: is the process alive, can it take requests, what does it measure.
import { operations } from '@landfall/contract';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Database } from '../database/database.js';
import { addPublicOperation, type RouteContext } from './operation.js';
import { HttpError } from './problem.js';

/** What the readiness check asks of the database. */
const READY = { name: 'ready', text: 'select 1 as ready', values: [] };

/** Adds them; `isDraining` tells whether the server is to stop and should get no more requests. */
export function addServiceRoutes(
  context: Pick<RouteContext, 'app'>,
  { database, isDraining }: { database: Database; isDraining: () => boolean },
): void {
  addPublicOperation(context, operations.getLiveness, async (_request, reply) =>
    reply.type('text/plain').send('OK'),
  );

  addPublicOperation(context, operations.getReadiness, async (_request, reply) => {
    if (isDraining()) {
      throw new HttpError(503, 'The server is about to stop', { 'Retry-After': '1' });
    }
    await database.query(READY).catch(() => {
      throw new HttpError(503, 'The database does not answer', { 'Retry-After': '1' });
    });
    return reply.type('text/plain').send('OK');
  });

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countRequests(context, registry);
  addPublicOperation(context, operations.getMetrics, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

function countRequests({ app }: Pick<RouteContext, 'app'>, registry: Registry): void {
  const requests = new Counter({
    name: 'landfall_http_requests_total',
    help: 'Requests answered, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    requests.inc({ method: request.method, route, status: reply.statusCode });
    done();
  });
}
