// The whole service: the only file that wires the rooms together.
import type { FastifyInstance } from 'fastify';
import { type Access, type AccessSettings, createAccess } from './access/access.js';
import { addAccessRoutes } from './access/routes.js';
import { AuditCheckpoints } from './audit/audit-checkpoints.js';
import { AuditTrail } from './audit/audit-trail.js';
import { FeedAccessLog } from './audit/feed-access-log.js';
import { CustomsOffices } from './code-lists/customs-offices.js';
import { makeImportCustomsOffices } from './code-lists/import-customs-offices.js';
import { addCodeListRoutes } from './code-lists/routes.js';
import type { Config } from './config.js';
import { findHouseConsignments } from './consignments/find-house-consignments.js';
import { getHouseConsignmentHistory } from './consignments/get-house-consignment-history.js';
import { addConsignmentRoutes } from './consignments/routes.js';
import type { Database } from './database/database.js';
import { PageCache } from './feed/page-cache.js';
import { ReadCoalescer } from './feed/read-coalescer.js';
import type { ServedPage } from './feed/serve-feed.js';
import { FeedWatch } from './feed/watch-feeds.js';
import { type GoodsItems, startGoodsItems } from './goods-items/goods-items.js';
import { addGoodsItemsRoutes } from './goods-items/routes.js';
import { addApiReference } from './http/api-reference.js';
import { BackgroundFailures } from './http/background-failures.js';
import type { RouteContext } from './http/operation.js';
import { RateLimit } from './http/rate-limit.js';
import { measureDurations } from './http/request-durations.js';
import { logRequests } from './http/request-log.js';
import { makeServer } from './http/server.js';
import { addServiceRoutes, type MetricsAccess } from './http/service-routes.js';
import { newId } from './new-id.js';
import { makePresentConsignment } from './presentation/present-consignment.js';
import { addPresentationRoutes } from './presentation/routes.js';
import { getDeclaration } from './registry/get-declaration.js';
import { makeRegister } from './registry/register.js';
import { addRegistryRoutes } from './registry/routes.js';
import { makeWithdrawDeclaration } from './registry/withdraw-declaration.js';
import { DecisionCommits } from './routing/commit-decisions.js';
import { makeDecideNew } from './routing/decide-new.js';
import { addDecisionRoutes } from './routing/decision-routes.js';
import { addProfileRoutes } from './routing/profile-routes.js';
import { LiveProfiles } from './routing/profiles.js';
import { addRoutingRoutes } from './routing/routes.js';

/** What the service is made of that is not configuration. */
export type AppParts = {
  config: Config;
  /** Migrated; whoever opened it closes it after the app. */
  database: Database;
  /** Where this server is reached, without a slash at the end. */
  baseUrl: string;
  identityProvider: AccessSettings['identityProvider'];
  /** Serves the identity provider as well, as the playground does. */
  addIdentityProvider?: (context: TokenRequestContext) => void;
  /** Folder of the signing keys. */
  keysFolder: string;
  /** What they are encrypted with. */
  keysPassphrase?: string | undefined;
  /** Where metrics are served, and to whom; without it, nowhere. */
  metrics?: MetricsAccess | undefined;
};

/** What an identity provider on this server is given: where to add its routes, and what all token requests share. */
export type TokenRequestContext = {
  http: RouteContext;
  /** Limits the token requests of an address. */
  addresses: RateLimit;
  /** Counts the token request of a client that is verified; throws when it makes too many. */
  admitClient: (clientId: string) => void;
  failures: BackgroundFailures;
};

/** The service, ready to listen. Closing `app` ends what waits and what runs in the background. */
export type App = {
  app: FastifyInstance;
  /** From now on it says that it is not ready, and goes on answering. */
  drain(): void;
};

/** Makes the service. */
export async function makeApp(parts: AppParts): Promise<App> {
  const { config, database, baseUrl } = parts;
  const { app, refuseOtherMethods, droppedConnections } = await makeServer({
    ...config,
    connectionLimits: {
      maxConnections: config.maxConnections,
      maxConnectionAgeMs: config.maxConnectionAge * 1000,
    },
  });
  if (config.accessLog === 'on') logRequests(app);
  let draining = false;
  const audit = new AuditTrail();
  const failures = new BackgroundFailures(app.log);
  database.onListenFailure(
    failures.reporter(
      'listen',
      'announcements of other servers are not heard; polling replaces them',
    ),
  );
  const feedAccess = new FeedAccessLog(database, {
    failed: failures.reporter('feed-access', 'feed accesses are not recorded yet; they are kept'),
    dropped: failures.reporter('feed-access-dropped', 'a feed access is not recorded'),
  });
  const checkpoints = new AuditCheckpoints(
    database,
    failures.reporter('audit-checkpoint', 'no checkpoint of the audit trail; the next covers all'),
  );
  await checkpoints.start();
  const watch = new FeedWatch(database, {
    reportFailure: failures.reporter(
      'feed-watch',
      'feeds could not be polled or announced; the next poll makes up for it',
    ),
  });
  const offices = new CustomsOffices(database);
  await offices.load(
    failures.reporter(
      'customs-offices',
      'the list of customs offices is not refreshed; the last one stays',
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
    tokenLifetime: config.tokenLifetime,
    identityProvider: parts.identityProvider,
    reportKeySetFailure: failures.reporter(
      'identity-provider-keys',
      "the identity provider's keys could not be read; the last ones stay in use",
    ),
    admitClient,
  });

  const http: RouteContext = {
    app,
    baseUrl,
    authenticate: access.authenticate,
    rateLimit: new RateLimit(config.rateLimit),
    scopePrefix: config.scopePrefix,
  };
  const feeds = {
    database,
    watch,
    pages: new PageCache<ServedPage>(),
    reads: new ReadCoalescer(),
    baseUrl,
  };
  const isCustomsOffice = (referenceNumber: string, on: Date) =>
    offices.isValid(referenceNumber, on);
  const addresses = new RateLimit(config.rateLimit, 'address');
  addAccessRoutes(http, access, addresses);
  parts.addIdentityProvider?.({ http, addresses, admitClient, failures });
  addPresentationRoutes(http, {
    ...feeds,
    presentConsignment: makePresentConsignment(
      database,
      watch,
      config.presenters === 'expected' ? 'expected' : 'any',
    ),
    isCustomsOffice,
  });
  addRoutingRoutes(http, { ...feeds, recordAccess: feedAccess.recordAccess });
  const profiles = new LiveProfiles();
  addRegistryRoutes(http, {
    register: makeRegister(database, audit, newId, makeDecideNew(profiles)),
    withdrawDeclaration: makeWithdrawDeclaration(database, audit),
    getDeclaration: (mrn) => getDeclaration(database, mrn),
    isCustomsOffice,
  });
  addConsignmentRoutes(http, {
    find: (query) => findHouseConsignments(database, query),
    readHistory: (id) => getHouseConsignmentHistory(database, id),
  });
  addCodeListRoutes(http, makeImportCustomsOffices(database, offices, audit));
  const commits = new DecisionCommits(database, watch, audit);
  addDecisionRoutes(http, commits);
  addProfileRoutes(http, { database, audit, profiles, commits });
  const goodsItems: GoodsItems = startGoodsItems(database, watch, {
    natsUrl: config.natsUrl,
    retentionDays: config.goodsItemRetention,
    now: Date.now,
    log: app.log,
  });
  await addGoodsItemsRoutes(http, { ...feeds, publishGoodsItems: goodsItems.publish });
  await addServiceRoutes(http, {
    database,
    isDraining: () => draining,
    metrics: parts.metrics,
    measures: [
      {
        name: 'landfall_http_connections_dropped_total',
        help: 'Connections that were closed because there were too many',
        read: async () => droppedConnections(),
      },
      measureDurations(app),
      ...goodsItems.measures,
      ...database.measures,
    ],
    backgroundFailures: failures.counts,
  });
  await addApiReference(app, {
    baseUrl,
    scopePrefix: config.scopePrefix,
    identityProvider: parts.addIdentityProvider !== undefined,
  });
  refuseOtherMethods();

  app.addHook('preClose', async () => {
    // While it can still be woken: what it has not relayed then, another server or the next start does.
    await goodsItems.close();
    watch.close();
  });
  app.addHook('onClose', async () => {
    offices.stop();
    await feedAccess.close();
    await checkpoints.close();
    await access.close();
  });
  return {
    app,
    drain: () => {
      draining = true;
    },
  };
}
