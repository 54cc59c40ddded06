// Composes what clients of a playground or of one of its spaces use: identity provider, scenarios, record and the service.
import { join } from 'node:path';
import type { PlaygroundCredentials, PlaygroundIdentity, Scenario } from '@landfall/contract';
import { readPassphrase } from '@landfall/service';
import {
  type App,
  type BackgroundFailures,
  type ConsoleSettings,
  type Database,
  makeApp,
  makeNewId,
  type OwnAddresses,
  readMetricsAccess,
} from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import type { FastifyInstance } from 'fastify';
import { checkIdentityPut } from './check-options.js';
import { clientOptions } from './client-options.js';
import type { PlaygroundClock } from './clock.js';
import type { Admission } from './control/control-access.js';
import { addControlRoutes } from './control/control-routes.js';
import { addIdentityRoutes } from './control/identity-routes.js';
import { addSignIn } from './control/sign-in.js';
import { addTokenRoutes } from './control/token-routes.js';
import { MAX_WAITS, OWN_WAITS, Waits } from './control/waits.js';
import { listDataset } from './dataset/list-dataset.js';
import { decideByDefault } from './decisions/default-decision.js';
import type { PlannedDecision } from './decisions/goods.js';
import { LateDecisions } from './decisions/late-decisions.js';
import { findAuthority, makeDecide } from './decisions/make-decide.js';
import { eicarScanner } from './eicar-scanner.js';
import type { PreparedIdentities } from './identities.js';
import { grantTime } from './identity-provider/grant-time.js';
import { openIdentityProvider } from './identity-provider/identity-provider.js';
import { serveIdentityProvider } from './identity-provider/routes.js';
import { LaterEvents } from './movements/later-events.js';
import { nameOwnAddress } from './name-own-address.js';
import type { OldStreams } from './old-streams.js';
import { OpenRequests } from './open-requests.js';
import { PlaygroundClosedError, type PlaygroundParts, UnknownIdentityError } from './playground.js';
import { type KeptData, PlaygroundState } from './playground-state.js';
import { ExchangeLog } from './recording/exchange-log.js';
import { verify } from './recording/verify.js';
import { ScenarioRunner } from './scenarios/apply-scenarios.js';
import { makeDeliveries } from './scenarios/delivery-effects.js';
import { openScenarios } from './scenarios/open-scenarios.js';
import { recordCallers } from './scenarios/record-callers.js';
import { MAX_SCENARIO_HEADER, SCENARIO_HEADER } from './scenarios/scenario-header.js';
import { findTokenFault, makeServiceParts } from './scenarios/service-parts.js';

/** What differs between a playground and each of its spaces. */
export type Composition = {
  config: Config;
  /** Where its access and identity keys are. */
  folder: string;
  database: Database;
  /** Its addresses; the first is its `baseUrl`. */
  addresses: OwnAddresses;
  controlAccess: Admission;
  /** The callers of all compositions of a playground that wait. */
  waits: Waits;
  clock: PlaygroundClock;
  /** Is called when the clock was changed. */
  clockChanged(): Promise<void>;
  identities: readonly PlaygroundIdentity[];
  prepared: PreparedIdentities;
  /** Where the credentials of its identities are written; default: nowhere. */
  credentialsFolder?: (() => string) | undefined;
  scenarios: readonly Scenario[];
  /** Loads what is not in the database yet, and returns the decisions that come late. */
  load(): Promise<readonly PlannedDecision[]>;
  /** Loads what only the service can, before it listens. */
  complete?(service: App): Promise<void>;
  /** Its streams in NATS; without them, nothing was ever relayed. */
  oldStreams?: OldStreams | undefined;
  /** The data to which resets return. */
  data: KeptData;
  /** How people sign in to the console; without it, there is none. */
  console?: Pick<ConsoleSettings, 'signIn' | 'space' | 'dataFolder'> | undefined;
  /** Takes requests, before the service does. */
  takeRequest?: Parameters<typeof makeApp>[0]['takeRequest'];
  /** Adds further control addresses. */
  addControl?(app: FastifyInstance, failures: BackgroundFailures): void;
};

/** What was composed. It does not listen. */
export type Composed = {
  service: App;
  parts: Omit<PlaygroundParts, 'close' | typeof Symbol.asyncDispose>;
  exchanges: ExchangeLog;
  /**
   * Ends the requests in progress, and then the service.
   *
   * @returns whether all that may change data ended by themselves
   */
  close(): Promise<boolean>;
  /** From now on, what needs an open playground is refused. */
  refuse(): void;
};

/** Composes it on a migrated database, with its identities registered. */
export async function composePlayground({
  config,
  folder,
  database,
  addresses,
  controlAccess,
  waits: allWaits,
  clock,
  clockChanged,
  identities,
  prepared,
  credentialsFolder,
  scenarios: initialScenarios,
  load,
  complete,
  oldStreams,
  data,
  console,
  takeRequest,
  addControl = () => undefined,
}: Composition): Promise<Composed> {
  const { scopePrefix, natsPrefix, timeZone } = config;
  const { credentials, trustedIssuers, register, registerChanges } = prepared;
  const [baseUrl = ''] = addresses.all;
  const findBaseUrl = () => addresses.all[0] ?? '';
  const newId = makeNewId(() => clock.now().getTime());
  let service: App | undefined;
  let report = (_error: unknown) => {};
  const authority = await findAuthority(database);
  const decisions = new LateDecisions({
    database,
    clock,
    decide: makeDecide(authority, newId, () => service),
    report: (error) => report(error),
  });
  const later = new LaterEvents({
    database,
    clock,
    newId,
    authority: authority.identifier,
    service: () => service,
    report: (error) => report(error),
  });
  const scenarios = openScenarios(
    {
      clock: clock.now,
      newId,
      identities: credentials,
      ended: (id) => {
        const held = decisions.holds(id);
        void decisions.release(id);
        return held;
      },
    },
    initialScenarios,
  );
  decisions.plan(await load());
  const deliveries = makeDeliveries(scenarios, credentials);
  const exchanges = new ExchangeLog();
  const state = new PlaygroundState({
    data,
    clock,
    clockChanged,
    decisions,
    later,
    scenarios,
    deliveries,
    exchanges,
    register,
    registerChanges,
  });
  const runner = new ScenarioRunner({
    scenarios,
    identities: credentials,
    exchanges,
    decisions,
    later,
  });
  const keysFolder = join(folder, 'keys');
  const keysPassphrase = await readPassphrase(config);
  const keys = { folder: keysFolder, passphrase: keysPassphrase };
  const identityProvider = await openIdentityProvider({
    database,
    addresses,
    scopePrefix,
    trustedIssuers,
    keys,
    clock: clock.now,
    grantTime,
    fault: () => findTokenFault(runner),
  });
  const verifiers = {
    addresses,
    scopePrefix,
    identities: credentials,
    identityProvider,
    keys,
  };
  const openRequests = new OpenRequests();
  const closing = new AbortController();
  const requireOpen = () => {
    if (closing.signal.aborted) throw new PlaygroundClosedError();
  };
  const grants = new Map(identities.map(({ name, granted }) => [name, granted]));
  const parts: Composed['parts'] = {
    get baseUrl() {
      return findBaseUrl();
    },
    get idpUrl() {
      return `${findBaseUrl()}/idp`;
    },
    natsPrefix: natsPrefix === 'none' ? '' : natsPrefix,
    identities: credentials,
    grants,
    credentials: (name) => clientOptions(findIdentity(credentials, name)),
    putIdentity: async (given) => {
      requireOpen();
      const identity = checkIdentityPut(given);
      const put = await prepared.put(identity, findBaseUrl(), credentialsFolder?.());
      grants.set(identity.name, identity.granted);
      return put;
    },
    removeIdentity: async (name) => {
      requireOpen();
      if (!(await prepared.remove(name, credentialsFolder?.()))) return false;
      grants.delete(name);
      return true;
    },
    dataset: async (query = {}) => {
      requireOpen();
      const { presenters } = config;
      return listDataset({ database, decisions, identities: credentials, presenters }, query);
    },
    clock,
    setClock: async (change) => {
      requireOpen();
      clock.set(change);
      await clockChanged();
      await decisions.makeDue();
      await later.makeDue();
      await service?.catchUp();
    },
    scenarios: {
      add: (scenario) => {
        requireOpen();
        return scenarios.add(scenario);
      },
      list: () => scenarios.list(),
      delete: (id) => scenarios.delete(id),
      clear: () => scenarios.clear(),
    },
    snapshot: async (name) => {
      requireOpen();
      return state.take(name);
    },
    snapshots: () => data.list(),
    deleteSnapshot: (name) => data.delete(name),
    reset: async (name) => {
      requireOpen();
      if (name !== undefined) data.find(name);
      runner.endWaits();
      await openRequests.pauseFor(async () => {
        await state.restore(name, async (work) =>
          service?.relays.restartAfter(async () => {
            await oldStreams?.note();
            await work();
          }),
        );
        // While NATS does not respond, the relays log it and go on trying.
        if (service !== undefined) await oldStreams?.settle(service);
      });
    },
    verify: async (expected) => {
      requireOpen();
      return verify(exchanges, expected, closing.signal);
    },
    requests: () => structuredClone(exchanges.list()),
    get droppedRequests() {
      return exchanges.dropped;
    },
    clearRequests: () => exchanges.clear(),
  };
  service = await makeApp({
    config,
    database,
    baseUrl,
    ownAddresses: addresses,
    identityProvider,
    ...(takeRequest && { takeRequest }),
    addIdentityProvider: (context) => {
      const { app } = context.http;
      report = context.failures.reporter(
        'playground-schedule',
        'what is due by the clock of the playground was not done: it is tried again each second, for five minutes, and given up then',
      );
      app.decorate('controlAccess', controlAccess);
      recordCallers(app, exchanges, credentials);
      openRequests.follow(app);
      serveIdentityProvider(context, identityProvider);
      decisions.follow(app);
      runner.follow(app);
      app.addHook('preClose', () => later.clear());
      const waits = new Waits(MAX_WAITS, 'here', allWaits, OWN_WAITS);
      addControlRoutes(app, { playground: parts, exchanges, scenarios, waits });
      addTokenRoutes(app, verifiers, { clock: clock.now, newId });
      addIdentityRoutes(app, parts, addresses);
      addControl(app, context.failures);
      app.addHook('onSend', async (_request, reply) => {
        // Node.js sends the system's time; clients compare it with times of the service.
        reply.header('Date', clock.now().toUTCString());
      });
      nameOwnAddress(app, addresses);
    },
    ...(console && {
      console: {
        ...console,
        timeZone,
        addSignIn: (context) => {
          if (console.signIn === 'identity') addSignIn(context, credentials, scopePrefix);
        },
      },
    }),
    keysFolder,
    keysPassphrase,
    // What a program prints that starts it is its own: `landfall playground --json` prints one line.
    logTo: process.stderr,
    furtherHeaders: { [SCENARIO_HEADER]: MAX_SCENARIO_HEADER },
    ...makeServiceParts(runner, config, clock.now, later),
    sendDelivery: deliveries.send,
    decideByDefault,
    documentScanner: eicarScanner,
    metrics: (await readMetricsAccess(config)) ?? {},
    clock: clock.now,
  });
  const { app } = service;
  try {
    await complete?.(service);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    service,
    parts,
    exchanges,
    refuse: () => closing.abort(),
    close: async () => {
      closing.abort();
      runner.endWaits();
      const haveEnded = await openRequests.endAll();
      await app.close();
      return haveEnded;
    },
  };
}

function findIdentity(
  credentials: readonly PlaygroundCredentials[],
  name: string,
): PlaygroundCredentials {
  const found = credentials.find((identity) => identity.name === name);
  if (found !== undefined) return found;
  const names = credentials.map((identity) => identity.name).join(', ');
  throw new UnknownIdentityError(`there is no identity ${name}; there are ${names}`);
}
