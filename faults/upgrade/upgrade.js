// A new release beside the one before it: the database is migrated and servers are replaced while clients present, decide
// and read. The history of all calls is checked against the database.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  addDeclarations,
  addHouseConsignments,
  addOrganisations,
  HOUSES_PER_ENS,
  startIdentityProvider,
} from '../../bench/goods.js';
import { makeRandom } from '../../bench/random.js';
import { verifyAudit } from '../../packages/service/dist/audit/verify-audit.js';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';
import { feedKinds } from '../../packages/service/dist/feed-kinds.js';
import { startNats } from '../../packages/service/dist/testing/own-nats.js';
import { checkHistory, findWrong } from '../check-history.js';
import { readFinalState } from '../final-state.js';
import { HttpClient } from '../http-client.js';
import { Load } from '../load.js';
import { until } from '../until.js';
import { Authority } from './authority.js';
import { buildPreviousRelease } from './previous-release.js';
import { Release } from './release.js';
import { Stream } from './stream.js';

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/landfall.js', import.meta.url));

/** Each of them has a reader. */
const ORGANISATIONS = 8;
const HOUSES_PER_BLOCK = ORGANISATIONS * HOUSES_PER_ENS;

/** The number of the first house consignment that nobody presents. */
const FURTHER = 10_000_000;

/** Servers of each release. */
const SERVERS = 2;

/**
 * @param {{ folder: string, url: string, houses?: number, rate?: number, steps?: number, report: (line: string) => void }}
 *   options `url`: an empty database; `houses`: further house consignments, which nobody presents; `rate`: presentations a
 *   second; `steps`: how many presentations each release must have acknowledged before the next step
 * @returns {Promise<string[]>} every broken promise
 */
export async function upgrade({ folder, url, houses = 0, rate = 100, steps = 100, report }) {
  const provider = await startIdentityProvider();
  const nats = await startNats();
  const environment = {
    DATABASE_URL: url,
    LANDFALL_BASE_URL: 'http://localhost:8080',
    LANDFALL_IDP_ISSUER: provider.issuer,
    LANDFALL_IDP_JWKS_URL: `${provider.issuer}/jwks`,
    LANDFALL_KEYS: join(folder, 'keys'),
    LANDFALL_TOKEN_LIFETIME: '86400',
    LANDFALL_RATE_LIMIT: '0',
    LANDFALL_DRAIN_TIME: '1',
    NATS_URL: nats.url,
  };
  const previous = new Release({
    name: 'the previous release',
    command: await buildPreviousRelease(report),
    environment,
  });
  const current = new Release({ name: 'this release', command: COMMAND, environment });
  const database = openPostgresql(url, { maintenance: true });
  const client = new HttpClient(takeTurns(() => [...previous.origins, ...current.origins]));
  try {
    const { url: natsUrl } = nats;
    return await run({
      previous,
      current,
      database,
      client,
      provider,
      natsUrl,
      houses,
      rate,
      steps,
      report,
    });
  } finally {
    for (const release of [previous, current]) release.kill();
    client.close();
    provider.stop();
    await nats.remove();
    await database.close();
  }
}

async function run({
  previous,
  current,
  database,
  client,
  provider,
  natsUrl,
  houses,
  rate,
  steps,
  report,
}) {
  await previous.run('admin', 'migrate');
  await addOrganisations(database);
  await database.transact((transaction) =>
    transaction.run(`
      insert into organisation_scope (organisation_id, scope)
      select id, unnest(array['declaration.publish', 'declaration.feed']) from organisation
      where identifier = '0192:810000000'`),
  );
  await addDeclarations(database, FURTHER / HOUSES_PER_ENS, (FURTHER + houses) / HOUSES_PER_ENS);
  const hasKeys = false;
  await addHouseConsignments(database, FURTHER, FURTHER + houses, hasKeys);
  await serve(previous);
  const organisations = ORGANISATIONS;
  const authority = await Authority.start({ client, provider, organisations });
  const load = await Load.start({ client, provider, rate, organisations, random: makeRandom(1) });
  const stream = await Stream.start({ client, provider, natsUrl });
  const readHistory = () => [...load.history, ...authority.history, ...stream.history];
  let blocks = 0;
  /** Registers more house consignments than are presented between two steps, at a server of a release. */
  const register = async ({ origins: [origin] }) => {
    // Both releases present as many as one step needs, and some of the calls are of other kinds.
    for (const end = blocks + Math.ceil((3 * steps) / HOUSES_PER_BLOCK); blocks < end; blocks++) {
      const start = blocks * HOUSES_PER_BLOCK;
      await authority.register(start, start + HOUSES_PER_BLOCK, origin);
      load.allow(start + HOUSES_PER_BLOCK);
    }
  };
  const disturbances = [];
  const disturb = async (name, work) => {
    const at = performance.now();
    await work();
    disturbances.push({ name, planned: true, at, until: at });
  };
  const findProblems = () => [
    ...previous.problems,
    ...current.problems,
    ...findWrong(readHistory()),
  ];
  /** Waits until these releases have served calls of every kind. */
  const served = async (...releases) => {
    const since = performance.now();
    for (const { name } of releases) {
      const isServed = () => hasServed(name, readHistory(), since, steps);
      await until(
        () => findProblems().length > 0 || isServed(),
        `${name} serves calls of every kind`,
        120 + steps / 10,
      );
    }
    const [problem] = findProblems();
    if (problem !== undefined) throw new Error(problem);
  };

  await register(previous);
  load.run(blocks * HOUSES_PER_BLOCK);
  await served(previous);
  report('migrating');
  await disturb('migrating', () => current.run('admin', 'migrate'));
  // What was registered before may all have been presented while the database was migrated.
  await register(previous);
  await served(previous);
  report('starting servers of this release');
  await disturb('starting servers', () => serve(current));
  await register(current);
  await served(previous, current);
  await register(previous);
  await served(previous, current);
  report('stopping servers of the previous release');
  await disturb('stopping servers', () => previous.stop());
  await register(current);
  await served(current);
  await load.stopWriting();
  await authority.stop();
  await load.stop();
  const differences = await stream.stop();
  await current.stop();

  for (const [index, each] of disturbances.entries()) {
    each.until = disturbances[index + 1]?.at ?? performance.now();
  }
  const history = readHistory();
  const final = await readFinalState(database);
  const { breaks } = await verifyAudit(database, feedKinds);
  report(`${history.length} calls, ${load.used} house consignments presented`);
  return [
    ...checkHistory(history, final, disturbances, load.readers),
    ...differences,
    ...breaks.map((found) => `audit trail: ${JSON.stringify(found)}`),
    ...[previous, current].flatMap(({ problems }) => problems),
  ];
}

/** The first one creates the signing keys that the others read. */
async function serve(release) {
  for (let count = 0; count < SERVERS; count++) await release.serve();
}

const SERVED = ['accepted', 'decided', 'found', 'page', 'served'];

/** Whether servers of a release have served calls of every kind, and so many presentations. */
function hasServed(release, history, since, presentations) {
  const expected = {
    present: presentations,
    decide: 1,
    status: 1,
    read: 10,
    publish: 10,
    follow: 10,
  };
  const served = history.filter(
    ({ server, start, outcome }) =>
      server === release && start >= since && SERVED.includes(outcome),
  );
  return Object.entries(expected).every(
    ([kind, count]) => served.filter((call) => call.kind === kind).length >= count,
  );
}

function takeTurns(list) {
  let turn = 0;
  return () => {
    const all = list();
    return all[turn++ % all.length];
  };
}
