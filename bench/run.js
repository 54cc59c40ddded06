// Measures Landfall and bare servers in one run: `npm run bench -- --help`.
import '../scripts/end-with-script.js';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { fillParts } from '../scripts/fill-parts.js';
import { requirePrograms } from '../scripts/require-programs.js';
import { exchangeTokens, fillDatabase, HOUSES_PER_ENS, startIdentityProvider } from './goods.js';
import { measureGoodsItemValidation } from './goods-item-validation.js';
import { measureGoodsItems, PROGRAMS } from './goods-items.js';
import { measureAccess } from './measure-access.js';
import { measureBatches } from './measure-batches.js';
import { measureLarge } from './measure-large.js';
import { measureLodging } from './measure-lodging.js';
import { measureMovements } from './measure-movements.js';
import { measurePresenting } from './measure-presenting.js';
import { measurePush } from './measure-push.js';
import { measureReading, readDeclarations } from './measure-reading.js';
import { measureRelease } from './measure-release.js';
import { makeDatabase } from './own-database.js';
import { runLoad, startServer, startTarget, stopTarget, stopTargets, usage } from './processes.js';
import { describeRun, makeLegend, makeTable } from './report.js';
import { findEntry } from './rows.js';

const help = `Measures Landfall and bare servers, one after the other in rounds, and prints their ratios.

  npm run bench                                everything, 10 s each
  npm run bench -- --seconds 60 --only present
  npm run bench -- --rounds 3 --write          also writes the table of docs/performance.md
  node bench/import.js --help                  measures registering a million house consignments
  node bench/standbys.js --help                measures reading from standbys

Options:
  --seconds N       duration of each measurement (default 10)
  --warm-up N       seconds of the same load before each measurement, so that all code is compiled (default 5)
  --rounds N        number of rounds; the report has the medians (default 1)
  --connections N   number of busy connections (default 64)
  --only WORDS      only rows whose name contains one of these words, such as "present,status"
  --houses N        number of pre-notified house consignments (default: enough for the duration)
  --small           little data and 0.1 s each, to see that every row works; its figures mean nothing
  --database URL    PostgreSQL server for a temporary database (default postgresql://postgres@127.0.0.1:5432/postgres)
  --profile DIR     write a processor profile of each Landfall server to DIR
  --write           write the table, with command, machine and date, to docs/performance.md

The rows of libraries need an install of their own: npm ci --prefix bench/peers
A round of everything takes about 15 minutes.`;

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
    write: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

if (options.write && (options.small || options.only !== undefined)) {
  console.error('--write needs a run of every row: leave --only and --small out');
  process.exit(2);
}

const wanted = (name) =>
  options.only === undefined || options.only.split(',').some((word) => name.includes(word));
for (const [program, row] of Object.entries(PROGRAMS)) {
  if (wanted(row)) requirePrograms(`the row "${row}"`, [program]);
}

const { small } = options;
const seconds = Number(options.seconds ?? (small ? 0.1 : 10));
const warmUp = Number(options['warm-up'] ?? (small ? 0.05 : 5));
const rounds = Number(options.rounds);
const connections = Number(options.connections);
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const keysFolder = join(folder, 'keys');
const provider = await startIdentityProvider();
const rows = new Map();
/** The result, and how it was measured. */
let table = '';
let run = '';
let port = 18_000 + (process.pid % 1000) * 10;

/**
 * Measures one row and stores the result.
 *
 * @param {() => Promise<{ end: (acknowledged: Buffer) => Promise<{ lost: number, behind: number }> }>} [follow] begins to
 * check what is measured
 */
async function measure(name, baseline, pids, load, follow) {
  const check = await follow?.();
  const before = usage(pids());
  const databaseBefore = await databaseSeconds();
  const result = await runLoad({ connections, seconds, warmUp, ...load });
  const after = usage(pids());
  const databaseAfter = await databaseSeconds();
  const checked = await check?.end(Buffer.from(result.acknowledged, 'base64'));
  const each = (used) => (used / result.total) * 1e6;
  note(name, baseline, {
    ...result,
    ...checked,
    acknowledged: undefined,
    cpu: each(after.seconds - before.seconds),
    databaseCpu: each(
      [...databaseAfter].reduce(
        (sum, [pid, used]) => sum + used - (databaseBefore.get(pid) ?? 0),
        0,
      ),
    ),
    megabytes: after.megabytes,
  });
}

/** Processor seconds of each current session of the database, by its process. */
async function databaseSeconds() {
  const backends = await database.query({
    name: '',
    text: 'select pid from pg_stat_activity where datname = current_database()',
    values: [],
  });
  return new Map(backends.map(({ pid }) => [pid, usage([pid]).seconds]));
}

/** Stores the result of a row. */
function note(name, baseline, run) {
  // What nobody has described is refused before the end of the run.
  findEntry(name);
  const row = rows.get(name) ?? { name, baseline, runs: [] };
  row.runs.push(run);
  rows.set(name, row);
  process.stderr.write(`${name}: ${Math.round(run.perSecond)}/s ${JSON.stringify(run.statuses)}\n`);
}

/** Measures a target that needs only a port and its arguments. */
async function measureBare(name, baseline, target, args, load, follow) {
  if (!wanted(name)) return;
  const at = port++;
  const child = await startTarget(target, [String(at), ...args], options.profile);
  await measure(name, baseline, () => [child.pid], { ports: [at], ...load }, follow);
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

/** Declarations of the plain load that are presented already. */
let presented = 0;

/** Reserves declarations that are not presented; returns the number of the first. */
function takeDeclarations(count) {
  presented += count;
  return presented - count;
}

const { url, database, drop } = await makeDatabase(
  options.database,
  `landfall_bench_${process.pid}`,
);
try {
  await migrate(database);
  await fillDatabase(database, readDeclarations(small) * HOUSES_PER_ENS * rounds);
  /** The context of each measurement. */
  const bench = {
    ...options,
    seconds,
    warmUp,
    wanted,
    note,
    measure,
    measureBare,
    databaseSeconds,
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
    await measurePresenting(bench);
    await measureLarge(bench, round);
    await measureBatches(bench, round);
    await measureReading(bench);
    await measureRelease(bench, round);
    await measureMovements(bench, round);
    await measureLodging(bench, round);
    await measureAccess(bench);
    await measureGoodsItemValidation(bench);
    await measureGoodsItems(bench);
    await measurePush(bench);
  }
} finally {
  await stopTargets();
  const version = await drop();
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  table = makeTable([...rows.values()]);
  run = describeRun({
    date: new Date().toISOString().slice(0, 10),
    commit,
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    minutes: Math.round((performance.now() - started) / 60_000),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    versions: `Node.js ${process.version}, ${version}`,
    seconds,
    warmUp,
    rounds,
    connections,
  });
  console.log(`${run}\n\n${table}`);
}
const lost = [...rows.values()]
  .flatMap(({ runs }) => runs)
  .reduce((sum, run) => sum + (run.lost ?? 0), 0);
if (lost > 0) {
  console.error(`${lost} acknowledged presentations are not in the database`);
  process.exitCode = 1;
} else if (options.write) {
  const file = new URL('../docs/performance.md', import.meta.url);
  const parts = { bench: `${run}\n\n${table}`, rows: makeLegend([...rows.values()]) };
  writeFileSync(file, fillParts(readFileSync(file, 'utf8'), parts));
}
