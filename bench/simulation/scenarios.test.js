// Sizes, machines and the command of the simulation, on what was measured and on numbers that are easy to compute with.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { machinesOf, useOf } from './machines.js';
import { SCENARIOS, simulate } from './scenarios.js';
import { sizesOf } from './sizes.js';
import { machineTable, rateTable, round, sizeTable } from './tables.js';

const command = fileURLToPath(new URL('simulate.js', import.meta.url));
const capacity = JSON.parse(
  readFileSync(new URL('../results/capacity.json', import.meta.url), 'utf8'),
);
const small = { parcels: 20_000_000 };

test('the same seed gives the same tables, another seed others', () => {
  const tables = (seed) => {
    const simulated = simulate(capacity, small, seed);
    return [rateTable(simulated), sizeTable(simulated), machineTable({ one: simulated })];
  };
  assert.deepEqual(tables(1), tables(1));
  assert.notDeepEqual(tables(1), tables(2));
});

test('twice the processor time of every operation is twice the use', () => {
  const doubled = structuredClone(capacity);
  for (const operation of Object.values(doubled.operations)) operation.primaryMicroseconds *= 2;
  const [one, two] = [capacity, doubled].map((each) => simulate(each, small).machines.use);
  assert(Math.abs(two.primary / one.primary - 2) < 1e-3);
  assert.equal(two.server, one.server);
});

test('what a year uses is the sum of its operations', () => {
  const operations = Object.fromEntries(
    Object.keys(capacity.operations).map((name) => [
      name,
      { serverMicroseconds: 0, primaryMicroseconds: 0, standbyMicroseconds: 0, walBytes: 0 },
    ]),
  );
  operations.register = { ...operations.register, walBytes: 10 };
  operations['present a house consignment'] = {
    ...operations['present a house consignment'],
    walBytes: 7,
  };
  const { values } = simulate(capacity, small);
  const none = [new Float64Array(1), new Float64Array(1), new Float64Array(1), new Float64Array(1)];
  const goods = {
    parcels: [100, 0, 0, 50, 0],
    hours: [Float64Array.from([100]), ...none],
    spans: { durations: Float64Array.from([1]), rates: [Float64Array.from([100]), ...none] },
  };
  const { year, peak } = useOf('walBytes', goods, values, operations);
  assert.equal(year, 100 * (10 + 7) + 50 * 10);
  assert(Math.abs(peak - (100 * 7 + (100 * 10) / 3600)) < 1e-6);
});

test('machines are as many as may fail, and cost what the prices say', () => {
  const { machines } = simulate(capacity, { ...small, processorHour: 1, gigabyteMonth: 0 });
  assert.deepEqual(machines.counts, {
    servers: 2,
    serverMachines: 2,
    primaries: 1,
    standbys: 2,
    natsServers: 3,
  });
  assert.equal(machines.cost.processors, 2 * 4 + 3 * 16 + 3 * 4);
  assert.equal(machines.cost.processorCost, machines.cost.processors * 365 * 24);
  assert.equal(machines.cost.storageCost, 0);
});

test('a larger year needs more servers and more installations', () => {
  const { values, sizes } = simulate(capacity, small);
  const goods = (times) => ({
    parcels: [1e9 * times, 0, 0, 0, 0],
    hours: Array.from({ length: 5 }, () => Float64Array.from([0])),
    spans: {
      durations: Float64Array.from([1]),
      rates: [1e4 * times, 0, 0, 0, 0].map((rate) => Float64Array.from([rate])),
    },
  });
  const of = (times) => machinesOf(goods(times), sizes, values, capacity.operations);
  assert(of(10).counts.servers > 5 * of(1).counts.servers);
  assert(of(10).neededForProcessors > of(1).neededForProcessors);
  const forSize = (maxTerabytes) =>
    simulate(capacity, { ...small, maxTerabytes }).machines.neededForSize;
  assert(forSize(0.0001) > 9 * forSize(0.001));
});

test('every measured table has something that its rows are counted by', () => {
  assert.throws(
    () => sizesOf({}, { new_table: { rows: 1, tableBytes: 1, indexBytes: 1 } }),
    /new_table was measured: say in sizes\.js what its rows are counted by/,
  );
  const { sizes } = simulate(capacity, small);
  for (const { table, rows, rowBytes } of sizes) {
    assert(rows > 0, `${table} has no rows`);
    assert(rowBytes > 20 && rowBytes < 10_000, `${table} has rows of ${rowBytes} bytes`);
  }
});

test('numbers have three significant digits', () => {
  assert.deepEqual([0, 0.012345, 1.5, 12.34, 1234.5, 4_594_321].map(round), [
    '0',
    '0.0123',
    '1.5',
    '12.3',
    '1,230',
    '4,590,000',
  ]);
});

test('the command prints the tables of its assumptions', () => {
  const printed = execFileSync('node', [command, '--set', 'parcels=20000000', '--seed', '3'], {
    encoding: 'utf8',
  });
  assert(printed.includes(rateTable(simulate(capacity, small, 3))));
  assert.match(printed, /\| parcels presented \| 20 million \|/);
});

test('the command names an assumption that does not exist, and a value that is no number', () => {
  for (const [set, expected] of [
    ['parcel=1', 'parcel is not an assumption'],
    ['parcels=many', 'parcels is not a number from 0'],
    ['parcels', 'parcels is not a number from 0'],
  ]) {
    const { status, stderr, stdout } = spawnSync('node', [command, '--set', set], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.equal(stderr.trim(), expected);
    assert.equal(stdout, '');
  }
});

test('the scenarios of the document are those of known assumptions', () => {
  for (const replaced of Object.values(SCENARIOS)) {
    assert.doesNotThrow(() => simulate(capacity, { ...replaced, ...small }));
  }
});
