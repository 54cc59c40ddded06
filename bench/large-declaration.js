// Measures a declaration with very many house consignments: it is registered, changed and withdrawn. Memory stays flat, and
// no turn of the event loop is long: `node bench/large-declaration.js --help`.
import '../scripts/end-with-script.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedded } from '../packages/service/dist/database/embedded/embedded.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { startIdentityProvider } from './goods.js';
import { makeDatabase } from './own-database.js';
import { startServer, stopTarget, usage } from './processes.js';
import { send } from './send.js';
import { admitUploader, upload, uploaderToken } from './upload.js';

const help = `Registers one declaration with very many house consignments, changes it and withdraws it. Other requests are sent all the time.

  node bench/large-declaration.js
  node bench/large-declaration.js --houses 100000
  node bench/large-declaration.js --embedded

Options:
  --houses N      house consignments (default 1,000,000)
  --embedded      on the embedded database, whose memory is the server's
  --once          leaves out what sends or writes every house consignment again
  --database URL  PostgreSQL on which a database is made (default postgresql://postgres@127.0.0.1:5432/postgres)`;

const { values: options } = parseArgs({
  options: {
    houses: { type: 'string', default: '1000000' },
    once: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    database: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}

const houses = Number(options.houses);
const port = 18_000 + (process.pid % 1000) * 10;
const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const mrn = '26NO00000000000001';
const path = `/api/authority/v1/entry-summary-declarations/${mrn}`;
const members = { mrn, customsOfficeOfFirstEntry: 'NO351001', declarant: '0192:310000019' };

/** The declaration, then each house consignment. */
function* lines(declaration, more) {
  yield `${JSON.stringify({ ...members, ...declaration, houseConsignments: [] })}\n`;
  for (let first = 0; more !== undefined && first < houses; first += 100) {
    let part = '';
    for (let index = first; index < Math.min(first + 100, houses); index++) {
      const transportDocumentHouseLevel = { documentNumber: `HC${index}`, type: 'N740' };
      part += `${JSON.stringify({ mrn, houseConsignment: { transportDocumentHouseLevel, ...more } })}\n`;
    }
    yield part;
  }
}

const { location, database, drop } = options.embedded ? await openFolder() : await openServer();
const provider = await startIdentityProvider();
const rows = [];
let idle = 0;

async function openServer() {
  const made = await makeDatabase(options.database, `landfall_bench_large_${process.pid}`);
  return { ...made, location: made.url };
}

/** Before the server starts it is closed, because only one process can use it. */
async function openFolder() {
  const location = join(folder, 'database');
  return { location, database: await openEmbedded(location), drop: async () => 'embedded' };
}

/** The longest turn of the event loop of the server since the last call, in milliseconds of processor time. */
const longestTurn = (landfall) =>
  new Promise((resolve) => {
    landfall.once('message', ({ longest }) => resolve(longest));
    landfall.send('longest turn');
  });

/** Measures the duration, the peak memory and the longest turn of the server, and the slowest of other requests meanwhile. */
async function measure(landfall, token, title, work) {
  let peak = 0;
  let slowest = 0;
  let goesOn = true;
  const ask = async () => {
    while (goesOn) {
      peak = Math.max(peak, usage([landfall.pid]).megabytes);
      const asked = performance.now();
      const response = await send(
        port,
        '/api/authority/v1/house-consignments?documentNumber=none',
        {
          headers: { authorization: `Bearer ${token}` },
        },
      );
      await response.arrayBuffer();
      slowest = Math.max(slowest, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await longestTurn(landfall);
  const asking = ask();
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  goesOn = false;
  await asking;
  const turn = await longestTurn(landfall);
  rows.push({ title, seconds, peak, slowest, turn, result });
  process.stderr.write(`${title}: ${seconds.toFixed(1)} s ${JSON.stringify(result)}\n`);
}

try {
  await migrate(database);
  await database.transact((transaction) => transaction.run(admitUploader));
  if (options.embedded) await database.close();
  const landfall = await startServer({
    port,
    location,
    keysFolder: join(folder, 'keys'),
    provider,
  });
  const token = () => uploaderToken(provider, port);
  const put = async (declaration, more) => {
    const { statuses, whole } = await upload(port, await token(), lines(declaration, more));
    if (!whole) throw new Error('the response is not complete');
    return statuses;
  };
  const presenters = ['0192:310000027'];
  const representative = '0192:310000035';
  const estimatedTimeOfArrival = '2026-12-01T10:00:00Z';
  const steps = {
    registered: () => put({}, {}),
    'the same again': () => put({}, {}),
    'other presenters': () => put({ presenters }),
    'another representative': () => put({ presenters, representative }),
    'another time of arrival': () => put({ presenters, representative, estimatedTimeOfArrival }),
    'each house consignment changed': () =>
      put({ presenters, representative, estimatedTimeOfArrival }, { routing: 'TO_CONTROL' }),
    withdrawn: async () => {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await send(port, path, { method: 'DELETE', headers });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`withdrawing: ${response.status} ${body}`);
      return JSON.parse(body).houseConsignments;
    },
  };
  idle = usage([landfall.pid]).megabytes;
  const again = ['the same again', 'another time of arrival', 'each house consignment changed'];
  for (const [title, work] of Object.entries(steps)) {
    if (options.once && again.includes(title)) continue;
    await measure(landfall, await token(), title, work);
  }
  await stopTarget(landfall);
} finally {
  const version = await drop();
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
  console.log(
    [
      `${cpus().length} × ${cpus()[0]?.model.trim()}; Node.js ${process.version}, ${version}; ${houses} house consignments; idle ${Math.round(idle)} MB`,
      '',
      '| | seconds | MB above idle | longest turn, ms | slowest other request, ms | results |',
      '|---|---:|---:|---:|---:|---|',
      ...rows.map(
        ({ title, seconds, peak, slowest, turn, result }) =>
          `| ${title} | ${seconds.toFixed(1)} | ${Math.round(peak - idle)} | ${turn.toFixed(0)} | ${slowest.toFixed(0)} | ${JSON.stringify(result)} |`,
      ),
    ].join('\n'),
  );
}
