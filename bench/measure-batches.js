// Presenting in batches, beside registering the same goods and presenting them one by one, and what others wait meanwhile.
import { randomUUID } from 'node:crypto';
import { generatePreNotificationLines } from '@landfall/samples';
import { addDeclarations, addHouseConsignments, exchangeToken, HOUSES_PER_ENS } from './goods.js';
import { summarise, timed } from './measure-large.js';
import { runLoad, usage } from './processes.js';
import { postLines, upload, uploaderToken } from './upload.js';

const REGISTERED = 'batch presentation: registering the goods';
const SINGLE = 'batch presentation: one by one, 64 connections';
const BATCH = 'batch presentation: PostgreSQL';
const ALONE = 'beside a batch: others alone';
const BESIDE = 'beside a batch: others meanwhile';

/** How often the goods are registered and presented, in turn. */
const TIMES = 5;

const PATH = '/api/movement/presentation/v1/house-consignment';

/** The organisation that presents, whose goods are those of others. */
const PRESENTER = 15_000;

/** Number of the first declaration of others; smaller numbers belong to the plain load. */
const FIRST_DECLARATION = 300_000;

/** Connections of others, which present their own goods one by one meanwhile. */
const OTHERS = 8;

/** Measures the selected rows once. `bench` is the context of run.js. */
export async function measureBatches(bench, round) {
  const { wanted, database, startLandfall, url, provider } = bench;
  const isWanted = (names) => names.some(wanted);
  if (!isWanted([REGISTERED, SINGLE, BATCH, ALONE, BESIDE])) return;
  await database.transact((transaction) =>
    transaction.run(`
      insert into organisation (identifier) values ('0192:${810_000_000 + PRESENTER}') on conflict do nothing;
      insert into organisation_scope (organisation_id, scope)
        select id, 'movement/entry' from organisation where identifier = '0192:${810_000_000 + PRESENTER}'
        on conflict do nothing`),
  );
  const landfall = await startLandfall(url, 1);
  const [port] = landfall.ports;
  const context = {
    ...bench,
    landfall,
    port,
    round,
    uploader: await uploaderToken(provider, port),
    presenter: await exchangeToken(provider, port, PRESENTER, 'customs:movement/entry'),
  };
  if (isWanted([REGISTERED, SINGLE, BATCH])) await measureRates(context);
  if (isWanted([ALONE, BESIDE])) await measureOthers(context);
  await landfall.stop();
}

async function measureRates(context) {
  const { note, landfall, port, small, presenter, databaseSeconds } = context;
  const houses = small ? 600 : 40_000;
  const rows = { [REGISTERED]: [], [SINGLE]: [], [BATCH]: [] };
  const used = {};
  const measure = async (name, count, work) => {
    const sum = async () => [
      usage(landfall.pids()).seconds,
      [...(await databaseSeconds()).values()].reduce((total, seconds) => total + seconds, 0),
    ];
    const before = await sum();
    rows[name].push((await timed(work)) / count);
    const after = await sum();
    const each = used[name] ?? { server: 0, database: 0, count: 0 };
    used[name] = {
      server: each.server + after[0] - before[0],
      database: each.database + after[1] - before[1],
      count: each.count + count,
    };
  };
  // The first time is not counted: its code is being compiled.
  for (let time = 0; time <= TIMES; time++) {
    const lines = [...makeLines(context, houses, time)];
    await measure(REGISTERED, houses, () => register(context, lines));
    const bodies = presentationsOf(lines);
    const half = bodies.length / 2;
    await measure(BATCH, half, () => presentBatch(port, presenter, bodies.slice(0, half)));
    const posts = bodies
      .slice(half)
      .map((body) => ({ path: PATH, token: presenter, body: JSON.stringify(body) }));
    const load = { kind: 'post', ports: [port], connections: 64, seconds: 600, warmUp: 0, posts };
    let perSecond = 0;
    await measure(SINGLE, half, async () => {
      ({ perSecond } = await runLoad(load));
    });
    // Without the start of the load generator.
    rows[SINGLE].splice(-1, 1, 1000 / perSecond);
    if (time > 0) continue;
    for (const name of Object.keys(rows)) {
      rows[name] = [];
      delete used[name];
    }
  }
  for (const [name, each] of Object.entries(rows)) {
    const { server, database, count } = used[name];
    note(name, REGISTERED, {
      ...summarise(1, each, { statuses: {} }),
      // The time of one is no latency.
      p50: 0,
      p99: 0,
      cpu: (server / count) * 1e6,
      databaseCpu: (database / count) * 1e6,
      megabytes: usage(landfall.pids()).megabytes,
      statuses: name === REGISTERED ? { REGISTERED: count } : { 202: count },
    });
  }
}

/** What others wait for their presentations, one by one, while nothing else happens, and while batches are presented. */
async function measureOthers(context) {
  const { measure, landfall, port, presenter, database, round, seconds, warmUp, small } = context;
  const declarations = OTHERS + Math.ceil((small ? 1 : 60) * (seconds + warmUp));
  const first = FIRST_DECLARATION + round * 2 * declarations;
  const end = first + 2 * declarations;
  await addDeclarations(database, first, end);
  await addHouseConsignments(database, first * HOUSES_PER_ENS, end * HOUSES_PER_ENS);
  const loadFrom = (declaration) => ({
    kind: 'present',
    ports: [port],
    tokens: landfall.tokens,
    connections: OTHERS,
    housesPerEns: HOUSES_PER_ENS,
    from: declaration * HOUSES_PER_ENS,
  });
  await measure(ALONE, ALONE, landfall.pids, loadFrom(first));
  const lines = [...makeLines(context, small ? 600 : 10_000 * (seconds + warmUp), 'others')];
  await register(context, lines);
  const state = { isOver: false };
  const presented = presentBatch(
    port,
    presenter,
    untilOver(presentationsOf(lines), () => state.isOver),
  );
  // What ends the measurement ends this too, and is to be reported.
  presented.catch(() => undefined);
  await measure(BESIDE, ALONE, landfall.pids, loadFrom(first + declarations));
  state.isOver = true;
  process.stderr.write(`${BESIDE}: ${await presented} lines were presented meanwhile\n`);
}

function* untilOver(bodies, isOver) {
  for (const body of bodies) {
    if (isOver()) return;
    yield body;
  }
}

/** Lines of goods that no other time has. */
function makeLines({ round }, houses, time) {
  const seed = 1000 * round + (time === 'others' ? 999 : time);
  return generatePreNotificationLines({ ens: Math.ceil(houses / 500), houses, seed });
}

async function register({ port, uploader }, lines) {
  const { statuses, whole } = await upload(port, uploader, lines);
  if (!whole || statuses.REFUSED) throw new Error(`registered: ${JSON.stringify(statuses)}`);
}

/** The presentations of what lines register. */
function presentationsOf(lines) {
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ houseConsignment }) => houseConsignment !== undefined)
    .map(({ mrn, houseConsignment: { transportDocumentHouseLevel } }) => ({
      requestId: randomUUID(),
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel,
      mrn,
    }));
}

/** Presents a batch with one request; returns the number of its lines. */
async function presentBatch(port, token, bodies) {
  const response = await postLines(port, `${PATH}/batch`, token, bodies);
  const results = await response.text();
  const accepted = results.match(/"status":202/g)?.length ?? 0;
  const lines = results.split('\n').length - 1;
  if (accepted < lines) throw new Error(`presented: ${accepted} of ${lines}`);
  return lines;
}
