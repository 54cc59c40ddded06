// Assembles the service: the list of its modules, and the only file that connects them.
import type { RoutingDecision } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { findParties } from './access/find-parties.js';
import { type AccessParts, openAccess } from './access/module.js';
import { addAccessRoutes } from './access/routes.js';
import { addAudit } from './audit/module.js';
import { findUnlistedPlaces } from './code-lists/find-unlisted-places.js';
import { addCodeLists } from './code-lists/module.js';
import { addConsignments } from './consignments/module.js';
import { rewriteConsoleUrl } from './console/authenticate-session.js';
import { addConsole, type SignIn } from './console/module.js';
import { LEVEL_SESSIONS } from './database/database.js';
import { addDocuments } from './documents/module.js';
import { openFeeds } from './feed/module.js';
import type { FindLateStatuses } from './feed/serve-feed.js';
import { goodsItemEvents } from './goods-items/event-feed.js';
import { addGoodsItems } from './goods-items/module.js';
import { addApiReference } from './http/api-reference.js';
import type { BackgroundFailures } from './http/background-failures.js';
import { addDocumentationSite } from './http/documentation-site.js';
import type { RouteContext } from './http/operation.js';
import type { RateLimit } from './http/rate-limit.js';
import { addMonitoring } from './monitoring/module.js';
import { lockWaiting } from './movements/complete-waiting.js';
import { addMovements, type Movements } from './movements/module.js';
import { addPresentation } from './presentation/module.js';
import type { CheckPresentation } from './presentation/submission.js';
import { addPush, type PushReplacements } from './push/module.js';
import type { FindRestriction } from './push/read-entries.js';
import type { DocumentRegisters } from './reference-documents/find-registers.js';
import { addReferenceDocuments } from './reference-documents/module.js';
import { DeclarationTurns } from './registry/declaration-locks.js';
import { addRegistry } from './registry/module.js';
import { addRelays, type RelayModule } from './relay/module.js';
import { addRetention } from './retention/module.js';
import { expiringFeeds } from './retention/retained-kinds.js';
import type { DecideByDefault } from './routing/decide-presented.js';
import type { DecisionContext } from './routing/decision-context.js';
import { addRouting } from './routing/module.js';
import { type DecisionOutcome, postRoutingDecisions } from './routing/post-routing-decisions.js';
import { routingSignals } from './routing/signal-feed.js';
import { addRuns } from './runs/module.js';
import type { FileScanner } from './scanning/file-scanner.js';
import { type MadeServer, makeServerContext, type ServerParts } from './server-context.js';
import type { ServiceContext } from './service-context.js';

/** The configuration and the parts that the service is assembled from. */
export type AppParts = ServerParts &
  AccessParts &
  PushReplacements & {
    /** Adds the routes of an identity provider, as the playground does. */
    addIdentityProvider?: (context: TokenRequestContext) => void;
    /** How people sign in to the console; without it, there is no console. */
    console?: SignIn | undefined;
    /** Further errors of a presentation, by rules beyond those of the contract; default: none. */
    checkPresentation?: CheckPresentation;
    /** Which statuses of requests are not to be found yet; default: each is found at once. */
    findLateStatuses?: FindLateStatuses;
    /** Changes what registers say of the documents that a message cites, of the request that is handled; default: nothing. */
    changeRegisters?: (registers: DocumentRegisters) => DocumentRegisters;
    /** Decides lodged goods that are presented, if no profile does, as a playground does; default: nobody. */
    decideByDefault?: DecideByDefault;
    /** Says whether a document has malware, where no scanner is configured; default: none, and no document is taken. */
    documentScanner?: FileScanner;
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
export type App = Movements & {
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
  /** What is relayed to NATS. */
  relays: Pick<RelayModule, 'streams' | 'whenRelaying' | 'restartAfter' | 'remove'>;
};

/** Makes the service. If that fails, nothing of it goes on. */
export async function makeApp(parts: AppParts): Promise<App> {
  const server = await makeServerContext(parts, parts.console && rewriteConsoleUrl);
  try {
    const modules = await addModules(parts, server);
    await server.context.jobs.start();
    return { app: server.app, drain: server.drain, ...modules };
  } catch (error) {
    await server.app.close();
    throw error;
  }
}

/** Adds each module. Background work begins in the order of this list, and ends in it. */
async function addModules(
  parts: AppParts,
  { app, context, observed }: MadeServer,
): Promise<Omit<App, 'app' | 'drain'>> {
  const { config, baseUrl, console } = parts;
  const { jobs } = context;

  const recordAccess = addAudit(context);
  const { access, admitClient } = await openAccess(context, parts);
  const webConsole = console && addConsole(context, console, access);
  const { authenticate } = webConsole ?? access;
  const http: RouteContext = { ...context.http, authenticate };
  const feeds = openFeeds(context, expiringFeeds(config), parts.findLateStatuses);
  const service: ServiceContext = { ...context, http, feeds };

  addAccessRoutes(http, access, context.addresses);
  const { addresses } = context;
  parts.addIdentityProvider?.({ http, addresses, admitClient, failures: jobs.failures });
  const isCustomsOffice = addCodeLists(service);
  const { checkPresentation = () => [], changeRegisters = (registers) => registers } = parts;
  const { commits, profiles, contextOf, notePresented } = addRouting(
    service,
    recordAccess,
    parts.decideByDefault,
  );
  const reached = addPresentation(service, { isCustomsOffice, checkPresentation }, notePresented);
  const { turns } = addRegistry(service, { profiles, isCustomsOffice, arrived: reached });
  const { database } = service;
  const goods = { profiles, expectedOnly: service.config.presenters === 'expected' };
  const findDocuments = addReferenceDocuments(service, {
    lockWaiting: (transaction, documents) => lockWaiting(transaction, goods, documents),
    notePresented,
  });
  const movements = await addMovements(service, {
    profiles,
    turns,
    notePresented,
    signals: routingSignals,
    reached,
    arrivalTurns: new DeclarationTurns(database, {
      maxInFlight: LEVEL_SESSIONS / 2,
      measuredAs: 'arrivals',
    }),
    findParties: (numbers) => findParties(database.lookUps, numbers),
    sources: {
      isCustomsOffice,
      findUnlistedPlaces: (codes) => findUnlistedPlaces(database.lookUps, codes),
      findDocuments: async (cited) => changeRegisters(await findDocuments(cited)),
    },
  });
  const { readHouseConsignments } = addConsignments(service);
  addRuns(service, { commits, contextOf, readHouseConsignments });
  const relays = addRelays(service);
  const goodsItems = await addGoodsItems(service, relays.findRelayed);
  await addDocuments(service, parts.documentScanner, findDocuments);
  // Of the other feeds, an organisation has its own.
  const findRestriction: FindRestriction = async ({ kind }, organisationId) =>
    kind === goodsItemEvents ? goodsItems.reader.findRestriction(organisationId) : undefined;
  addPush(service, recordAccess, findRestriction, parts);
  addRetention(service, goodsItems.expire, relays.findSignalStreams);
  addMonitoring(service, observed, relays);
  // The watch wakes relays and readers, so it ends after them.
  jobs.follow(feeds.watch, { endsFirst: true, close: (watch) => watch.close() });
  await addApiReference(app, {
    findBaseUrl: () => context.http.ownAddresses.all[0] ?? baseUrl,
    scopePrefix: config.scopePrefix,
    identityProvider: parts.addIdentityProvider !== undefined,
    unread: http.unread,
  });
  await addDocumentationSite(app, config.documentationFolder);
  await webConsole?.addPages();

  return {
    decide: (decisions, by) =>
      postRoutingDecisions(
        commits,
        decisions.map((decision) => ({ decision })),
        by,
      ),
    ...movements,
    catchUp: () => jobs.catchUp(),
    relays,
  };
}
