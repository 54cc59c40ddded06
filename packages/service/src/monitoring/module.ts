// What monitoring adds to a service: the figures of this server, and the status of all of them.
import { hostname } from 'node:os';
import { selectDatabaseVersion } from '../database/queries.js';
import { getVersions, serviceVersion } from '../http/get-versions.js';
import type { ObservedRequests } from '../http/observe-requests.js';
import { addVersionsRoute } from '../http/service-routes.js';
import type { ServiceContext } from '../service-context.js';
import type { StatusContext } from './get-service-status.js';
import { FigureRecorder } from './record-figures.js';
import { addMonitoringRoutes } from './routes.js';

export function addMonitoring(
  { database, http, jobs, measures, removalClock }: ServiceContext,
  requests: ObservedRequests,
  readRelayProgress: StatusContext['readRelayProgress'],
): void {
  const readDatabaseVersion = async () => {
    const [row] = await database.query(selectDatabaseVersion);
    return row?.version ?? 'unknown';
  };
  const name = () => `${hostname()}:${portOf(http.app)}`;
  addVersionsRoute(http, database, readDatabaseVersion);
  addMonitoringRoutes(http, {
    database,
    name,
    readVersions: () => getVersions(database, readDatabaseVersion),
    readRelayProgress,
  });
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
        },
        removalClock,
        report,
      ),
    start: (recorder) => recorder.start(),
    catchUp: (recorder) => recorder.write(new Date()),
    close: (recorder) => recorder.close(),
  });
}

/** The port on which the server listens; 0 before it does. */
function portOf(app: ServiceContext['http']['app']): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What the process has used since its start. */
function readProcess(): { processorSeconds: number; memoryBytes: number } {
  const { user, system } = process.cpuUsage();
  return { processorSeconds: (user + system) / 1e6, memoryBytes: process.memoryUsage.rss() };
}
