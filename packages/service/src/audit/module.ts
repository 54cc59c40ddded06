// What the audit trail adds to a service: its checkpoints, its partitions, and the record of who has read a feed.
import type { FeedAccess } from '../feed/feed.js';
import type { ServerContext } from '../service-context.js';
import { AuditCheckpoints } from './audit-checkpoints.js';
import { AuditPartitions } from './audit-partitions.js';
import { FeedAccessLog } from './feed-access-log.js';

/** Adds it, and returns the function that records who has read a feed. */
export function addAudit({
  database,
  config,
  jobs,
  removalClock,
  http: { clock },
}: ServerContext): (access: FeedAccess) => void {
  const dropped = jobs.failures.reporter('feed-access-dropped', 'a feed access is not recorded');
  const { recordAccess } = jobs.add('feed-access', {
    sentence: 'feed accesses are not recorded yet; they are kept',
    work: (failed) => new FeedAccessLog(database, { failed, dropped }, { clock }),
    catchUp: (log) => log.flush(),
    close: (log) => log.close(),
  });
  // After the accesses: their records have a checkpoint too.
  jobs.add('audit-checkpoint', {
    sentence: 'no checkpoint of the audit trail was written; the next one covers it',
    work: (report) => new AuditCheckpoints(database, report, clock),
    start: (checkpoints) => checkpoints.start(),
    catchUp: (checkpoints) => checkpoints.write(clock()),
    close: (checkpoints) => checkpoints.close(),
  });
  jobs.add('audit-partitions', {
    sentence: 'the partitions of the audit trail were not maintained; the next run continues',
    work: (report) => new AuditPartitions(database, config, removalClock, report),
    start: (partitions) => partitions.start(),
    close: (partitions) => partitions.close(),
  });
  return recordAccess;
}
