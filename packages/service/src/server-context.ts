// Makes the server of a service, before any module: HTTP with its limits, its readiness, its clocks, and what is measured.

import { type OwnAddresses, oneAddress } from './access/addresses.js';
import { AuditTrail } from './audit/audit-trail.js';
import { BackgroundJobs } from './background-jobs.js';
import type { Config } from './config.js';
import type { Database } from './database/database.js';
import { sqlStateOf } from './database/errors.js';
import { COMMITS_TASK, writeFaults } from './database/failed-writes.js';
import { followClock, makeRemovalClock, RemovalPausedError } from './database/removal-clock.js';
import { BackgroundFailures } from './http/background-failures.js';
import type { HeaderLimits } from './http/header-limits.js';
import { OpenRequests } from './http/open-requests.js';
import { RateLimit } from './http/rate-limit.js';
import { measureReads } from './http/read-measures.js';
import { ReadTurns } from './http/read-turns.js';
import {
  type ReadinessCondition,
  ReadinessConditions,
  UnmetConditionError,
} from './http/readiness-conditions.js';
import { makeServer, type Server, type TakeRequest } from './http/server.js';
import { addServiceRoutes, type MetricsAccess } from './http/service-routes.js';
import { UnreadBytes } from './http/unread-bytes.js';
import { UnreadResults } from './http/unread-results.js';
import type { Measure } from './metrics/measure.js';
import { STANDBYS_TASK } from './monitoring/find-problems.js';
import { isError } from './native-error.js';
import type { ServerContext } from './service-context.js';

/** What the server is made from. */
export type ServerParts = {
  config: Config;
  /** A migrated database. The caller closes it after the app. */
  database: Database;
  /** The address of this server, without a slash at the end. */
  baseUrl: string;
  /** All of its addresses, where it has several; default: that one. */
  ownAddresses?: OwnAddresses | undefined;
  /**
   * The time of everything that is recorded, and by which tokens and entries end, as that of a playground, which can be
   * moved; default: the system's, where entries are removed only when they are old by the database's clock too.
   */
  clock?: () => Date;
  /** Request headers that further parts read; default: none. */
  furtherHeaders?: HeaderLimits;
  /** Where metrics are served, and to whom; without it, they are not served. */
  metrics?: MetricsAccess | undefined;
  /** Receives the lines of the log; default: standard output. */
  logTo?: { write(line: string): void };
  /** Handles requests instead of this server; default: none. */
  takeRequest?: TakeRequest;
  /** Without which the server is not ready, beside the database; default: none. */
  conditions?: readonly ReadinessCondition[];
  /** Further metrics; default: none. */
  measures?: readonly Measure[];
};

/** The server, to which modules are added. */
export type MadeServer = Server & {
  context: ServerContext;
  /** Reports from now on that the server is not ready. */
  drain(): void;
};

const MIB = 1024 * 1024;

/** @param rewriteUrl the address that the router sees for the address of a request */
export async function makeServerContext(
  parts: ServerParts,
  rewriteUrl: ((url: string) => string) | undefined,
): Promise<MadeServer> {
  const {
    config,
    database,
    baseUrl,
    ownAddresses,
    furtherHeaders,
    clock = () => new Date(),
  } = parts;
  const unread = new UnreadBytes({
    total: config.unreadMemory * MIB,
    organisation: config.organisationUnreadMemory * MIB,
  });
  const openReads = new OpenRequests('reads', config.openReads);
  const openUploads = new OpenRequests('uploads', config.openUploads);
  const unreadResults = new UnreadResults({
    total: config.unreadResults * MIB,
    upload: config.uploadUnreadResults * MIB,
  });
  let conditions: ReadinessConditions | undefined;
  const findRefusal = () => conditions?.refusal;
  const server = await makeServer({
    ...config,
    unread,
    findRefusal,
    furtherHeaders,
    ...(rewriteUrl && { rewriteUrl }),
    takeRequest: parts.takeRequest,
    ...(parts.logTo && { logTo: parts.logTo }),
    connectionLimits: {
      maxConnections: config.maxConnections,
      maxAddressConnections: config.maxAddressConnections,
      maxConnectionAgeMs: config.maxConnectionAge * 1000,
    },
  });
  const { app, observed, droppedConnections } = server;

  let draining = false;
  const failures = new BackgroundFailures(app.log, {
    // What a server that stops leaves, the next run removes.
    isExpected: (error) => draining && error instanceof RemovalPausedError,
  });
  const jobs = new BackgroundJobs(failures);
  app.addHook('preClose', () => jobs.endFirst());
  app.addHook('onClose', () => jobs.close());
  reportDatabase(database, failures);

  // First in the list: while the server is not ready, nothing is removed.
  const followed = jobs.follow(
    new ReadinessConditions(parts.conditions ?? [], failures, config.documentationUrl),
    {
      start: (checked) => checked.start(),
      close: (checked) => checked.close(),
    },
  );
  conditions = followed;
  // A condition has its own line; each request that fails because of it would have another.
  app.refusalLines.isReported = (error) => {
    if (isError(error) && error.cause instanceof UnmetConditionError) return true;
    const isUnmet = () =>
      followed.states.some(({ task, unmet }) => task === COMMITS_TASK && unmet !== undefined);
    return writeFaults[sqlStateOf(error) ?? ''] !== undefined && isUnmet();
  };
  const findPause = () => (draining ? 'the server is about to stop' : followed.unmet?.message);
  const removalClock = makeRemovalClock(database, { findPause });

  const measures: Measure[] = [
    {
      name: 'landfall_http_connections_dropped_total',
      help: 'Connections that were closed because there were too many',
      read: async () => droppedConnections.inAll,
    },
    {
      name: 'landfall_http_address_connections_dropped_total',
      help: 'Connections that were closed because their address had too many',
      read: async () => droppedConnections.byAddress,
    },
    ...measureReads(openReads, openUploads, unread, unreadResults),
    observed.durations,
    removalClock.measure,
    ...database.measures,
    ...(parts.measures ?? []),
  ];
  await addServiceRoutes(
    { app },
    {
      database,
      isDraining: () => draining,
      conditions: followed,
      metrics: parts.metrics,
      requests: observed,
      measures,
      backgroundFailures: failures.counts,
    },
  );
  const http = {
    app,
    baseUrl,
    ownAddresses: ownAddresses ?? oneAddress(baseUrl),
    rateLimit: new RateLimit(config.rateLimit),
    openReads,
    openUploads,
    // The other half of the sessions is for other organisations.
    readTurns: new ReadTurns(Math.max(1, Math.floor(config.databaseConnections / 2))),
    unread,
    unreadResults,
    findRefusal,
    scopePrefix: config.scopePrefix,
    clock,
    movedClock: parts.clock,
  };
  const context: ServerContext = {
    config,
    database,
    http,
    conditions: followed,
    audit: new AuditTrail(parts.clock === undefined ? 'database' : 'given'),
    jobs,
    measures,
    removalClock,
    retentionClock: parts.clock === undefined ? removalClock : followClock(parts.clock, findPause),
    addresses: new RateLimit(config.rateLimit, 'address'),
  };
  return {
    ...server,
    context,
    drain: () => {
      draining = true;
    },
  };
}

/** Failures of the database that no request sees. */
function reportDatabase(database: Database, failures: BackgroundFailures): void {
  database.announcements.onFailure(
    failures.reporter(
      'listen',
      'announcements of other servers are not received; polling replaces them',
    ),
  );
  database.standbys?.onFailure(
    failures.reporter(STANDBYS_TASK, 'a standby is not read from; the primary is read instead'),
  );
}
