// What routing runs add to a service.
import type { ServiceContext } from '../service-context.js';
import { RunJob, type RunParts } from './carry-out-runs.js';
import { addRunRoutes } from './routes.js';
import type { MakeRunContext, Runs } from './runs.js';

/** What other modules provide. */
export type RunContext = Pick<RunParts, 'commits'> &
  Pick<Runs, 'readHouseConsignments'> & { contextOf: MakeRunContext };

export function addRuns(
  { config, database, audit, http, jobs, measures }: ServiceContext,
  { commits, contextOf, readHouseConsignments }: RunContext,
): void {
  const { clock, movedClock } = http;
  const enginesAboveOfficers = config.enginesAboveOfficers === 'on';
  const fourEyes = { release: config.fourEyesRelease === 'on', runSize: config.fourEyesRunSize };
  const parts = { database, audit, commits, clock, movedClock, enginesAboveOfficers, fourEyes };
  const job = jobs.add('routing-runs', {
    sentence: 'routing runs could not be carried out; the next attempt continues',
    work: (report) => new RunJob(parts, report),
    start: (runs) => runs.start(),
    catchUp: (runs) => runs.run(),
    endsFirst: true,
    close: (runs) => runs.close(),
  });
  measures.push(...job.measures);
  const wake = () => void job.run();
  const results = config.routingResults;
  const runs = { database, audit, clock, readHouseConsignments, wake, fourEyes, results };
  addRunRoutes(http, runs, contextOf);
}
