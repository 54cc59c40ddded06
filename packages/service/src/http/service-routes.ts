// The endpoints for operators: liveness, readiness and metrics.
import { createHash, timingSafeEqual } from 'node:crypto';
import { operations } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.js';
import type { Measure } from '../metrics/measure.js';
import { countRequests, type MetricsText, makeMetrics } from './metrics.js';
import { addPublicOperation, type RouteContext } from './operation.js';
import { HttpError } from './problem.js';
import { makeServer } from './server.js';

/** Connections to the separate port of metrics; scrapers need a few. */
const MAX_METRICS_CONNECTIONS = 100;

/** Where metrics are served, and to whom. */
export type MetricsAccess = {
  /** A separate address; without it, metrics are served on that of the service. */
  address?: { host: string; port: number };
  /** The bearer token that is required; without it, none is. */
  token?: string | undefined;
};

/**
 * Adds the endpoints.
 *
 * @param parts `isDraining` says whether the server is about to stop and should get no more requests; `measures` and
 * `backgroundFailures` (the number of failures by task) are reported beside the metrics of every server; `metrics` is
 * `undefined` if metrics are not served
 */
export async function addServiceRoutes(
  context: Pick<RouteContext, 'app'>,
  {
    database,
    isDraining,
    measures,
    backgroundFailures,
    metrics,
  }: {
    database: Database;
    isDraining: () => boolean;
    measures: readonly Measure[];
    backgroundFailures: ReadonlyMap<string, number>;
    metrics: MetricsAccess | undefined;
  },
): Promise<void> {
  addPublicOperation(context, operations.getLiveness, async (_request, reply) =>
    reply.type('text/plain').send('OK'),
  );

  addPublicOperation(context, operations.getReadiness, async (_request, reply) => {
    if (isDraining()) {
      throw new HttpError(503, 'The server is about to stop', { 'Retry-After': '1' });
    }
    await database.checkReady().catch((cause: unknown) => {
      const refusal = new HttpError(503, 'The database is unavailable', { 'Retry-After': '1' });
      refusal.cause = cause;
      throw refusal;
    });
    return reply.type('text/plain').send('OK');
  });

  if (metrics === undefined) return;
  const { app } = context;
  const readMetrics = makeMetrics(countRequests(app), measures, backgroundFailures);
  if (metrics.address === undefined) addMetricsRoute(app, readMetrics, metrics.token);
  else await serveMetrics(app, metrics.address, readMetrics, metrics.token);
}

function addMetricsRoute(
  app: FastifyInstance,
  readMetrics: () => Promise<MetricsText>,
  token: string | undefined,
): void {
  addPublicOperation({ app }, operations.getMetrics, async ({ headers }, reply) => {
    if (token !== undefined && !hasToken(headers.authorization, token)) {
      throw new HttpError(401, 'Metrics require their bearer token', {
        'WWW-Authenticate': 'Bearer realm="metrics"',
      });
    }
    const { contentType, text } = await readMetrics();
    return reply.type(contentType).send(text);
  });
}

/** Serves metrics on a separate address for as long as the app is served. */
async function serveMetrics(
  app: FastifyInstance,
  address: { host: string; port: number },
  readMetrics: () => Promise<MetricsText>,
  token: string | undefined,
): Promise<void> {
  const { app: metricsApp } = await makeServer({
    log: app.log,
    connectionLimits: { maxConnections: MAX_METRICS_CONNECTIONS },
  });
  addMetricsRoute(metricsApp, readMetrics, token);
  app.addHook('onReady', async () => {
    await metricsApp.listen(address);
  });
  app.addHook('onClose', () => metricsApp.close());
}

/** Compares digests, which have one length, so that the time does not depend on what was sent. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digestOf(sent), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
