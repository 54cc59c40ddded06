// The playground on an open database: dataset, identities, identity provider, the whole service, and its spaces.
import {
  type HostingOptions,
  type PlaygroundIdentity,
  playgroundIdentities,
  type Scenario,
} from '@landfall/contract';
import { messageOf } from '@landfall/service';
import { AuditTrail, type Database, makeNewId, migrate } from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import { PlaygroundClock } from './clock.js';
import { composePlayground } from './compose-playground.js';
import { ControlAccess } from './control/control-access.js';
import { MAX_WAITS_IN_ALL, Waits } from './control/waits.js';
import { makeKeptTable } from './data-queries.js';
import type { DatasetSource } from './dataset/dataset-source.js';
import { prepareDataset } from './dataset/prepare-dataset.js';
import { loadDataset } from './dataset.js';
import type { PlannedDecision } from './decisions/goods.js';
import { addHostingRoutes } from './hosting/hosting-routes.js';
import { maintainHosting, makeHosting } from './hosting/open-hosting.js';
import { prepareIdentities } from './identities.js';
import { keepClock, restoreClock } from './kept-clock.js';
import { chooseNatsPrefix } from './nats-prefix.js';
import { OldStreams, RELAY_START_MS } from './old-streams.js';
import { PlaygroundOptionError } from './option-error.js';
import { type Playground, SpaceError } from './playground.js';
import type { Saved } from './playground-state.js';
import { PublicAddresses } from './public-addresses.js';
import { recordExchanges } from './recording/record-exchanges.js';
import { Snapshots } from './snapshots.js';
import { SpaceMaker } from './spaces/space-maker.js';
import { addSpaceRoutes } from './spaces/space-routes.js';
import { DEFAULT_MAX_SPACES, Spaces } from './spaces/spaces.js';
import { validity } from './validity.js';

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
  /** Whether nothing of it is kept: then its streams in NATS are deleted when it is closed. */
  isTemporary?: boolean;
  /** How many spaces there may be. */
  maxSpaces?: number | undefined;
  /** After how many seconds without a request a space is removed. */
  spaceIdleTime?: number | undefined;
  /** How many spaces are made ahead; if it is given, from the start on. */
  preparedSpaces?: number | undefined;
  /** The addresses at which clients on other hosts reach it; checked. */
  publicUrls?: readonly string[];
  /** What callers of the control addresses send; default: none, so they are programs on this machine. */
  controlSecret?: string | undefined;
  /** Whether it is hosted, or with which options; checked. */
  hosted?: boolean | Partial<HostingOptions> | undefined;
  /** Resolves with the reason when it must end. */
  endsByItself?: Promise<Error> | undefined;
  /** Is called when it is closed. */
  closed?: () => Promise<void>;
};

/** Serves a playground on an open database, which it closes. If that fails, the database stays open. */
export async function servePlayground(
  configured: Config,
  database: Database,
  {
    clock = new PlaygroundClock(),
    dataset,
    identities: further = [],
    scenarios: initialScenarios = [],
    onProgress = () => undefined,
    keepsCredentials = true,
    isTemporary = false,
    maxSpaces,
    spaceIdleTime,
    preparedSpaces,
    publicUrls = [],
    controlSecret = '',
    hosted,
    endsByItself = new Promise<Error>(() => undefined),
    closed = async () => undefined,
  }: ServeOptions = {},
): Promise<Playground> {
  const isForThisMachine =
    hosted === undefined || hosted === false ? publicUrls.length === 0 : false;
  // Pages that somebody develops on this machine may call it: they need a token, and get no cookies.
  const given = {
    ...configured,
    corsOrigins: configured.corsOrigins || 'loopback',
    // Receivers are tried on the same machine, unless strangers could send requests into its network.
    pushReceivers: isForThisMachine ? ('any' as const) : configured.pushReceivers,
  };
  const addresses = new PublicAddresses(publicUrls, baseAddress(given));
  const baseUrl = addresses.first;
  const controlAccess = new ControlAccess(controlSecret, addresses);
  const waits = new Waits(MAX_WAITS_IN_ALL, 'in this playground and its spaces');
  const { dataFolder, scopePrefix, natsUrl } = given;
  const newId = makeNewId(() => clock.now().getTime());
  const applied = await migrate(database);
  if (applied.length > 0) onProgress(`brought the database up to date: ${applied.join(', ')}`);
  await database.transact((transaction) => transaction.run(makeKeptTable));
  await restoreClock(database, clock, onProgress);
  const loading =
    dataset && (await prepareDataset(database, dataset, given, clock.now, onProgress));
  if (loading === undefined) {
    await loadDataset(database, clock.now(), newId);
  }
  const natsPrefix = natsUrl === '' ? '' : await chooseNatsPrefix(database, given.natsPrefix);
  const oldStreams = new OldStreams(database, natsUrl);
  // Otherwise what follows would be relayed to them.
  await oldStreams.remove().catch(refuseNats);
  onProgress('preparing keys and certificates');
  const identities = [...playgroundIdentities, ...(loading?.identities ?? []), ...further];
  const prepared = await prepareIdentities({
    database,
    audit: new AuditTrail(),
    dataFolder: keepsCredentials ? dataFolder : undefined,
    baseUrl,
    idpUrl: `${baseUrl}/idp`,
    scopePrefix,
    identities,
    ...validity(clock.now(), new Date()),
  });
  const scenarios = [...(loading?.scenarios ?? []), ...initialScenarios];
  let planned: readonly PlannedDecision[] = [];
  const hosting = makeHosting(hosted, {
    database,
    dataFolder,
    timeZone: given.timeZone,
    maxSpaces: maxSpaces ?? DEFAULT_MAX_SPACES,
    addresses,
    operatorAccess: controlAccess,
  });
  const maker = new SpaceMaker({
    config: given,
    database,
    addresses,
    controlAccess,
    waits,
    clock,
    identities,
    scenarios,
    planned: () => planned,
    keepsCredentials,
    isTemporary,
    kept: hosting,
  });
  await maker.removeOld();
  const spaces = new Spaces(maker, {
    maxSpaces,
    spaceIdleTime,
    // What belongs to a name is made with it.
    preparedSpaces: hosting === undefined ? preparedSpaces : 0,
    stayUnused: hosting !== undefined,
  });
  await hosting?.open(spaces);
  let endMaintenance = () => {};
  const data = new Snapshots<Saved>(database);
  const lodge = loading?.lodge;
  const composed = await composePlayground({
    config: { ...given, natsPrefix },
    folder: dataFolder,
    database,
    addresses,
    controlAccess,
    waits,
    clock,
    clockChanged: () => keepClock(database, clock),
    identities,
    prepared,
    ...(keepsCredentials && { credentialsFolder: () => dataFolder }),
    scenarios,
    load: async () => {
      planned = (await loading?.load()) ?? [];
      if (lodge === undefined) await data.begin(loading === undefined);
      return planned;
    },
    ...(lodge && {
      complete: async (made) => {
        await lodge({ service: made, credentials: prepared.credentials });
        // What is lodged is of the start too: resets and spaces have it.
        await data.begin(false);
      },
    }),
    oldStreams,
    data,
    // Who uses a hosted playground is on another machine.
    console:
      hosting === undefined
        ? { signIn: 'identity', ...(keepsCredentials && { dataFolder }) }
        : { signIn: 'space' },
    takeRequest: (request, response) => (hosting ?? spaces).take(request, response),
    addControl: (app, failures) => {
      if (hosting === undefined) return addSpaceRoutes(app, spaces, addresses);
      addHostingRoutes(app, hosting, addresses, controlAccess);
      endMaintenance = maintainHosting(hosting, failures);
    },
  });
  const { service, exchanges } = composed;
  const { app, relays } = service;
  recordExchanges(app.server, exchanges);
  const playground: Playground = Object.assign(composed.parts, {
    port: given.port,
    hosting,
    space: async (name?: string) => {
      if (hosting === undefined) return spaces.create(name);
      throw new SpaceError(
        'SPACES_BY_SIGN_UP',
        'the spaces of a hosted playground are made by signing up: POST /playground/hosting/spaces',
      );
    },
    spaces: () => spaces.list(),
    endedByItself: endsByItself.then(async (reason) => {
      app.log.fatal({ err: reason }, 'the playground ends');
      await playground.close().catch((error: unknown) => {
        app.log.error({ err: error }, 'the playground was not closed as it should be');
      });
      return reason;
    }),
    close: () => {
      // It may have ended by itself.
      closing ??= end();
      return closing;
    },
    [Symbol.asyncDispose]: () => playground.close(),
  });
  let closing: Promise<void> | undefined;
  const end = async () => {
    composed.refuse();
    endMaintenance();
    await hosting?.close();
    await spaces.close();
    // What cannot be deleted expires in NATS.
    if (isTemporary) await relays.remove().catch(() => undefined);
    await oldStreams.close();
    await app.close();
    await database.close();
    await closed();
  };
  try {
    await app.listen({ host: given.host, port: given.port });
    // A test would wait for its first message.
    if (natsUrl !== '') await service.relays.whenRelaying(RELAY_START_MS).catch(refuseNats);
    if (preparedSpaces !== undefined) await spaces.prepare();
  } catch (error) {
    endMaintenance();
    await spaces.close();
    await app.close();
    throw error;
  }
  return playground;
}

/** What is configured to be relayed is relayed, or the start fails with the reason. */
function refuseNats(error: unknown): never {
  // The address is not shown: it may have a password.
  throw new PlaygroundOptionError(
    `natsUrl (NATS_URL): nothing is relayed to NATS: ${messageOf(error)}`,
  );
}

/** An address of this machine is written as `localhost`. */
function baseAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  const name = local ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
