// The addresses that operators use: is the process alive, can it take requests, what does it measure.
import { operations } from '@landfall/contract';
import type { Database } from '../database/database.js';
import type { Measure } from '../metrics/measure.js';
import { countRequests, makeMetrics } from './metrics.js';
import { serveMetrics } from './metrics-server.js';
import { addPublicOperation, type RouteContext } from './operation.js';
import { HttpError } from './problem.js';

/**
 * Adds them.
 *
 * @param parts `isDraining` tells whether the server is to stop and should get no more requests; `measures` and
 * `backgroundFailures` (how often each task has failed) are reported beside the metrics of every server
 */
export function addServiceRoutes(
  context: Pick<RouteContext, 'app'>,
  {
    database,
    isDraining,
    measures,
    backgroundFailures,
    metricsAddress,
  }: {
    database: Database;
    isDraining: () => boolean;
    measures: readonly Measure[];
    backgroundFailures: ReadonlyMap<string, number>;
    /** Where metrics are served instead of here. */
    metricsAddress?: { host: string; port: number } | undefined;
  },
): void {
  addPublicOperation(context, operations.getLiveness, async (_request, reply) =>
    reply.type('text/plain').send('OK'),
  );

  addPublicOperation(context, operations.getReadiness, async (request, reply) => {
    if (isDraining()) {
      throw new HttpError(503, 'The server is about to stop', { 'Retry-After': '1' });
    }
    await database.checkReady().catch((error: unknown) => {
      request.log.warn({ err: error }, 'not ready: the database does not take requests');
      throw new HttpError(503, 'The database does not answer', { 'Retry-After': '1' });
    });
    return reply.type('text/plain').send('OK');
  });

  const tellMetrics = makeMetrics(countRequests(context.app), measures, backgroundFailures);
  if (metricsAddress !== undefined) {
    serveMetrics(context.app, metricsAddress, tellMetrics);
    return;
  }
  addPublicOperation(context, operations.getMetrics, async (_request, reply) => {
    const { contentType, text } = await tellMetrics();
    return reply.type(contentType).send(text);
  });
}
