// Measures the client library, compared with bare `fetch` in the same process: `node bench/client.js --help`.
import '../scripts/end-with-script.js';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fixedToken, Landfall } from '../packages/client/dist/index.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { exchangeTokens, fillDatabase, startIdentityProvider } from './goods.js';
import { makeDatabase } from './own-database.js';
import { startServer, stopTarget } from './processes.js';
import { send } from './send.js';

const help = `Measures presenting and following through the client library, compared with bare fetch.

  node bench/client.js

Options:
  --rounds N      how often each is measured, in turn (default 5)
  --presents N    presentations of a round, eight at once (default 1000)
  --signals N     signals that are followed (default 100,000)
  --database URL  PostgreSQL server (default postgresql://postgres@127.0.0.1:5432/postgres)`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    presents: { type: 'string', default: '1000' },
    signals: { type: 'string', default: '100000' },
    database: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}
const rounds = Number(options.rounds);
const presents = Number(options.presents);
const signals = Number(options.signals);
const CONCURRENCY = 8;

const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const { url, database, drop } = await makeDatabase(
  options.database,
  `landfall_bench_client_${process.pid}`,
);
const provider = await startIdentityProvider();
const port = 18_000 + (process.pid % 1000) * 10;
const baseUrl = `http://127.0.0.1:${port}`;
let server;
/** The first house consignment that is not presented yet. */
let nextHouse = 0;
try {
  await migrate(database);
  await fillDatabase(database, (2 * rounds + 1) * presents);
  await addSignals();
  server = await startServer({ port, location: url, keysFolder: folder, provider });
  const [reader, presenter] = await exchangeTokens(provider, port);
  const present = await compare(
    presenting(presenter, barePresent),
    presenting(presenter, viaClient),
  );
  const follow = await compare(
    () => followBare(reader),
    () => followClient(reader),
  );
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}; medians of ${rounds}; processor time is that of the calling process

| | bare fetch, ms | client, ms | ratio of time | ratio of processor time |
|---|---:|---:|---:|---:|
${row(`${presents} presentations, ${CONCURRENCY} at once`, present)}
${row(`${signals} signals`, follow)}`);
} finally {
  if (server !== undefined) await stopTarget(server);
  provider.stop();
  await drop();
  rmSync(folder, { recursive: true, force: true });
}

/** Signals of the first organisation, which reads. */
async function addSignals() {
  const text = `
    select append_to_feeds(array_agg(new_signal(
        o.id, (select signal_head from house_consignment limit 1), 'TO_ENTRY', null, '2026-11-21T10:00:00.000Z')), 0, null)
    from generate_series(1, $1::bigint) number, organisation o where o.identifier = '0192:810000000'`;
  await database.query({ name: '', text, values: [signals] });
}

/** Runs both in turn; returns the medians of their durations and processor times in milliseconds. */
async function compare(bare, client) {
  const runs = { bare: [], client: [] };
  await client();
  for (let round = 0; round < rounds; round++) {
    runs.bare.push(await measure(bare));
    runs.client.push(await measure(client));
  }
  const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
  const summary = (of) => ({
    ms: median(of.map(({ ms }) => ms)),
    processor: median(of.map(({ processor }) => processor)),
  });
  return { bare: summary(runs.bare), client: summary(runs.client) };
}

async function measure(work) {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, processor: (user + system) / 1000 };
}

function row(name, { bare, client }) {
  const cells = [
    bare.ms.toFixed(0),
    client.ms.toFixed(0),
    (client.ms / bare.ms).toFixed(2),
    (client.processor / bare.processor).toFixed(2),
  ];
  return `| ${name} | ${cells.join(' | ')} |`;
}

/** Presents goods that were not presented before. */
function presenting(token, make) {
  const present = make(token);
  return async () => {
    const first = nextHouse;
    nextHouse += presents;
    let next = first;
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (next < first + presents) await present(presentationOf(next++));
      }),
    );
  };
}

function presentationOf(house) {
  return {
    requestId: randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: {
      documentNumber: `HAWB${String(house).padStart(8, '0')}`,
      type: 'N740',
    },
  };
}

function barePresent(token) {
  return async (presentation) => {
    const response = await send(port, '/api/movement/presentation/v1/house-consignment', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(presentation),
    });
    await response.json();
  };
}

function viaClient(token) {
  const landfall = new Landfall({ baseUrl, tokens: fixedToken(token) });
  return (presentation) => landfall.presentHouseConsignment(presentation);
}

async function followBare(token) {
  let marker = '';
  let read = 0;
  while (read < signals) {
    const response = await send(
      port,
      `/api/movement/routing/v1/house-consignment?limit=1000${marker}`,
      { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
    );
    const page = await response.json();
    read += page.length;
    marker = `&marker=${page.at(-1).routingResult.id}`;
  }
}

async function followClient(token) {
  const landfall = new Landfall({ baseUrl, tokens: fixedToken(token) });
  let read = 0;
  for await (const _ of landfall.followRouting()) if (++read === signals) break;
}
