// The playground on an open database: dataset, identities, identity provider and the whole service.
import { join } from 'node:path';
import { type PlaygroundIdentity, playgroundIdentities } from '@landfall/contract';
import { readPassphrase } from '@landfall/service';
import {
  type App,
  AuditTrail,
  type Database,
  makeApp,
  makeNewId,
  migrate,
} from '@landfall/service/assembly';
import { type Config, readMetricsAccess } from '@landfall/service/config';
import { clientOptions } from './client-options.js';
import { PlaygroundClock } from './clock.js';
import { addControlRoutes } from './control/control-routes.js';
import type { DatasetSource } from './dataset/dataset-source.js';
import { prepareDataset } from './dataset/prepare-dataset.js';
import { loadDataset } from './dataset.js';
import { prepareIdentities } from './identities.js';
import { grantTime } from './identity-provider/grant-time.js';
import { openIdentityProvider } from './identity-provider/identity-provider.js';
import { serveIdentityProvider } from './identity-provider/routes.js';
import { OpenRequests } from './open-requests.js';
import { type Playground, UnknownIdentityError } from './playground.js';
import { ExchangeLog } from './recording/exchange-log.js';
import { recordExchanges } from './recording/record-exchanges.js';
import { restoreInitialData, saveInitialData } from './reset.js';

/** What a playground is served with. */
export type ServeOptions = {
  clock?: PlaygroundClock;
  /** Replaces the built-in goods. */
  dataset?: DatasetSource | undefined;
  identities?: readonly PlaygroundIdentity[] | undefined;
  onProgress?: (progress: string) => void;
  /** Is called when it is closed. */
  closed?: () => Promise<void>;
};

/** Serves a playground on an open database, which it closes. If that fails, the database stays open. */
export async function servePlayground(
  config: Config,
  database: Database,
  {
    clock = new PlaygroundClock(),
    dataset,
    identities: further = [],
    onProgress = () => undefined,
    closed = async () => undefined,
  }: ServeOptions = {},
): Promise<Playground> {
  const baseUrl = baseAddress(config);
  const idpUrl = `${baseUrl}/idp`;
  const { dataFolder, scopePrefix } = config;
  const applied = await migrate(database);
  if (applied.length > 0) onProgress(`brought the database up to date: ${applied.join(', ')}`);
  const loading = dataset && (await prepareDataset(database, dataset, clock.now, onProgress));
  if (loading === undefined) {
    await loadDataset(
      database,
      clock.now(),
      makeNewId(() => clock.now().getTime()),
    );
  }
  onProgress('preparing keys and certificates');
  const { credentials, trustedIssuers, register } = await prepareIdentities({
    database,
    audit: new AuditTrail(),
    dataFolder,
    baseUrl,
    idpUrl,
    scopePrefix,
    identities: [...playgroundIdentities, ...(loading?.identities ?? []), ...further],
    ...validity(clock.now(), new Date()),
  });
  await loading?.load();
  await saveInitialData(database);
  const keysFolder = join(dataFolder, 'keys');
  const keysPassphrase = await readPassphrase(config);
  const identityProvider = await openIdentityProvider({
    database,
    issuer: idpUrl,
    audience: baseUrl,
    scopePrefix,
    trustedIssuers,
    keys: { folder: keysFolder, passphrase: keysPassphrase },
    clock: clock.now,
    grantTime,
  });
  const exchanges = new ExchangeLog();
  const openRequests = new OpenRequests();
  const initialClock = clock.state();
  let service: App | undefined;
  const setClock: Playground['setClock'] = async (change) => {
    clock.set(change);
    await service?.catchUp();
  };
  const playground: Playground = {
    baseUrl,
    idpUrl,
    identities: credentials,
    credentials: (name) => {
      const found = credentials.find((identity) => identity.name === name);
      if (found !== undefined) return clientOptions(found);
      const names = credentials.map((identity) => identity.name).join(', ');
      throw new UnknownIdentityError(`there is no identity ${name}; there are ${names}`);
    },
    clock,
    setClock,
    reset: () =>
      openRequests.pauseFor(async () => {
        clock.set(
          initialClock.running ? { time: new Date().toISOString(), running: true } : initialClock,
        );
        await restoreInitialData(database);
        await register();
        exchanges.clear();
      }),
    requests: () => structuredClone(exchanges.list()),
    clearRequests: () => exchanges.clear(),
    close: async () => {
      await service?.app.close();
      await database.close();
      await closed();
    },
    [Symbol.asyncDispose]: () => playground.close(),
  };
  service = await makeApp({
    config,
    database,
    baseUrl,
    identityProvider,
    addIdentityProvider: (context) => {
      const { app } = context.http;
      recordExchanges(app.server, exchanges);
      openRequests.follow(app);
      serveIdentityProvider(context, identityProvider);
      addControlRoutes(app, { playground, exchanges });
      app.addHook('onSend', async (_request, reply) => {
        // Node.js sends the system's time; clients compare it with times of the service.
        reply.header('Date', clock.now().toUTCString());
      });
    },
    keysFolder,
    keysPassphrase,
    metrics: (await readMetricsAccess(config)) ?? {},
    clock: clock.now,
  });
  try {
    await service.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await service.app.close();
    throw error;
  }
  return playground;
}

/** Certificates are valid by the clock of the playground and by those of clients, which are usually the system's. */
function validity(...times: readonly Date[]): { now: Date; latest: Date } {
  const [now, latest] = times.map(Number).sort((one, other) => one - other);
  return { now: new Date(now ?? 0), latest: new Date(latest ?? 0) };
}

/** An address of this machine is written as `localhost`. */
function baseAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  const name = local ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
