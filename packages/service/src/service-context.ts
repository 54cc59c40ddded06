// What the modules of a service share, and to which each adds its routes, measures and background work.
import type { AuditTrail } from './audit/audit-trail.js';
import type { BackgroundJobs } from './background-jobs.js';
import type { Config } from './config.js';
import type { Database } from './database/database.js';
import type { RemovalClock } from './database/removal-clock.js';
import type { FeedContext } from './feed/serve-feed.js';
import type { RouteContext } from './http/operation.js';
import type { RateLimit } from './http/rate-limit.js';
import type { ReadinessConditions } from './http/readiness-conditions.js';
import type { Measure } from './metrics/measure.js';

/** What exists before anybody can be authenticated. */
export type ServerContext = {
  config: Config;
  database: Database;
  http: Omit<RouteContext, 'authenticate'>;
  /** Without which the server is not ready, or degraded; each module adds its own. */
  conditions: ReadinessConditions;
  audit: AuditTrail;
  jobs: BackgroundJobs;
  /** What /metrics and the status of the service report; each module adds its own. */
  measures: Measure[];
  removalClock: RemovalClock;
  /** The clock by which entries are removed: in a playground, that of the playground. */
  retentionClock: RemovalClock;
  /** Limits the token requests and the sign-ins of an address. */
  addresses: RateLimit;
};

/** What a module gets. */
export type ServiceContext = Omit<ServerContext, 'http'> & {
  http: RouteContext;
  /** Reading feeds, and waiting for them. */
  feeds: FeedContext;
};
