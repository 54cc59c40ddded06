// The whole service: the only file that wires the rooms together.
import type { FastifyInstance } from 'fastify';
import { type Access, createAccess, type IdentityProviderSettings } from './access/access.js';
import { addAccessRoutes } from './access/routes.js';
import { CustomsOffices } from './code-lists/customs-offices.js';
import { makeImportCustomsOffices } from './code-lists/import-customs-offices.js';
import { addCodeListRoutes } from './code-lists/routes.js';
import type { Config } from './config.js';
import type { Database } from './database/database.js';
import { FeedWatch } from './feed/watch-feeds.js';
import { addApiReference } from './http/api-reference.js';
import type { RouteContext } from './http/operation.js';
import { RateLimit } from './http/rate-limit.js';
import { makeServer } from './http/server.js';
import { addServiceRoutes } from './http/service-routes.js';
import { makePresentConsignment } from './presentation/present-consignment.js';
import { addPresentationRoutes } from './presentation/routes.js';
import { addRoutingRoutes } from './routing/routes.js';

/** What the service is made of that is not configuration. */
export type AppParts = {
  config: Config;
  /** Migrated; whoever opened it closes it after the app. */
  database: Database;
  /** Where this server is reached, without a slash at the end. */
  baseUrl: string;
  identityProvider: IdentityProviderSettings;
  /** Folder of the signing keys. */
  keysFolder: string;
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
  const { app, refuseOtherMethods } = await makeServer(config);
  let draining = false;
  const watch = new FeedWatch(database);
  const offices = new CustomsOffices(database);
  await offices.load();
  const access: Access = await createAccess({
    database,
    baseUrl,
    scopePrefix: config.scopePrefix,
    keysFolder: parts.keysFolder,
    tokenLifetime: config.tokenLifetime,
    identityProvider: parts.identityProvider,
  });

  const http: RouteContext = {
    app,
    baseUrl,
    authenticate: access.authenticate,
    rateLimit: new RateLimit(config.rateLimit),
    scopePrefix: config.scopePrefix,
  };
  const feeds = { database, watch, baseUrl };
  addAccessRoutes(http, access);
  addPresentationRoutes(http, {
    ...feeds,
    presentConsignment: makePresentConsignment(database, watch),
    isCustomsOffice: (referenceNumber, on) => offices.isValid(referenceNumber, on),
  });
  addRoutingRoutes(http, feeds);
  addCodeListRoutes(http, makeImportCustomsOffices(database, offices));
  addServiceRoutes(http, { database, isDraining: () => draining });
  await addApiReference(app, {
    baseUrl,
    scopePrefix: config.scopePrefix,
    identityProvider: access.identityProvider !== undefined,
  });
  refuseOtherMethods();

  app.addHook('preClose', async () => {
    watch.close();
  });
  app.addHook('onClose', async () => {
    offices.stop();
    await access.close();
  });
  return {
    app,
    drain: () => {
      draining = true;
    },
  };
}
