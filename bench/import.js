// Measures registering many house consignments in one request, compared with plain SQL that writes the same rows:
// `node bench/import.js --help`.
import '../scripts/end-with-script.js';
import { chmodSync, createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { generatePreNotificationLines } from '@landfall/samples';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { startIdentityProvider } from './goods.js';
import { makeDatabase } from './own-database.js';
import { startServer, stopTarget, usage } from './processes.js';
import { admitUploader, upload, uploaderToken } from './upload.js';

const help = `Registers many house consignments in one request, sends them again, and compares both with plain SQL for the same rows.

  node bench/import.js
  node bench/import.js --houses 100000

Options:
  --houses N      house consignments (default 1,000,000)
  --ens N         declarations (default a five-hundredth of that)
  --database URL  PostgreSQL on which a database is made (default postgresql://postgres@127.0.0.1:5432/postgres)`;

const { values: options } = parseArgs({
  options: {
    houses: { type: 'string', default: '1000000' },
    ens: { type: 'string' },
    database: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const houses = Number(options.houses);
const ens = Number(options.ens ?? Math.ceil(houses / 500));
const port = 18_000 + (process.pid % 1000) * 10;
const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const file = join(folder, 'lines.ndjson');

const name = `landfall_bench_import_${process.pid}`;
const { url, database, server, drop } = await makeDatabase(options.database, name);
const provider = await startIdentityProvider();
const run = (text) => database.transact((transaction) => transaction.run(text));

/** Processor seconds that PostgreSQL has used for the database. */
async function databaseSeconds() {
  const { rows: backends } = await server.query(
    'select pid from pg_stat_activity where datname = $1',
    [name],
  );
  return usage(backends.map(({ pid }) => pid)).seconds;
}

/** Measures the duration, the processor time and the peak memory of a process in MB. */
async function measure(title, work, pid) {
  let peak = 0;
  const watch = setInterval(() => {
    if (pid !== undefined) peak = Math.max(peak, usage([pid]).megabytes);
  }, 100);
  const used = async () => ({
    server: pid === undefined ? 0 : usage([pid]).seconds,
    postgresql: await databaseSeconds(),
  });
  const before = await used();
  const began = performance.now();
  try {
    const result = await work();
    const seconds = (performance.now() - began) / 1000;
    const after = await used();
    const row = {
      title,
      seconds,
      server: after.server - before.server,
      postgresql: after.postgresql - before.postgresql,
      memory: peak,
      result,
    };
    rows.push(row);
    process.stderr.write(`${title}: ${seconds.toFixed(1)} s ${JSON.stringify(result ?? '')}\n`);
    return row;
  } finally {
    clearInterval(watch);
  }
}

const rows = [];
let idle = 0;

try {
  await migrate(database);
  await run(admitUploader);
  process.stderr.write(`writing ${houses} house consignments of ${ens} declarations to a file\n`);
  const lines = generatePreNotificationLines({ ens, houses, seed: 7 });
  await pipeline(Readable.from(inParts(lines)), createWriteStream(file));

  const keysFolder = join(folder, 'keys');
  const landfall = await startServer({ port, location: url, keysFolder, provider });
  const token = await uploaderToken(provider, port);
  idle = usage([landfall.pid]).megabytes;
  for (const title of ['import', 'the same again']) {
    const lines = createReadStream(file, { highWaterMark: 256 * 1024 });
    await measure(title, async () => (await upload(port, token, lines)).statuses, landfall.pid);
  }
  await stopTarget(landfall);
  await measurePlain();
} finally {
  const version = await drop();
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
  const [plain] = rows.filter(({ title }) => title === 'insert ... select');
  console.log(
    [
      `${cpus().length} × ${cpus()[0]?.model.trim()}; Node.js ${process.version}, ${version}; ${houses} house consignments; idle ${Math.round(idle)} MB`,
      '',
      '| | seconds | a second | ratio | CPU s server | CPU s PostgreSQL | MB above idle | results |',
      '|---|---:|---:|---:|---:|---:|---:|---|',
      ...rows.map(({ title, seconds, server, postgresql, memory, result }) => {
        const ratio = plain === undefined ? '' : (plain.seconds / seconds).toFixed(2);
        const above = memory === 0 ? '' : Math.round(memory - idle);
        return `| ${title} | ${seconds.toFixed(1)} | ${Math.round(houses / seconds)} | ${ratio} | ${server.toFixed(1)} | ${postgresql.toFixed(1)} | ${above} | ${JSON.stringify(result ?? '')} |`;
      }),
    ].join('\n'),
  );
}

/** Writes the same rows into tables of the same form, with one statement each: the cost in PostgreSQL alone. */
async function measurePlain() {
  await run(`
    create table plain (like house_consignment including all);
    alter table plain add foreign key (ens_id) references declaration;
    create table plain_container (like house_consignment_container including all);
    alter table plain_container add foreign key (house_consignment_id) references plain;`);
  const insert = async (title, statements) => {
    await measure(title, () => run(statements));
    await run('truncate plain, plain_container');
  };
  await insert(
    'insert ... select',
    `insert into plain select * from house_consignment;
     insert into plain_container select * from house_consignment_container;`,
  );
  const copy = join(folder, 'copy');
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o777);
  try {
    await run(`copy house_consignment to '${copy}'`);
    await insert('copy', `copy plain from '${copy}'`);
  } catch (error) {
    // The database server may run on another machine, or may not be allowed to write to this folder.
    process.stderr.write(`copy left out: ${error.message}\n`);
  }
}

/** Joins lines to larger parts for writing. */
function* inParts(lines) {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < 256 * 1024) continue;
    yield part;
    part = '';
  }
  yield part;
}
