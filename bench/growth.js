// Measures presenting, reading, finding and deciding at several numbers of house consignments: `node bench/growth.js --help`.

import '../scripts/end-with-script.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import {
  addDeclarations,
  addHouseConsignments,
  addOrganisations,
  exchangeToken,
  exchangeTokens,
  HOUSES_PER_ENS,
  runMaintenance,
  startIdentityProvider,
} from './goods.js';
import { addPresentations, documentOf, findLatest, readGoods } from './growth-goods.js';
import { connectAsService, countPages } from './growth-pages.js';
import { runLoad, startServer, stopTarget, usage } from './processes.js';

const help = `Measures presenting, reading, finding and deciding at several numbers of house consignments.

  node bench/growth.js prepare     fills a database for each size; 50 million take half an hour and 40 GB
  node bench/growth.js measure     measures these databases in turn, in rounds, and prints medians
  node bench/growth.js pages       counts the pages of tables and indexes that each statement accesses
  node bench/growth.js drop        drops them

Options:
  --millions LIST   sizes in millions of house consignments (default 1,10,50)
  --only LIST       rows to measure: present, status, page, find, findAny, decide (default all)
  --rounds N        rounds of measuring (default 3)
  --seconds N       duration of each measurement (default 5)
  --warm-up N       seconds of the same load before each (default 3)
  --days-ago N      measures the goods of an earlier day: those of a day can be presented once (default 0)
  --connections N   number of busy connections (default 64)
  --database URL    PostgreSQL server (default postgresql://postgres@127.0.0.1:5432/postgres)`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    millions: { type: 'string', default: '1,10,50' },
    only: { type: 'string', default: 'present,status,page,find,findAny,decide' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '3' },
    'days-ago': { type: 'string', default: '0' },
    connections: { type: 'string', default: '64' },
    database: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    help: { type: 'boolean', default: false },
  },
});

/** What is measured. */
const ROWS = {
  present: 'present a house consignment',
  status: 'read a status',
  page: 'read a page of 10 signals',
  find: 'find by document number',
  findAny: 'find any of a year',
  decide: 'decide on 100',
};

const BLOCK = 100_000;
/** Seconds of a load before it is measured. */
const WARM_UP = Number(options['warm-up']);

const sizes = options.millions
  .split(',')
  .map((millions) => ({
    millions: Number(millions),
    houses: Number(millions) * 1_000_000,
    name: `landfall_growth_${millions.replace('.', '_')}m`,
  }))
  .sort((one, other) => one.houses - other.houses);
/** The newest house consignments, of one day: they are presented, read, found and decided on while measuring. */
const DAY = Math.min(200_000, sizes[0].houses / 5);
const addressOf = (name) => Object.assign(new URL(options.database), { pathname: `/${name}` }).href;

const commands = { prepare, measure, pages, drop };
const command = commands[positionals[0]];
if (options.help || command === undefined) {
  console.log(help);
  process.exit(options.help ? 0 : 2);
}
const server = new pg.Client({ connectionString: options.database });
await server.connect();
try {
  await command();
} finally {
  await server.end();
}

/** Fills the smallest database, copies it, and continues with the copy. */
async function prepare() {
  let previous;
  for (const size of sizes) {
    const template = previous === undefined ? '' : `template ${previous.name}`;
    await server.query(`create database ${size.name} ${template}`);
    // What is filled in refers to what exists: foreign keys are not checked meanwhile.
    await server.query(`alter database ${size.name} set session_replication_role = replica`);
    const database = openPostgresql(addressOf(size.name));
    if (previous === undefined) {
      await migrate(database);
      await addOrganisations(database);
    }
    for (let start = previous?.houses ?? 0; start < size.houses; start += BLOCK) {
      const end = Math.min(size.houses, start + BLOCK);
      await addDeclarations(database, start / HOUSES_PER_ENS, end / HOUSES_PER_ENS);
      await addHouseConsignments(database, start, end);
      await addPresentations(database, start, end);
      process.stderr.write(`\r${size.name}: ${(end / 1e6).toFixed(1)} million`);
    }
    process.stderr.write('\n');
    await database.close();
    // Over a session without a time limit: it takes minutes.
    await withClient(size.name, async (client) => {
      await client.query('vacuum (analyze) validation_status, routing_signal, signal_recipient');
      await runMaintenance({ query: ({ text }) => client.query(text) });
    });
    await server.query(`alter database ${size.name} reset session_replication_role`);
    previous = size;
  }
}

/** Measures each size in each round, so that a change of the machine affects all of them. */
async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
  const provider = await startIdentityProvider();
  const port = 18_000 + (process.pid % 1000) * 10;
  const measured = sizes.map(() => Object.fromEntries(Object.keys(ROWS).map((row) => [row, []])));
  try {
    for (const { name } of sizes) await withClient(name, warmIndexes);
    for (let round = 0; round < Number(options.rounds); round++) {
      const inTurn = [...sizes.entries()];
      if (round % 2 === 1) inTurn.reverse();
      for (const [index, size] of inTurn) {
        const child = await startServer({
          port: port + index,
          location: addressOf(size.name),
          keysFolder: join(folder, size.name),
          provider,
        });
        const results = await measureSize(size, port + index, provider, round, child.pid);
        await stopTarget(child);
        for (const [row, result] of Object.entries(results)) measured[index][row].push(result);
      }
    }
  } finally {
    provider.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(report(measured));
}

/** Counts pages for the newest goods, and the last entries of an organisation. */
async function pages() {
  const counted = [];
  for (const { name, houses } of sizes) {
    const goods = {
      ...(await withClient(name, findLatest)),
      documents: Array.from({ length: DAY }, (_, index) => documentOf(houses - DAY + index)),
    };
    const client = await connectAsService(addressOf(name));
    counted.push(await countPages(client, goods));
    await client.end();
  }
  const cells = (row) => counted.map((pages) => pages[row].toFixed(1)).join(' | ');
  const lines = Object.entries(ROWS)
    .filter(([row]) => row in counted[0])
    .map(([row, title]) => `| ${title} | ${cells(row)} |`);
  console.log([...headOfTable(), ...lines].join('\n'));
}

async function measureSize({ houses, name }, port, provider, round, pid) {
  const tokens = await exchangeTokens(provider, port);
  const seconds = Number(options.seconds);
  const results = {};
  const load = async (row, rest) => {
    if (!options.only.split(',').includes(row)) return;
    const connections = Number(options.connections);
    const loading = runLoad({ connections, seconds, warmUp: WARM_UP, ports: [port], ...rest });
    const processorTime = await measureProcessorTime(name, pid, seconds);
    const result = await loading;
    results[row] = {
      ...result,
      processorTime: (processorTime / seconds / result.perSecond) * 1e6,
    };
  };
  const count = Math.floor(DAY / HOUSES_PER_ENS / Number(options.rounds)) * HOUSES_PER_ENS;
  const from = houses - DAY * (1 + Number(options['days-ago'])) + count * round;
  await withClient(name, (client) => readGoods(client, from, count));
  await load('present', { kind: 'present', tokens, from, housesPerEns: HOUSES_PER_ENS });
  const { statuses, signals } = await withClient(name, findLatest);
  const read = (row, token, paths) => load(row, { kind: 'read', tokens: [token], paths });
  const status = '/api/movement/presentation/v1/validation-status';
  await read(
    'status',
    tokens[0],
    statuses.map((id) => `${status}/${id}`),
  );
  const routing = '/api/movement/routing/v1/house-consignment';
  await read(
    'page',
    tokens[0],
    signals.map((id) => `${routing}?limit=10&marker=${id}`),
  );
  const registry = await exchangeToken(provider, port, 0, 'customs:authority/registry');
  const find = (row, first, last) =>
    read(
      row,
      registry,
      // Spread evenly, and without a step that the presented goods have too.
      Array.from({ length: 1000 }, (_, index) => {
        const document = documentOf(first + Math.floor(((index * 0.618034) % 1) * (last - first)));
        return `/api/authority/v1/house-consignments?documentNumber=${document}`;
      }),
    );
  await find('find', from, results.present?.next ?? from + count);
  await find('findAny', 0, houses);
  await load('decide', {
    kind: 'decide',
    tokens: [await exchangeToken(provider, port, 0, 'customs:authority/routing')],
    from,
    housesPerEns: HOUSES_PER_ENS,
    connections: 4,
  });
  return results;
}

/** Loads the indexes that a server which has run for a day has in the shared buffers of PostgreSQL, as far as they fit. */
async function warmIndexes(client) {
  await client.query('create extension if not exists pg_prewarm');
  await client.query(
    `select pg_prewarm(indexrelid) from pg_index
     where indrelid = any('{validation_status,routing_signal,signal_recipient}'::regclass[])`,
  );
}

/** Processor seconds of a server and of its sessions with the database, during a load. */
async function measureProcessorTime(name, pid, seconds) {
  await delay(WARM_UP * 1000);
  const pids = await withClient(name, async (client) => {
    const { rows } = await client.query('select pid from pg_stat_activity where datname = $1', [
      name,
    ]);
    return [pid, ...rows.map((row) => row.pid)];
  });
  const before = usage(pids).seconds;
  await delay(seconds * 1000);
  return usage(pids).seconds - before;
}

async function withClient(name, work) {
  const client = new pg.Client({ connectionString: addressOf(name) });
  await client.connect();
  try {
    await client.query(
      'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off',
    );
    return await work(client);
  } finally {
    await client.end();
  }
}

function headOfTable() {
  return [
    `| | ${sizes.map(({ millions }) => `${millions} million`).join(' | ')} |`,
    `|---|${sizes.map(() => '---:').join('|')}|`,
  ];
}

/** A ratio to what may be too short to be measured. */
function ratio(value, base) {
  return base === 0 ? '?' : (value / base).toFixed(2);
}

function report(measured) {
  const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const lines = [
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}; ${options.connections} connections, medians of ${options.rounds}; requests a second, and processor time of the server and the database for each, both with the ratio to the smallest size`,
    '',
    ...headOfTable(),
  ];
  for (const [row, title] of Object.entries(ROWS)) {
    if (measured[0][row].length === 0) continue;
    const rates = measured.map((runs) => median(runs[row].map(({ perSecond }) => perSecond)));
    const times = measured.map((runs) =>
      median(runs[row].map(({ processorTime }) => processorTime)),
    );
    const failed = measured
      .flatMap((runs) => runs[row])
      .flatMap(({ statuses }) => Object.keys(statuses))
      .filter((code) => !code.startsWith('2'));
    const cells = rates.map(
      (rate, index) =>
        `${rate.toFixed(0)} (${ratio(rate, rates[0])}), ${times[index].toFixed(0)} µs (${ratio(times[index], times[0])})`,
    );
    lines.push(
      `| ${title} | ${cells.join(' | ')} |${failed.length > 0 ? ` statuses ${[...new Set(failed)]}` : ''}`,
    );
  }
  return lines.join('\n');
}

async function drop() {
  for (const { name } of sizes) await server.query(`drop database if exists ${name} with (force)`);
}
