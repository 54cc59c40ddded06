// Assembles the service: the only file that connects the modules.
import { hostname } from 'node:os';
import type { RoutingDecision } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { type Access, type AccessSettings, createAccess } from './access/access.js';
import { addAccessRoutes } from './access/routes.js';
import { AuditCheckpoints } from './audit/audit-checkpoints.js';
import { AuditPartitions } from './audit/audit-partitions.js';
import { AuditTrail } from './audit/audit-trail.js';
import { FeedAccessLog } from './audit/feed-access-log.js';
import { CustomsOffices } from './code-lists/customs-offices.js';
import { addCodeListRoutes } from './code-lists/routes.js';
import type { Config } from './config.js';
import { addArrivalRoutes, addConsignmentRoutes } from './consignments/routes.js';
import { rewriteConsoleUrl } from './console/authenticate-session.js';
import type { ConsoleSettings } from './console/console-settings.js';
import { DatabaseSessions } from './console/database-sessions.js';
import { MemorySessions } from './console/memory-sessions.js';
import { makeOpenIdConsole } from './console/openid/openid-console.js';
import { deriveSessionKey, type OpenIdSettings } from './console/openid/settings.js';
import { makeConsole } from './console/routes.js';
import { SessionCleanup } from './console/session-cleanup.js';
import type { Database } from './database/database.js';
import { selectDatabaseVersion } from './database/queries.js';
import { followClock, makeRemovalClock } from './database/removal-clock.js';
import { readLatest } from './database/standbys.js';
import { FeedViews } from './feed/feed-views.js';
import { PageCache } from './feed/page-cache.js';
import { ReadCoalescer } from './feed/read-coalescer.js';
import type { ServedPage } from './feed/serve-feed.js';
import { FeedWatch } from './feed/watch-feeds.js';
import { makeGoodsItems } from './goods-items/goods-items.js';
import { addGoodsItemsRoutes } from './goods-items/routes.js';
import { addApiReference } from './http/api-reference.js';
import { BackgroundFailures } from './http/background-failures.js';
import { getVersions, serviceVersion } from './http/get-versions.js';
import type { HeaderLimits } from './http/header-limits.js';
import { OpenReads } from './http/open-reads.js';
import type { RouteContext } from './http/operation.js';
import { RateLimit } from './http/rate-limit.js';
import { measureReads } from './http/read-measures.js';
import { type ReadinessCondition, ReadinessConditions } from './http/readiness-conditions.js';
import { makeServer } from './http/server.js';
import { addServiceRoutes, addVersionsRoute, type MetricsAccess } from './http/service-routes.js';
import { UnreadBytes } from './http/unread-bytes.js';
import { UnreadResults } from './http/unread-results.js';
import type { Measure } from './metrics/measure.js';
import { STANDBYS_TASK } from './monitoring/find-problems.js';
import { FigureRecorder } from './monitoring/record-figures.js';
import { addMonitoringRoutes } from './monitoring/routes.js';
import { makeNewId } from './new-id.js';
import { makePresentConsignment } from './presentation/present-consignment.js';
import { addPresentationRoutes } from './presentation/routes.js';
import type { CheckPresentation } from './presentation/submission.js';
import { addRegistryRoutes } from './registry/routes.js';
import { startRelays } from './relay/relays.js';
import { expiringFeeds, retainedKinds } from './retention/retained-kinds.js';
import { Retention } from './retention/retention.js';
import { DecisionCommits } from './routing/commit-decisions.js';
import { makeDecideNew } from './routing/decide-new.js';
import type { DecisionContext } from './routing/decision-context.js';
import { addDecisionRoutes } from './routing/decision-routes.js';
import { type DecisionOutcome, postRoutingDecisions } from './routing/post-routing-decisions.js';
import { addProfileRoutes } from './routing/profile-routes.js';
import { LiveProfiles } from './routing/profiles.js';
import { addRoutingRoutes } from './routing/routes.js';

/** The configuration and the parts that the service is assembled from. */
export type AppParts = {
  config: Config;
  /** A migrated database. The caller closes it after the app. */
  database: Database;
  /** The address of this server, without a slash at the end. */
  baseUrl: string;
  identityProvider: AccessSettings['identityProvider'];
  /** Adds the routes of an identity provider, as the playground does. */
  addIdentityProvider?: (context: TokenRequestContext) => void;
  /** How people sign in to the console; without it, there is no console. */
  console?: ConsoleSettings | undefined;
  /** The provider at which people sign in to the console, instead of `console`. */
  openIdConnect?: OpenIdSettings | undefined;
  /** Folder of the signing keys. */
  keysFolder: string;
  /** Encrypts the signing keys. */
  keysPassphrase?: string | undefined;
  /**
   * The time of everything that is recorded, and by which tokens and entries end, as that of a playground, which can be
   * moved; default: the system's, where entries are removed only when they are old by the database's clock too.
   */
  clock?: () => Date;
  /** How long the next customs token lives, in seconds; default: as configured. */
  tokenLifetime?: () => number;
  /** Further errors of a presentation, by rules beyond those of the contract; default: none. */
  checkPresentation?: CheckPresentation;
  /** Request headers that further parts read; default: none. */
  furtherHeaders?: HeaderLimits;
  /** Where metrics are served, and to whom; without it, they are not served. */
  metrics?: MetricsAccess | undefined;
  /** Without which the server is not ready, beside the database; default: none. */
  conditions?: readonly ReadinessCondition[];
  /** Further metrics; default: none. */
  measures?: readonly Measure[];
};

/** The parts that an identity provider on this server needs: its routes, and the limits of token requests. */
export type TokenRequestContext = {
  http: RouteContext;
  /** Limits the token requests of an address. */
  addresses: RateLimit;
  /** Counts the token request of a client that is verified; throws when it makes too many. */
  admitClient: (clientId: string) => void;
  failures: BackgroundFailures;
};

/** The service, ready to listen. Closing `app` ends waiting reads and background work. */
export type App = {
  app: FastifyInstance;
  /** Reports from now on that the server is not ready, and continues to serve requests. */
  drain(): void;
  /** Records decisions, as `postRoutingDecisions` does for the authority. */
  decide(
    decisions: readonly RoutingDecision[],
    context: DecisionContext,
  ): Promise<DecisionOutcome[]>;
  /** Does now what a server otherwise does every minute: removes what has expired, and writes a checkpoint. */
  catchUp(): Promise<void>;
};

const MIB = 1024 * 1024;

/** Makes the service. */
export async function makeApp(parts: AppParts): Promise<App> {
  const { config, database, baseUrl, clock = () => new Date() } = parts;
  const unread = new UnreadBytes({
    total: config.unreadMemory * MIB,
    organisation: config.organisationUnreadMemory * MIB,
  });
  const server = await makeServer({
    ...config,
    unread,
    ...((parts.console ?? parts.openIdConnect) !== undefined && { rewriteUrl: rewriteConsoleUrl }),
    furtherHeaders: parts.furtherHeaders,
    connectionLimits: {
      maxConnections: config.maxConnections,
      maxAddressConnections: config.maxAddressConnections,
      maxConnectionAgeMs: config.maxConnectionAge * 1000,
    },
  });
  const { app, observed: requests, refuseOtherMethods, droppedConnections } = server;
  const openReads = new OpenReads(config.openReads);
  const unreadResults = new UnreadResults({
    total: config.unreadResults * MIB,
    upload: config.uploadUnreadResults * MIB,
  });
  let draining = false;
  const audit = new AuditTrail();
  const failures = new BackgroundFailures(app.log);
  database.onListenFailure(
    failures.reporter(
      'listen',
      'announcements of other servers are not received; polling replaces them',
    ),
  );
  database.standbys?.onFailure(
    failures.reporter(STANDBYS_TASK, 'a standby is not read from; the primary is read instead'),
  );
  const feedAccess = new FeedAccessLog(
    database,
    {
      failed: failures.reporter('feed-access', 'feed accesses are not recorded yet; they are kept'),
      dropped: failures.reporter('feed-access-dropped', 'a feed access is not recorded'),
    },
    { clock },
  );
  const checkpoints = new AuditCheckpoints(
    database,
    failures.reporter(
      'audit-checkpoint',
      'no checkpoint of the audit trail was written; the next one covers it',
    ),
    clock,
  );
  await checkpoints.start();
  const conditions = new ReadinessConditions(parts.conditions ?? [], failures);
  const findPause = () => (draining ? 'the server is about to stop' : conditions.unmet?.message);
  const removalClock = makeRemovalClock(database, { findPause });
  const partitions = new AuditPartitions(
    database,
    config,
    removalClock,
    failures.reporter(
      'audit-partitions',
      'the partitions of the audit trail were not maintained; the next run continues',
    ),
  );
  const watch = new FeedWatch(database, {
    reportFailure: failures.reporter(
      'feed-watch',
      'feeds could not be polled or announced; the next poll finds the new entries',
    ),
  });
  const offices = new CustomsOffices(database);
  await offices.load(
    failures.reporter(
      'customs-offices',
      'the list of customs offices is not refreshed; the last one stays in use',
    ),
  );
  const tokenClients = new RateLimit(config.rateLimit, 'client');
  const admitClient = (clientId: string) => tokenClients.count(clientId, Date.now());
  const access: Access = await createAccess({
    database,
    audit,
    baseUrl,
    scopePrefix: config.scopePrefix,
    keysFolder: parts.keysFolder,
    keysPassphrase: parts.keysPassphrase,
    warn: (sentence) => app.log.warn(sentence),
    tokenLifetime: parts.tokenLifetime ?? (() => config.tokenLifetime),
    identityProvider: parts.identityProvider,
    reportKeySetFailure: failures.reporter(
      'identity-provider-keys',
      "the identity provider's keys could not be read; the last ones stay in use for 4 hours",
    ),
    admitClient,
    clock,
  });

  const addresses = new RateLimit(config.rateLimit, 'address');
  const consoleSettings =
    parts.console ??
    (parts.openIdConnect &&
      makeOpenIdConsole(
        parts.openIdConnect,
        baseUrl,
        failures.reporter(
          'console-sign-in',
          'people may be unable to sign in to the console; who has signed in stays so',
        ),
      ));
  const sessions = parts.console
    ? new MemorySessions()
    : parts.openIdConnect &&
      new DatabaseSessions(database, {
        key: deriveSessionKey(parts.openIdConnect),
        confirm: consoleSettings?.confirm,
      });
  const sessionCleanup =
    parts.openIdConnect &&
    new SessionCleanup(
      database,
      removalClock,
      failures.reporter(
        'console-sessions',
        'ended sessions of the console are not deleted yet; the next run deletes them',
      ),
    );
  const webConsole =
    consoleSettings &&
    sessions &&
    makeConsole({
      ...consoleSettings,
      baseUrl,
      sessions,
      audit,
      addresses,
      // Not the limit of token requests: whoever shares an address can still sign in.
      cookieAddresses: new RateLimit(config.rateLimit, 'address'),
      findCaller: access.findCaller,
      authenticateByToken: access.authenticate,
      clock,
    });
  const http: RouteContext = {
    app,
    baseUrl,
    authenticate: webConsole?.authenticate ?? access.authenticate,
    rateLimit: new RateLimit(config.rateLimit),
    openReads,
    unread,
    unreadResults,
    scopePrefix: config.scopePrefix,
    clock,
  };
  const feeds = {
    database,
    views: new FeedViews(database),
    watch,
    pages: new PageCache<ServedPage>(),
    unread,
    reads: new ReadCoalescer(),
    expiring: expiringFeeds(config),
    baseUrl,
    clock,
  };
  const isCustomsOffice = (referenceNumber: string, on: Date) =>
    offices.isValid(referenceNumber, on);
  addAccessRoutes(http, access, addresses);
  parts.addIdentityProvider?.({ http, addresses, admitClient, failures });
  addPresentationRoutes(http, {
    ...feeds,
    presentConsignment: makePresentConsignment(database, watch, config.presenters, clock),
    isCustomsOffice,
    checkPresentation: parts.checkPresentation ?? (() => []),
  });
  addRoutingRoutes(http, { ...feeds, recordAccess: feedAccess.recordAccess });
  const profiles = new LiveProfiles();
  database.onOutdated(() => {
    feeds.pages.clear();
    profiles.forget();
  });
  addRegistryRoutes(http, {
    database,
    audit,
    newId: makeNewId(() => clock().getTime()),
    decideNew: makeDecideNew(profiles),
    isCustomsOffice,
  });
  addConsignmentRoutes(http, readLatest(database));
  addArrivalRoutes(http, database);
  addCodeListRoutes(http, { database, audit, offices });
  const commits = new DecisionCommits(database, watch, audit);
  addDecisionRoutes(http, commits);
  addProfileRoutes(http, { database, audit, profiles, commits });
  const relays = startRelays(database, watch, config.relay, {
    natsUrl: config.natsUrl,
    replicas: config.relayReplicas,
    log: app.log,
  });
  const waitsForRelay = config.retentionWaitsForRelay === 'on';
  const goodsItems = makeGoodsItems(database, watch, {
    findRelayed: async () =>
      waitsForRelay
        ? ((await relays.readProgress('goods-items'))?.relayed ?? Number.MAX_SAFE_INTEGER)
        : Number.MAX_SAFE_INTEGER,
    clock,
  });
  const retention = new Retention(
    database,
    retainedKinds(
      config,
      { database, audit, clock },
      goodsItems.expire,
      waitsForRelay ? relays.streamOf('routing-signals') : undefined,
    ),
    parts.clock === undefined ? removalClock : followClock(parts.clock, findPause),
    failures.reporter(
      'retention',
      'what is older than it is kept could not be removed; the next run removes it',
    ),
    (context, message) => app.log.warn(context, message),
  );
  await addGoodsItemsRoutes(http, { ...feeds, publishBlock: goodsItems.publishBlock });
  const measures: readonly Measure[] = [
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
    ...measureReads(openReads, unread, unreadResults),
    requests.durations,
    ...relays.measures,
    ...retention.measures,
    removalClock.measure,
    ...(sessionCleanup?.measures ?? []),
    ...database.measures,
    ...(parts.measures ?? []),
  ];
  await conditions.start();
  // Only now: while the server is not ready, nothing is removed.
  retention.start();
  partitions.start();
  sessionCleanup?.start();
  await addServiceRoutes(http, {
    database,
    isDraining: () => draining,
    conditions,
    metrics: parts.metrics,
    requests,
    measures,
    backgroundFailures: failures.counts,
  });
  const readDatabaseVersion = async () => {
    const [row] = await database.query<{ version: string }>(selectDatabaseVersion);
    return row?.version ?? 'unknown';
  };
  addVersionsRoute(http, database, readDatabaseVersion);
  const name = () => `${hostname()}:${portOf(app)}`;
  addMonitoringRoutes(http, {
    database,
    name,
    readVersions: () => getVersions(database, readDatabaseVersion),
    readRelayProgress: relays.readProgress,
  });
  const figures = new FigureRecorder(
    database,
    {
      name,
      version: serviceVersion,
      startedAt: new Date(),
      measured: { measures, requests, backgroundFailures: failures.counts, readProcess },
      callers: requests.callers,
    },
    removalClock,
    failures.reporter(
      'server-figures',
      'the figures of this minute were not written; those of the next one include them',
    ),
  );
  figures.start();
  await addApiReference(app, {
    baseUrl,
    scopePrefix: config.scopePrefix,
    identityProvider: parts.addIdentityProvider !== undefined,
    unread,
  });
  await webConsole?.addRoutes(app);
  refuseOtherMethods();

  app.addHook('preClose', async () => {
    await retention.close();
    // Relays end while the watch can still wake them. Another server, or the next start, relays the rest.
    await relays.close();
    watch.close();
  });
  app.addHook('onClose', async () => {
    conditions.close();
    offices.stop();
    await figures.close();
    await sessionCleanup?.close();
    await feedAccess.close();
    await checkpoints.close();
    await partitions.close();
    await access.close();
  });
  return {
    app,
    drain: () => {
      draining = true;
    },
    decide: (decisions, context) =>
      postRoutingDecisions(
        commits,
        decisions.map((decision) => ({ decision })),
        context,
      ),
    catchUp: async () => {
      await retention.run();
      await sessionCleanup?.run();
      await feedAccess.flush();
      await checkpoints.write(clock());
      await figures.write(new Date());
    },
  };
}

/** The port on which the server listens; 0 before it does. */
function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What the process has used since its start. */
function readProcess(): { processorSeconds: number; memoryBytes: number } {
  const { user, system } = process.cpuUsage();
  return { processorSeconds: (user + system) / 1e6, memoryBytes: process.memoryUsage.rss() };
}
