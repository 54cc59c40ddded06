// Measures presenting, reading and finding at several numbers of house consignments: `node bench/growth.js --help`.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
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
  ORGANISATIONS,
  runMaintenance,
  startIdentityProvider,
} from './goods.js';
import { runLoad, startServer, stopTarget } from './processes.js';

const help = `Measures presenting, reading and finding at several numbers of house consignments.

  node bench/growth.js prepare     fills a database for each size; 30 million take half an hour and 25 GB
  node bench/growth.js measure     measures these databases in turn, in rounds, and prints medians
  node bench/growth.js drop        drops them

Options:
  --millions LIST   sizes in millions of house consignments (default 1,10,30)
  --rounds N        rounds of measuring (default 3)
  --seconds N       duration of each measurement (default 5)
  --connections N   number of busy connections (default 64)
  --database URL    PostgreSQL server (default postgresql://postgres@127.0.0.1:5432/postgres)`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    millions: { type: 'string', default: '1,10,30' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
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
};

/** One in so many declarations of the filled data was presented already. */
const PRESENTED_ONE_IN = 10;
const BLOCK = 100_000;
/** The house consignments from here on are presented while measuring. */
const FREE_PART = 0.5;

const sizes = options.millions
  .split(',')
  .map((millions) => ({
    millions: Number(millions),
    houses: Number(millions) * 1_000_000,
    name: `landfall_growth_${millions.replace('.', '_')}m`,
  }))
  .sort((one, other) => one.houses - other.houses);
const addressOf = (name) => Object.assign(new URL(options.database), { pathname: `/${name}` }).href;

const commands = { prepare, measure, drop };
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
    await runMaintenance(database);
    await database.close();
    previous = size;
  }
}

/** Presents some of the house consignments by SQL: their recipients, statuses and signals. */
async function addPresentations(database, start, end) {
  await database.transact((transaction) =>
    transaction.run(`
      with house as (
        select h.id, h.ens_id, h.signal_head, h.routing, e.declarant as owner, e.mrn, gen_random_uuid() as request_id,
          (number / ${HOUSES_PER_ENS * ORGANISATIONS * PRESENTED_ONE_IN}) * ${HOUSES_PER_ENS}
            + number % ${HOUSES_PER_ENS} + 1 as position
        from generate_series(${start}, ${end - 1}) number
        join house_consignment h on h.document_number = 'HAWB' || lpad(number::text, 8, '0') and h.document_type = 'N740'
        join entry_summary_declaration e on e.id = h.ens_id
        where number / ${HOUSES_PER_ENS * ORGANISATIONS} % ${PRESENTED_ONE_IN} = 0
      ),
      recipient as (
        insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id, signal_position)
        select id, owner, owner, request_id, position from house
      ),
      status as (
        insert into validation_status (owner, position, id, failed, ens_id, entry)
        select owner, position, request_id, false, ens_id, validation_status_entry(request_id::text, false,
          'HOUSE_CONSIGNMENT', '2026-11-21T10:00:00.000Z', mrn, 'NO351001', 1, null) from house
      )
      insert into routing_signal (owner, position, id, entry)
      select owner, position, marker, routing_signal_entry(signal_head, marker, routing, null, '2026-11-21T10:00:00.000Z')
      from (select *, mint_marker(position, 1) as marker from house offset 0) minted`),
  );
}

/** Measures each size in each round, so that a change of the machine affects all of them. */
async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
  const provider = await startIdentityProvider();
  const port = 18_000 + (process.pid % 1000) * 10;
  const measured = sizes.map(() => ({ present: [], status: [], page: [], find: [] }));
  try {
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [index, size] of sizes.entries()) {
        const child = await startServer({
          port: port + index,
          location: addressOf(size.name),
          keysFolder: join(folder, size.name),
          provider,
        });
        const results = await measureSize(size, port + index, provider, round);
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

async function measureSize({ houses }, port, provider, round) {
  const tokens = await exchangeTokens(provider, port);
  const load = (rest) =>
    runLoad({
      connections: Number(options.connections),
      seconds: Number(options.seconds),
      warmUp: 3,
      ports: [port],
      ...rest,
    });
  const rounds = Number(options.rounds);
  const free = houses * FREE_PART;
  const from = Math.floor((free + (free * round) / rounds) / HOUSES_PER_ENS) * HOUSES_PER_ENS;
  const present = await load({ kind: 'present', tokens, from, housesPerEns: HOUSES_PER_ENS });
  const get = async (path) =>
    (
      await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${tokens[0]}` },
      })
    ).json();
  const base = '/api/movement/presentation/v1/validation-status';
  const statuses = (await get(`${base}?limit=1000`)).map(({ requestId }) => requestId);
  const routing = '/api/movement/routing/v1/house-consignment';
  const markers = (await get(`${routing}?limit=1000`)).map(({ routingResult }) => routingResult.id);
  const status = await load({
    kind: 'read',
    tokens: [tokens[0]],
    paths: statuses.map((id) => `${base}/${id}`),
  });
  const page = await load({
    kind: 'read',
    tokens: [tokens[0]],
    paths: markers.map((marker) => `${routing}?limit=10&marker=${marker}`),
  });
  const authority = await exchangeToken(provider, port, 0, 'customs:authority/registry');
  const find = await load({
    kind: 'read',
    tokens: [authority],
    paths: Array.from({ length: 1000 }, (_, number) => {
      const house = Math.floor((houses / 1000) * number);
      return `/api/authority/v1/house-consignments?documentNumber=HAWB${String(house).padStart(8, '0')}`;
    }),
  });
  return { present, status, page, find };
}

function report(measured) {
  const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const lines = [
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}; ${options.connections} connections, medians of ${options.rounds}; requests a second, beside the smallest size, and p99`,
    '',
    `| | ${sizes.map(({ millions }) => `${millions} million`).join(' | ')} |`,
    `|---|${sizes.map(() => '---:').join('|')}|`,
  ];
  for (const [row, title] of Object.entries(ROWS)) {
    const rates = measured.map((runs) => median(runs[row].map(({ perSecond }) => perSecond)));
    const slow = measured.map((runs) => median(runs[row].map(({ p99 }) => p99)));
    const failed = measured
      .flatMap((runs) => runs[row])
      .flatMap(({ statuses }) => Object.keys(statuses))
      .filter((code) => !code.startsWith('2'));
    const cells = rates.map(
      (rate, index) =>
        `${rate.toFixed(0)} (${(rate / rates[0]).toFixed(2)}), ${slow[index].toFixed(1)} ms`,
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
