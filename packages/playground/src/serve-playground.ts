// The playground on an open database: dataset, identities, identity provider and the whole service.
import { join } from 'node:path';
import { type PlaygroundIdentity, playgroundIdentities, type Scenario } from '@landfall/contract';
import { readPassphrase } from '@landfall/service';
import {
  type App,
  AuditTrail,
  type Database,
  makeApp,
  makeNewId,
  migrate,
  readMetricsAccess,
} from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import { clientOptions } from './client-options.js';
import { PlaygroundClock } from './clock.js';
import { addControlRoutes } from './control/control-routes.js';
import { addSignIn } from './control/sign-in.js';
import { addTokenRoutes } from './control/token-routes.js';
import type { DatasetSource } from './dataset/dataset-source.js';
import { listDataset } from './dataset/list-dataset.js';
import { prepareDataset } from './dataset/prepare-dataset.js';
import { loadDataset } from './dataset.js';
import { LateDecisions } from './decisions/late-decisions.js';
import { makeDecide } from './decisions/make-decide.js';
import { prepareIdentities } from './identities.js';
import { grantTime } from './identity-provider/grant-time.js';
import { openIdentityProvider } from './identity-provider/identity-provider.js';
import { serveIdentityProvider } from './identity-provider/routes.js';
import { OpenRequests } from './open-requests.js';
import { type Playground, UnknownIdentityError } from './playground.js';
import { ExchangeLog } from './recording/exchange-log.js';
import { recordExchanges } from './recording/record-exchanges.js';
import { restoreInitialData, saveInitialData } from './reset.js';
import { ScenarioRunner } from './scenarios/apply-scenarios.js';
import { openScenarios } from './scenarios/open-scenarios.js';
import { MAX_SCENARIO_HEADER, SCENARIO_HEADER } from './scenarios/scenario-header.js';
import { findTokenFault, makeServiceParts } from './scenarios/service-parts.js';

/** What a playground is served with. */
export type ServeOptions = {
  clock?: PlaygroundClock;
  /** Replaces the built-in goods. */
  dataset?: DatasetSource | undefined;
  identities?: readonly PlaygroundIdentity[] | undefined;
  scenarios?: readonly Scenario[] | undefined;
  onProgress?: (progress: string) => void;
  /** Whether credentials are written to the data folder and found there at the next start; default: true. */
  keepsCredentials?: boolean;
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
    scenarios: initialScenarios = [],
    onProgress = () => undefined,
    keepsCredentials = true,
    closed = async () => undefined,
  }: ServeOptions = {},
): Promise<Playground> {
  const baseUrl = baseAddress(config);
  const idpUrl = `${baseUrl}/idp`;
  const { dataFolder, scopePrefix } = config;
  const newId = makeNewId(() => clock.now().getTime());
  const applied = await migrate(database);
  if (applied.length > 0) onProgress(`brought the database up to date: ${applied.join(', ')}`);
  const loading =
    dataset && (await prepareDataset(database, dataset, config.timeZone, clock.now, onProgress));
  if (loading === undefined) {
    await loadDataset(database, clock.now(), newId);
  }
  onProgress('preparing keys and certificates');
  const identities = [...playgroundIdentities, ...(loading?.identities ?? []), ...further];
  const { credentials, trustedIssuers, register } = await prepareIdentities({
    database,
    audit: new AuditTrail(),
    dataFolder: keepsCredentials ? dataFolder : undefined,
    baseUrl,
    idpUrl,
    scopePrefix,
    identities,
    ...validity(clock.now(), new Date()),
  });
  let service: App | undefined;
  const decisions = new LateDecisions({
    database,
    clock,
    decide: await makeDecide(database, newId, () => service),
  });
  const scenarios = openScenarios(
    {
      clock: clock.now,
      newId,
      identities: credentials,
      deleted: (id) => void decisions.release(id),
    },
    [...(loading?.scenarios ?? []), ...initialScenarios],
  );
  decisions.plan((await loading?.load()) ?? []);
  await saveInitialData(database, loading === undefined);
  const exchanges = new ExchangeLog();
  const runner = new ScenarioRunner({ scenarios, identities: credentials, exchanges, decisions });
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
    fault: () => findTokenFault(runner),
  });
  const verifiers = {
    baseUrl,
    idpUrl,
    scopePrefix,
    identities: credentials,
    identityProvider,
    keys: { folder: keysFolder, passphrase: keysPassphrase },
  };
  const openRequests = new OpenRequests();
  const restoreClock = clock.save();
  const setClock: Playground['setClock'] = async (change) => {
    clock.set(change);
    await decisions.makeDue();
    await service?.catchUp();
  };
  const playground: Playground = {
    baseUrl,
    idpUrl,
    identities: credentials,
    grants: new Map(identities.map(({ name, granted }) => [name, granted])),
    credentials: (name) => {
      const found = credentials.find((identity) => identity.name === name);
      if (found !== undefined) return clientOptions(found);
      const names = credentials.map((identity) => identity.name).join(', ');
      throw new UnknownIdentityError(`there is no identity ${name}; there are ${names}`);
    },
    dataset: (query = {}) =>
      listDataset(
        { database, decisions, identities: credentials, presenters: config.presenters },
        query,
      ),
    clock,
    setClock,
    scenarios: {
      add: (scenario) => scenarios.add(scenario),
      list: () => scenarios.list(),
      delete: (id) => scenarios.delete(id),
      clear: () => scenarios.clear(),
    },
    reset: () => {
      runner.endWaits();
      return openRequests.pauseFor(async () => {
        restoreClock();
        await decisions.reset();
        await restoreInitialData(database);
        await register();
        scenarios.reset();
        exchanges.clear();
      });
    },
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
      decisions.follow(app);
      runner.follow(app);
      addControlRoutes(app, { playground, exchanges, scenarios });
      addTokenRoutes(app, verifiers, { clock: clock.now, newId });
      app.addHook('onSend', async (_request, reply) => {
        // Node.js sends the system's time; clients compare it with times of the service.
        reply.header('Date', clock.now().toUTCString());
      });
    },
    console: {
      signIn: 'identity',
      timeZone: config.timeZone,
      addSignIn: (context) => addSignIn(context, credentials, scopePrefix),
    },
    keysFolder,
    keysPassphrase,
    furtherHeaders: { [SCENARIO_HEADER]: MAX_SCENARIO_HEADER },
    ...makeServiceParts(runner, config),
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
