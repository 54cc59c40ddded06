// The tables of a simulation, as Markdown.
import { assumptions } from './assumptions.js';

/** Three significant digits, with commas. @param {number} value */
export function round(value) {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 6) });
}

/** @param {string[]} head @param {string[][]} rows the first column is text, all others are numbers */
function table(head, rows, alignments = head.map((_, index) => (index === 0 ? '---' : '---:'))) {
  return [head, alignments, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What each operation costs, and how often one processor can do it. */
export function capacityTable({ operations }) {
  const rows = Object.entries(operations).map(([name, each]) => [
    `${name}${each.units > each.requests ? `, ${round(each.units / each.requests)} parcels in each: for each parcel` : ''}`,
    ...['serverMicroseconds', 'primaryMicroseconds', 'standbyMicroseconds', 'walBytes'].map(
      (cost) => round(each[cost]),
    ),
    ...['serverMicroseconds', 'primaryMicroseconds'].map((cost) => round(1e6 / each[cost])),
  ]);
  return table(
    [
      'one',
      'server, µs',
      'primary, µs',
      'standby, µs',
      'WAL, bytes',
      'a second, one processor of a server',
      'of the primary',
    ],
    rows,
  );
}

export function assumptionTable() {
  const rows = Object.entries(assumptions).map(([name, { value, unit, why }]) => [
    `\`${name}\``,
    value.toLocaleString('en-US', { maximumFractionDigits: 4 }),
    unit,
    why,
  ]);
  return table(['name', 'value', 'unit', 'source'], rows, ['---', '---:', '---', '---']);
}

/** The rates of one year. */
export function rateTable({ rates }) {
  const rows = rates.map(({ name, year, average, hour, second, max }) => [
    name,
    `${round(year / 1e6)} million`,
    ...[average, hour, second, max].map(round),
  ]);
  return table(
    [
      'a second',
      'in a year',
      'on average',
      'in the busiest hour',
      '99.9 % of the seconds',
      'busiest second',
    ],
    rows,
  );
}

/** The growth of each table. */
export function sizeTable({ sizes }) {
  const sum = sizes.reduce((total, { rows, rowBytes }) => total + rows * rowBytes, 0);
  const rows = [...sizes]
    .sort((one, other) => other.rows * other.rowBytes - one.rows * one.rowBytes)
    .map((size) => [
      `\`${size.table}\``,
      round(size.rowBytes),
      `${round(size.indexPart * 100)} %`,
      `${round(size.rows / 365 / 1e6)} million`,
      ...growth(size.rows * size.rowBytes),
    ]);
  return table(
    [
      'table',
      'bytes of a row',
      'of which indexes',
      'rows a day',
      'GB a day',
      'GB a month',
      'TB a year',
    ],
    [...rows, ['**all**', '', '', '', ...growth(sum)]],
  );
}

function growth(bytesOfYear) {
  return [bytesOfYear / 365 / 1e9, bytesOfYear / 12 / 1e9, bytesOfYear / 1e12].map(round);
}

/** The machines and costs of several years, one in each column. @param {Record<string, any>} simulated by name */
export function machineTable(simulated) {
  const all = Object.values(simulated);
  const row = (name, of) => [name, ...all.map(({ machines, values }) => of(machines, values))];
  const usd = (value) => `${round(value / 1000)} thousand`;
  return table(
    ['', ...Object.keys(simulated)],
    [
      row('processors busy in the peak second: all servers of an installation', ({ use }) =>
        round(use.server),
      ),
      row('its primary', ({ use }) => round(use.primary)),
      row('each standby, for replay', ({ use }) => round(use.standby)),
      row('WAL in the peak second, MB/s', ({ wal }) => round(wal.peakPerSecond / 1e6)),
      row('WAL a day, GB', ({ wal }) => round(wal.day / 1e9)),
      row('data of a primary, TB', ({ terabytes }) => round(terabytes)),
      row('installations that the size requires', ({ neededForSize }, { regions }) =>
        round(Math.max(neededForSize * regions, regions)),
      ),
      row('installations that the processors require', ({ neededForProcessors }, { regions }) =>
        round(Math.max(neededForProcessors * regions, regions)),
      ),
      row('servers, in all', ({ counts }) => round(counts.servers)),
      row('machines for servers', ({ counts }) => round(counts.serverMachines)),
      row('primaries', ({ counts }) => round(counts.primaries)),
      row('standbys', ({ counts }) => round(counts.standbys)),
      row('NATS servers', ({ counts }) => round(counts.natsServers)),
      row('vCPU, in all', ({ cost }) => round(cost.processors)),
      row('stored, TB', ({ cost }) => round(cost.storedTerabytes)),
      row('USD a year for vCPU', ({ cost }) => usd(cost.processorCost)),
      row('USD a year for storage', ({ cost }) => usd(cost.storageCost)),
      row('USD for a million parcels', ({ cost }, { parcels }) =>
        round(((cost.processorCost + cost.storageCost) / parcels) * 1e6),
      ),
    ],
  );
}
