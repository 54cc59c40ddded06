// The endpoints for operators: liveness, readiness and metrics.
import { operations } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.js';
import type { Measure } from '../metrics/measure.js';
import type { RequestCounts } from '../metrics/request-counts.js';
import { getLiveness } from './get-liveness.js';
import { getMetrics } from './get-metrics.js';
import { getReadiness } from './get-readiness.js';
import { getVersions } from './get-versions.js';
import { type MetricsText, makeMetrics } from './metrics.js';
import { addOperation, addPublicOperation, type RouteContext } from './operation.js';
import type { ReadinessConditions } from './readiness-conditions.js';
import { makeServer } from './server.js';

/** Connections to the separate port of metrics; scrapers need a few. */
const MAX_METRICS_CONNECTIONS = 100;

/** Where metrics are served, and to whom. */
export type MetricsAccess = {
  /** A separate address; without it, metrics are served on that of the service. */
  address?: { host: string; port: number };
  /** The bearer token that is required; without it, none is. */
  token?: string | undefined;
  /**
   * Begins to follow the token, which may change, and gives what reads it; without it, it does not change.
   *
   * @param warn is given a sentence when it cannot be used
   */
  followToken?: (warn: (sentence: string) => void) => () => Promise<string>;
};

/**
 * Adds the endpoints.
 *
 * @param parts `isDraining` says whether the server is about to stop and should get no more requests; `conditions` must
 * be fulfilled beside that; `requests`, `measures` and `backgroundFailures` (the number of failures by task) are
 * reported beside the metrics of every server; `metrics` is `undefined` if metrics are not served
 */
export async function addServiceRoutes(
  context: Pick<RouteContext, 'app'>,
  {
    database,
    isDraining,
    conditions,
    requests,
    measures,
    backgroundFailures,
    metrics,
  }: {
    database: Database;
    isDraining: () => boolean;
    conditions: Pick<ReadinessConditions, 'unmet' | 'states'>;
    requests: RequestCounts;
    measures: readonly Measure[];
    backgroundFailures: ReadonlyMap<string, number>;
    metrics: MetricsAccess | undefined;
  },
): Promise<void> {
  addPublicOperation(context, operations.getLiveness, async ({ reply }) =>
    reply.type('text/plain').send(getLiveness()),
  );

  addPublicOperation(context, operations.getReadiness, async ({ query, reply }) => {
    const verbose = query.verbose !== undefined;
    const text = await getReadiness(database, isDraining, conditions, { verbose });
    return reply.type('text/plain').send(text);
  });

  if (metrics === undefined) return;
  const { app } = context;
  const readMetrics = makeMetrics(requests, measures, backgroundFailures);
  if (metrics.address === undefined) addMetricsRoute(app, readMetrics, metrics);
  else await serveMetrics(app, metrics.address, readMetrics, metrics);
}

/** Adds the versions, which the authority alone can read. */
export function addVersionsRoute(
  context: RouteContext,
  database: Database,
  readDatabaseVersion: () => Promise<string>,
): void {
  addOperation(context, operations.getVersions, async () =>
    getVersions(database, readDatabaseVersion),
  );
}

function addMetricsRoute(
  app: FastifyInstance,
  readMetrics: () => Promise<MetricsText>,
  { token, followToken }: MetricsAccess,
): void {
  const readToken = followToken?.((sentence) => app.log.warn(sentence)) ?? (async () => token);
  addPublicOperation({ app }, operations.getMetrics, async ({ request, reply }) => {
    const { authorization } = request.headers;
    const { contentType, text } = await getMetrics(readMetrics, authorization, await readToken());
    return reply.type(contentType).send(text);
  });
}

/** Serves metrics on a separate address for as long as the app is served. */
async function serveMetrics(
  app: FastifyInstance,
  address: { host: string; port: number },
  readMetrics: () => Promise<MetricsText>,
  access: MetricsAccess,
): Promise<void> {
  const { app: metricsApp } = await makeServer({
    log: app.log,
    connectionLimits: { maxConnections: MAX_METRICS_CONNECTIONS, maxAddressConnections: 0 },
  });
  addMetricsRoute(metricsApp, readMetrics, access);
  app.addHook('onReady', async () => {
    await metricsApp.listen(address);
  });
  app.addHook('onClose', () => metricsApp.close());
}
