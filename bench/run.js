// Measures Landfall and bare servers in one run: `npm run bench -- --help`.
import '../scripts/end-with-script.js';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { requirePrograms } from '../scripts/require-programs.js';
import {
  countLost,
  exchangeTokens,
  fillDatabase,
  HOUSES_PER_ENS,
  ORGANISATIONS,
  startIdentityProvider,
} from './goods.js';
import { measureGoodsItemValidation } from './goods-item-validation.js';
import { measureGoodsItems, PROGRAMS } from './goods-items.js';
import { measureAccess } from './measure-access.js';
import { measureLarge } from './measure-large.js';
import { measureReading, readDeclarations } from './measure-reading.js';
import { makeDatabase } from './own-database.js';
import { runLoad, startServer, startTarget, stopTarget, usage } from './processes.js';
import { fillMix, MIX, mixPresenters } from './realistic-mix.js';
import { makeReport } from './report.js';

const help = `Measures Landfall and bare servers, one after the other in rounds, and prints their ratios.

  npm run bench                                everything, 10 s each
  npm run bench -- --seconds 60 --only present
  npm run bench -- --keep                      also writes bench/results/
  node bench/import.js --help                  measures registering a million house consignments
  node bench/standbys.js --help                measures reading from standbys

Options:
  --seconds N       duration of each measurement (default 10)
  --warm-up N       seconds of the same load before each measurement, so that all code is compiled (default 5)
  --rounds N        number of rounds; the report has the medians (default 1)
  --connections N   number of busy connections (default 64)
  --only WORDS      only rows whose name contains one of these words, such as "present,status"
  --houses N        number of pre-notified house consignments (default: enough for the duration)
  --small           little data and 0.2 s each, to see that every row works; its figures mean nothing
  --database URL    PostgreSQL server for a temporary database (default postgresql://postgres@127.0.0.1:5432/postgres)
  --profile DIR     write a processor profile of each Landfall server to DIR
  --keep            write the results with machine and versions to bench/results/`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    'warm-up': { type: 'string' },
    rounds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
    houses: { type: 'string' },
    database: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    small: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const wanted = (name) =>
  options.only === undefined || options.only.split(',').some((word) => name.includes(word));
for (const [program, row] of Object.entries(PROGRAMS)) {
  if (wanted(row)) requirePrograms(`the row "${row}"`, [program]);
}

const { small } = options;
const seconds = Number(options.seconds ?? (small ? 0.2 : 10));
const warmUp = Number(options['warm-up'] ?? (small ? 0.1 : 5));
const rounds = Number(options.rounds);
const connections = Number(options.connections);
/** More than any server here presents per second. */
const HOUSES_A_SECOND = { postgresql: 25_000, embedded: 14_000 };
const housesFor = (kind) =>
  Number(
    options.houses ??
      Math.ceil(
        HOUSES_A_SECOND[kind] * (seconds + warmUp) * rounds * (kind === 'embedded' ? 1 : 2) +
          readDeclarations(small) * HOUSES_PER_ENS * rounds,
      ),
  );

const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const keysFolder = join(folder, 'keys');
const provider = await startIdentityProvider();
const rows = new Map();
let port = 18_000 + (process.pid % 1000) * 10;

/** Measures one row and stores the result. */
async function measure(name, baseline, pids, load, lostIn) {
  const before = usage(pids());
  const databaseBefore = await databaseSeconds();
  const result = await runLoad({ connections, seconds, warmUp, ...load });
  const after = usage(pids());
  const databaseAfter = await databaseSeconds();
  const lost =
    lostIn === undefined
      ? undefined
      : await countLost(lostIn, Buffer.from(result.acknowledged, 'base64'));
  const measured = {
    ...result,
    acknowledged: undefined,
    cpu: (after.seconds - before.seconds) / (seconds + warmUp),
    databaseCpu: (databaseAfter - databaseBefore) / (seconds + warmUp),
    megabytes: after.megabytes,
    lost,
  };
  note(name, baseline, measured);
  return result;
}

/** Processor seconds of PostgreSQL for the current sessions of the database. */
async function databaseSeconds() {
  const backends = await database.query({
    name: '',
    text: 'select pid from pg_stat_activity where datname = current_database()',
    values: [],
  });
  return usage(backends.map(({ pid }) => pid)).seconds;
}

/** Stores the result of a row. */
function note(name, baseline, run) {
  const row = rows.get(name) ?? { name, baseline, runs: [] };
  row.runs.push(run);
  rows.set(name, row);
  process.stderr.write(`${name}: ${Math.round(run.perSecond)}/s ${JSON.stringify(run.statuses)}\n`);
}

/** Measures a target that needs only a port. */
async function measureBare(name, target, args, load) {
  if (!wanted(name)) return;
  const at = port++;
  const child = await startTarget(target, [String(at), ...args]);
  await measure(name, name.startsWith('present') ? 'present: node:http' : name, () => [child.pid], {
    ports: [at],
    ...load,
  });
  await stopTarget(child);
}

/** Starts Landfall servers on one database and returns tokens for them. */
async function startLandfall(location, count, presenters) {
  const first = port;
  port += count;
  const children = [];
  for (let number = 0; number < count; number++) {
    const server = { port: first + number, basePort: first, location, keysFolder, provider };
    children.push(await startServer(server, options.profile));
  }
  return {
    ports: children.map((_, number) => first + number),
    tokens: await exchangeTokens(provider, first, undefined, presenters),
    pids: () => children.map(({ pid }) => pid),
    stop: () => Promise.all(children.map(stopTarget)),
  };
}

/** Bare servers do not verify it, but read the same number of bytes. */
const TOKEN_AS_LONG_AS_OURS = 'x'.repeat(506);
const presentLoad = {
  kind: 'present',
  tokens: [TOKEN_AS_LONG_AS_OURS],
  from: 0,
  housesPerEns: HOUSES_PER_ENS,
};
let presented = 0;

async function measurePresentBare() {
  await measureBare('present: node:http', 'echo-http', [], presentLoad);
  await measureBare('present: bare Fastify', 'echo-fastify', [], presentLoad);
}

/** The cost of PostgreSQL and HTTP alone, with a minimal implementation. */
async function measurePresentLeast(url) {
  const load = {
    ...presentLoad,
    tokens: Array.from({ length: ORGANISATIONS }, (_, number) => TOKEN_AS_LONG_AS_OURS + number),
  };
  await measureBare('present: one bare row', 'bare-postgresql', [url, 'row'], load);
  await measureBare('present: bare feeds', 'bare-postgresql', [url, 'feeds'], load);
}

async function measurePresentPostgresql(url, database) {
  for (const count of [1, 2]) {
    const name = `present: PostgreSQL, ${count === 1 ? 'one server' : 'two servers'}`;
    if (!wanted(name)) continue;
    const landfall = await startLandfall(url, count);
    const load = {
      ...presentLoad,
      ports: landfall.ports,
      tokens: landfall.tokens,
      from: presented,
    };
    const { next } = await measure(name, 'present: node:http', landfall.pids, load, database);
    presented = next;
    await landfall.stop();
  }
}

/** The realistic mix: Landfall compared with a minimal implementation for the same requests. */
async function measurePresentMix(url, database) {
  const [bare, ours] = ['present mix: bare feeds', 'present mix: PostgreSQL, one server'];
  if (!wanted(bare) && !wanted(ours)) return;
  mixed.presenters ??= await fillMix(
    database,
    Number(options.houses ?? HOUSES_A_SECOND.postgresql * (seconds + warmUp) * rounds),
  );
  const load = {
    ...presentLoad,
    housesPerEns: MIX.housesPerEns,
    refused: MIX.refused,
    presenters: mixed.presenters,
  };
  const tokens = mixPresenters.map((number) => TOKEN_AS_LONG_AS_OURS + number);
  await measureBare(bare, 'bare-postgresql', [url, 'feeds'], { ...load, from: MIX.from, tokens });
  if (!wanted(ours)) return;
  const landfall = await startLandfall(url, 1, mixPresenters);
  const { next } = await measure(
    ours,
    bare,
    landfall.pids,
    {
      ...load,
      ports: landfall.ports,
      tokens: landfall.tokens,
      from: MIX.from + mixed.presented,
      skipped: mixed.presented / MIX.housesPerEns,
    },
    database,
  );
  mixed.presented = next - MIX.from;
  await landfall.stop();
}

/** The presenter of each declaration of the mix, and the number of house consignments presented so far. */
const mixed = { presenters: undefined, presented: 0 };

/** Reserves declarations that are not presented; returns the number of the first. */
function takeDeclarations(count) {
  const first = presented / HOUSES_PER_ENS;
  presented += count * HOUSES_PER_ENS;
  return first;
}

async function measurePresentEmbedded(round) {
  const name = 'present: embedded';
  if (!wanted(name)) return;
  const location = join(folder, `embedded-${round}`);
  const prepared = await openEmbedded(location);
  await migrate(prepared);
  await fillDatabase(prepared, housesFor('embedded'));
  await prepared.close();
  const landfall = await startLandfall(location, 1);
  const load = { ...presentLoad, ports: landfall.ports, tokens: landfall.tokens };
  const result = await measure(name, 'present: node:http', landfall.pids, load);
  await landfall.stop();
  const opened = await openEmbedded(location);
  rows.get(name).runs.at(-1).lost = await countLost(
    opened,
    Buffer.from(result.acknowledged, 'base64'),
  );
  await opened.close();
}

const { url, database, drop } = await makeDatabase(
  options.database,
  `landfall_bench_${process.pid}`,
);
try {
  await migrate(database);
  const houses = housesFor('postgresql');
  process.stderr.write(`pre-notifying ${houses} house consignments ... `);
  const began = performance.now();
  await fillDatabase(database, houses);
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  /** The context of each measurement. */
  const bench = {
    ...options,
    seconds,
    warmUp,
    wanted,
    note,
    measure,
    measureBare,
    startLandfall,
    takeDeclarations,
    nextPort: () => port++,
    provider,
    keysFolder,
    folder,
    database,
    url,
  };
  for (let round = 0; round < rounds; round++) {
    await measurePresentBare();
    await measurePresentLeast(url);
    await measurePresentPostgresql(url, database);
    await measurePresentMix(url, database);
    await measurePresentEmbedded(round);
    await measureLarge(bench, round);
    await measureReading(bench);
    await measureAccess(bench);
    await measureGoodsItemValidation(bench);
    await measureGoodsItems(bench);
  }
} finally {
  const version = await drop();
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const report = makeReport([...rows.values()], {
    date: new Date().toISOString().slice(0, 10),
    commit,
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    versions: `Node.js ${process.version}, ${version}`,
    seconds,
    warmUp,
    rounds,
    connections,
  });
  console.log(report);
  if (options.keep) {
    const file = new URL(
      `results/${new Date().toISOString().slice(0, 16).replace(':', '')}-${commit}.md`,
      import.meta.url,
    );
    writeFileSync(file, report);
  }
}
const lost = [...rows.values()]
  .flatMap(({ runs }) => runs)
  .reduce((sum, run) => sum + (run.lost ?? 0), 0);
if (lost > 0) {
  console.error(`${lost} acknowledged presentations are not in the database`);
  process.exitCode = 1;
}
