// Measures reading and presenting with no, one and two standbys that are read from: `node bench/standbys.js --help`.

import '../scripts/end-with-script.js';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { makeOwnPostgresql } from '../packages/service/dist/testing/own-postgresql.js';
import { requirePrograms } from '../scripts/require-programs.js';
import { exchangeTokens, fillDatabase, HOUSES_PER_ENS, startIdentityProvider } from './goods.js';
import { runLoad, startServer, stopTarget, usage, usageOfEnded } from './processes.js';
import { send } from './send.js';

const help = `Measures reading and presenting with no, one and two standbys that are read from, all on this machine.

Options:
  --rounds N        rounds of measuring; the table has the medians (default 3)
  --seconds N       duration of each measurement (default 5)
  --warm-up N       seconds of the same load before each (default 2)
  --connections N   number of busy connections, and as many that present meanwhile (default 32)`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}
requirePrograms('this', ['initdb']);

const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const WARM_UP = Number(options['warm-up']);
/** Declarations that the reading organisation presents; pages of their signals are more than a server caches. */
const READ_DECLARATIONS = 60;
const PAGE = 100;
/** More than any server here presents in a second. */
const HOUSES_A_SECOND = 8000;
const HOUSES =
  READ_DECLARATIONS * HOUSES_PER_ENS +
  Math.ceil(HOUSES_A_SECOND * (seconds + WARM_UP)) * rounds * 3;

const presentation = '/api/movement/presentation/v1';
const routing = '/api/movement/routing/v1/house-consignment';

const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
const provider = await startIdentityProvider();
const primary = await makeOwnPostgresql();
const standbys = [];
let port = 18_000 + (process.pid % 1000) * 10;
let presented = READ_DECLARATIONS * HOUSES_PER_ENS;
/** What was measured: by row, then by the number of standbys. */
const measured = new Map();
try {
  await primary.start({ shared_buffers: '256MB' });
  const database = openPostgresql(primary.url);
  await migrate(database);
  await fillDatabase(database, HOUSES);
  await database.close();
  for (const _ of [1, 2]) {
    const standby = await primary.makeReplica();
    await standby.start({ shared_buffers: '256MB' });
    standbys.push(standby);
  }
  const paths = await prepare();
  for (let round = 0; round < rounds; round++) {
    for (const count of [0, 1, 2]) await measure(paths, count);
  }
  console.log(report());
} finally {
  for (const server of [...standbys, primary]) await server.remove();
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts Landfall with so many standbys; gives its tokens when these are read from. */
async function start(count) {
  const hosts = standbys.slice(0, count).map(({ url }) => new URL(url).host);
  const server = {
    port: port++,
    location: primary.url,
    keysFolder: join(folder, 'keys'),
    provider,
    standbys: count === 0 ? '' : `postgresql://postgres@${hosts}/postgres`,
  };
  const child = await startServer(server);
  const tokens = await exchangeTokens(provider, server.port);
  const get = async (path) => {
    const headers = { authorization: `Bearer ${tokens[0]}` };
    return (await send(server.port, path, { headers })).json();
  };
  return { port: server.port, child, tokens, get };
}

/** Presents declarations of one organisation, and gives what is read. */
async function prepare() {
  const { port: at, child, tokens, get } = await start(0);
  for (let number = 0; number < READ_DECLARATIONS; number++) {
    const response = await send(at, `${presentation}/entry-summary-declaration`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` },
      body: JSON.stringify({
        requestId: randomUUID(),
        customsOfficeOfPresentation: 'NO351001',
        mrn: `26NO${String(number).padStart(14, '0')}`,
      }),
    });
    await response.arrayBuffer();
  }
  const markers = [];
  for (let from = ''; ; from = `&marker=${markers.at(-1)}`) {
    const signals = await get(`${routing}?limit=1000${from}`);
    markers.push(...signals.map(({ routingResult }) => routingResult.id));
    if (signals.length < 1000) break;
  }
  const statuses = await get(`${presentation}/validation-status?limit=1000`);
  await stopTarget(child);
  return {
    'full pages of 100 signals': markers
      .slice(0, -PAGE)
      .map((marker) => `${routing}?limit=${PAGE}&marker=${marker}`),
    'last page, of 100 signals': [`${routing}?limit=1000&marker=${markers.at(-PAGE - 1)}`],
    'page after the last signal': [`${routing}?marker=${markers.at(-1)}`],
    'status of a request': statuses.map(
      ({ requestId }) => `${presentation}/validation-status/${requestId}`,
    ),
  };
}

/** Measures every row with so many standbys. */
async function measure(paths, count) {
  const server = await start(count);
  const read = { kind: 'read', ports: [server.port], tokens: [server.tokens[0]] };
  for (const [name, addresses] of Object.entries(paths)) {
    await note(name, count, () => load({ ...read, paths: addresses }));
  }
  // At the same time, so that the processors are shared by both.
  const reading = load({ ...read, paths: paths['full pages of 100 signals'] });
  await note('presenting while such pages are read', count, async () => {
    const present = { kind: 'present', ports: [server.port], tokens: server.tokens };
    const result = await load({ ...present, from: presented, housesPerEns: HOUSES_PER_ENS });
    presented = Math.ceil(result.next / HOUSES_PER_ENS) * HOUSES_PER_ENS;
    return result;
  });
  await reading;
  await stopTarget(server.child);
}

function load(rest) {
  return runLoad({ connections: Number(options.connections), seconds, warmUp: WARM_UP, ...rest });
}

/** Stores responses a second, and the processor time of the primary for each in µs. */
async function note(name, count, run) {
  const before = await primarySeconds();
  const { perSecond, statuses } = await run();
  const used = (await primarySeconds()) - before;
  const microseconds = (used * 1e6) / (perSecond * (seconds + WARM_UP));
  const row = measured.get(name) ?? [[], [], []];
  row[count].push({ perSecond, microseconds });
  measured.set(name, row);
  process.stderr.write(
    `${name}, ${count} standbys: ${Math.round(perSecond)}/s, ${Math.round(microseconds)} µs ${JSON.stringify(statuses)}\n`,
  );
}

/** Processor seconds of the primary: of its processes, and of those that have ended. */
async function primarySeconds() {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  const { rows } = await client.query('select pid from pg_stat_activity');
  const { rows: lines } = await client.query(
    `select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::integer as pid`,
  );
  await client.end();
  return usage(rows.map(({ pid }) => pid)).seconds + usageOfEnded(lines[0].pid);
}

function report() {
  const median = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];
  const lines = [...measured].map(([name, counts]) => {
    const rates = counts.map((runs) => median(runs.map(({ perSecond }) => perSecond)));
    const times = counts.map((runs) => median(runs.map(({ microseconds }) => microseconds)));
    const cells = rates.map((rate, count) => {
      const ratio = count === 0 ? '' : ` (${(rate / rates[0]).toFixed(2)})`;
      return `${Math.round(rate)}${ratio}`;
    });
    return `| ${[name, ...cells, ...times.map((time) => Math.round(time))].join(' | ')} |`;
  });
  return `${cpus().length} × ${cpus()[0]?.model}, ${rounds} rounds of ${seconds} s

| a second | no standby | one | two | processor time of the primary in µs: no standby | one | two |
|---|---:|---:|---:|---:|---:|---:|
${lines.join('\n')}`;
}
