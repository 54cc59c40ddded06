// What monitoring adds to a service: the figures of this server, and the status of all of them.
import { hostname } from 'node:os';
import { selectDatabaseVersion } from '../database/queries.js';
import { getVersions, serviceVersion } from '../http/get-versions.js';
import type { ObservedRequests } from '../http/observe-requests.js';
import { addVersionsRoute } from '../http/service-routes.js';
import type { ServiceContext } from '../service-context.js';
import { makeBackupMeasures } from './backup-measures.js';
import type { StatusContext } from './get-service-status.js';
import { FigureRecorder } from './record-figures.js';
import { addMonitoringRoutes } from './routes.js';

export function addMonitoring(
  { config, database, http, jobs, measures, removalClock, conditions }: ServiceContext,
  requests: ObservedRequests,
  relays: StatusContext['relays'],
): void {
  const readDatabaseVersion = async () => {
    const [row] = await database.query(selectDatabaseVersion);
    return row?.version ?? 'unknown';
  };
  // The last figures are written when the port is closed already.
  let port = 0;
  http.app.server.on('listening', () => {
    const address = http.app.server.address();
    if (typeof address === 'object' && address !== null) port = address.port;
  });
  const name = () => `${hostname()}:${port}`;
  addVersionsRoute(http, database, readDatabaseVersion);
  addMonitoringRoutes(http, {
    database,
    name,
    readVersions: () => getVersions(database, readDatabaseVersion),
    relays,
    documentationUrl: config.documentationUrl,
    failedRequests: http.app.failedRequests,
    conditions,
  });
  if (database.kind !== 'embedded') measures.push(...makeBackupMeasures(database));
  jobs.add('server-figures', {
    sentence: 'the figures of this minute were not written; those of the next one include them',
    work: (report) =>
      new FigureRecorder(
        database,
        {
          name,
          version: serviceVersion,
          startedAt: new Date(),
          measured: { measures, requests, backgroundFailures: jobs.failures.counts, readProcess },
          callers: requests.callers,
          failedRequests: http.app.failedRequests,
        },
        removalClock,
        report,
      ),
    start: (recorder) => recorder.start(),
    catchUp: (recorder) => recorder.write(new Date()),
    close: (recorder) => recorder.close(),
  });
}

/** What the process has used since its start. */
function readProcess(): { processorSeconds: number; memoryBytes: number } {
  const { user, system } = process.cpuUsage();
  return { processorSeconds: (user + system) / 1e6, memoryBytes: process.memoryUsage.rss() };
}
