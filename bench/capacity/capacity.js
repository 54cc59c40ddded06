// Measures what each operation costs, and how large the tables become: `node bench/capacity/capacity.js --help`.
import '../../scripts/end-with-script.js';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrate } from '../../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';
import { makeOwnPostgresql } from '../../packages/service/dist/testing/own-postgresql.js';
import { requirePrograms } from '../../scripts/require-programs.js';
import {
  addDeclarations,
  addOrganisations,
  exchangeToken,
  exchangeTokens,
  runMaintenance,
  startIdentityProvider,
} from '../goods.js';
import { startServer, stopTarget, usage, usageOfTree } from '../processes.js';
import { send } from '../send.js';
import { makeDeclarations } from './goods.js';
import { makePhases } from './phases.js';
import { readTableSizes } from './table-sizes.js';

const help = `Measures the processor time of each operation in the server, the primary and a standby, the WAL that it
writes, and the bytes of each row, on a PostgreSQL of its own with one standby.

Options:
  --houses N    house consignments of a round (default 100,000)
  --rounds N    rounds, each with a new database; the result has the medians (default 3)
  --seconds N   duration of each phase that reads (default 4)
  --repeats N   exchanged tokens, and a tenth of the published events (default 5,000)
  --keep        also writes bench/results/capacity.json, from which docs/scaling.md is generated`;

const { values: options } = parseArgs({
  options: {
    houses: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    repeats: { type: 'string', default: '5000' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}
requirePrograms('this', ['initdb']);

/** Checkpoints would begin in one phase and end in another. */
const SETTINGS = { shared_buffers: '256MB', max_wal_size: '8GB', checkpoint_timeout: '1h' };
/** Declarations without goods, as many as house consignments, so that plans are those of a large database. */
const otherDeclarations = Number(options.houses);
/** What a standby applies late and the statistics write late counts for the phase that caused it. */
const SETTLE_MS = 1500;

const folder = mkdtempSync(join(tmpdir(), 'landfall-capacity-'));
const provider = await startIdentityProvider();
const goods = [...makeDeclarations(Number(options.houses))];
const rounds = [];
let version = '';
try {
  for (let round = 0; round < Number(options.rounds); round++)
    rounds.push(await measureRound(round));
} finally {
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Medians of the rounds. */
const capacity = {
  measured: {
    date: new Date().toISOString().slice(0, 10),
    command: `node bench/capacity/capacity.js --houses ${options.houses} --rounds ${options.rounds}`,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    versions: `Node.js ${process.version}, PostgreSQL ${version}`,
  },
  operations: medianOf(rounds.map(({ operations }) => operations)),
  tables: medianOf(rounds.map(({ tables }) => tables)),
};
const text = `${JSON.stringify(capacity, null, 2)}\n`;
console.log(text);
if (options.keep) writeFileSync(new URL('../results/capacity.json', import.meta.url), text);

/** Runs every phase once on a new database. */
async function measureRound(round) {
  const primary = await makeOwnPostgresql();
  const keysFolder = join(folder, `keys-${round}`);
  const port = 18_000 + (process.pid % 1000) * 10 + round;
  let standby;
  let server;
  let client;
  try {
    await primary.start(SETTINGS);
    const database = openPostgresql(primary.url);
    await migrate(database);
    await addOrganisations(database);
    await addDeclarations(database, 0, otherDeclarations);
    await database.transact((transaction) =>
      transaction.run(`
        insert into organisation_scope (organisation_id, scope)
          select id, unnest('{authority/registry,authority/routing,declaration.publish}'::text[])
          from organisation where identifier = '0192:810000000'
        on conflict do nothing`),
    );
    standby = await primary.makeReplica();
    await standby.start(SETTINGS);
    client = new pg.Client({ connectionString: primary.url });
    await client.connect();
    version = (await client.query('show server_version')).rows[0].server_version;
    server = await startServer({ port, location: primary.url, keysFolder, provider });
    const phases = makePhases({
      port,
      provider,
      // Requests keep their ids, so each round has its own.
      goods: structuredClone(goods),
      send: (path, init) => sendWhole(port, path, init),
      tokens: await exchangeTokens(provider, port),
      authority: {
        registry: await exchangeToken(provider, port, 0, 'customs:authority/registry'),
        routing: await exchangeToken(provider, port, 0, 'customs:authority/routing'),
        publish: await exchangeToken(provider, port, 0, 'customs:declaration.publish'),
      },
      repeats: Number(options.repeats),
      seconds: Number(options.seconds),
    });
    const pids = {
      server: server.pid,
      primary: await postmasterOf(primary),
      standby: await postmasterOf(standby),
    };
    const operations = {};
    for (const [name, run] of Object.entries(phases)) {
      const measured = await measure(client, pids, run);
      if (measured === undefined) continue;
      operations[name] = measured;
      process.stderr.write(`${name}: ${JSON.stringify(operations[name])}\n`);
      // What was written is analysed as autovacuum would, but not while something is measured.
      if (name === 'register') await runMaintenance(database);
    }
    await client.query('vacuum analyze');
    const tables = await readTableSizes(client);
    await database.close();
    return { operations, tables };
  } finally {
    await client?.end();
    if (server !== undefined) await stopTarget(server);
    await standby?.remove();
    await primary.remove();
  }
}

/** Microseconds of processor time and bytes of WAL for each unit of a phase. */
async function measure(client, pids, run) {
  const before = await state(client, pids);
  const done = await run();
  if (done === undefined) return undefined;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const after = await state(client, pids);
  const { units, requests = units } = typeof done === 'number' ? { units: done } : done;
  const each = (name) => Number((((after[name] - before[name]) * 1e6) / units).toFixed(1));
  return {
    units,
    requests,
    serverMicroseconds: each('server'),
    primaryMicroseconds: each('primary'),
    standbyMicroseconds: each('standby'),
    walBytes: Math.round((after.wal - before.wal) / units),
  };
}

async function state(client, pids) {
  const { rows } = await client.query(`select pg_current_wal_lsn() - '0/0' as wal`);
  return {
    server: usage([pids.server]).seconds,
    primary: usageOfTree(pids.primary),
    standby: usageOfTree(pids.standby),
    wal: Number(rows[0].wal),
  };
}

async function postmasterOf(cluster) {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`,
  );
  await client.end();
  return rows[0].pid;
}

/** Sends a request, and reads its body if the caller does not. */
async function sendWhole(port, path, init) {
  const body = await (await send(port, path, init)).text();
  return { text: async () => body, json: async () => JSON.parse(body) };
}

/** The median of each number in objects of the same form. */
function medianOf(values) {
  const [first] = values;
  if (typeof first === 'number') {
    return values.sort((one, other) => one - other)[values.length >> 1];
  }
  return Object.fromEntries(
    Object.keys(first).map((key) => [key, medianOf(values.map((value) => value[key]))]),
  );
}
