// The generated parts of docs/scaling.md: what was measured (bench/results/capacity.json), and what a parcel and a year need.

const COSTS = ['serverMicroseconds', 'primaryMicroseconds', 'standbyMicroseconds', 'walBytes'];

/** How often each operation happens for a parcel that is presented by itself. */
const OF_A_PARCEL = {
  register: 1,
  'decide before presentation': 0.9,
  'decide after presentation': 0.1,
  'present a house consignment': 1,
  'read a page of 20 signals': 1.8 / 20,
  'read a status': 0.2,
  'find a house consignment': 0.02,
  'publish a goods-item event': 1.2,
};

/** Rows of each table for a parcel; pre-notifications have 250 parcels, and containers as many as were measured. */
const ROWS_OF_A_PARCEL = {
  audit_record: 1,
  declaration: 1 / 250,
  feed_access: 1.8 / 20,
  goods_item: 1,
  goods_item_event: 1.2,
  house_consignment: 1,
  house_consignment_container: 0.16,
  issued_signal: 1.8 * 0.1,
  registration: 1 / 250,
  routing_decision: 1,
  routing_signal: 1.8,
  signal_recipient: 1.8,
  validation_status: 1,
};

/** Tables whose size does not depend on parcels, or that only levels above the house consignment write. */
const OTHER_TABLES = [
  'audit_chain_end',
  'audit_removal',
  'audit_verification',
  'database_backup',
  'feed_state',
  'feed_timeline',
  'feed_timeline_end',
  'level_presentation',
  'migration',
  'migration_progress',
  'organisation',
  'organisation_number',
  'organisation_scope',
  'primary_history',
  'removed_status_ens',
  'server_figures',
  'validation_status_ens',
];

/** Parcels a year: of the EU, and of a country with as many parcels for each inhabitant. */
const YEARS = { 'EU, 4.6 billion parcels': 4.6e9, 'Norway, 57 million parcels': 57e6 };

const SECONDS_OF_A_YEAR = 365 * 24 * 3600;
/** A busy hour of a busy day in a busy month, beside the average. */
const BUSY_HOUR = 4;
/** Beside that, two large planes at once: 100,000 parcels each, presented in half an hour. */
const LARGE_ARRIVALS = (2 * 100_000) / 1800;
/** At which a base backup is restored. */
const RESTORED_A_SECOND = 300e6;

/**
 * @param {any} capacity `bench/results/capacity.json`
 * @returns {Record<string, string>}
 */
export function makeScalingParts({ measured, operations, tables }) {
  const { date, command, commit, machine, versions } = measured;
  const costs = COSTS.map((cost) =>
    sumOf(OF_A_PARCEL, (name, count) => count * operations[name][cost]),
  );
  const unknown = Object.keys(tables).find(
    (name) => ROWS_OF_A_PARCEL[name] === undefined && !OTHER_TABLES.includes(name),
  );
  if (unknown !== undefined)
    throw new Error(`say in scaling-parts.js how many rows ${unknown} has`);
  const bytesOf = (name) => (tables[name].tableBytes + tables[name].indexBytes) / tables[name].rows;
  const bytes = sumOf(ROWS_OF_A_PARCEL, (name, count) => count * bytesOf(name));
  return {
    capacity: `\`${command}\` at commit ${commit}, ${date}; ${machine}; ${versions}.\n\n${table(
      [
        'one',
        'server, µs',
        'primary, µs',
        'standby, µs',
        'WAL, bytes',
        'a second, one processor of a server',
        'of the primary',
      ],
      Object.entries(operations).map(([name, each]) => [
        `${name}${each.units > each.requests ? `, ${round(each.units / each.requests)} parcels in each: for each parcel` : ''}`,
        ...COSTS.map((cost) => round(each[cost])),
        ...['serverMicroseconds', 'primaryMicroseconds'].map((cost) => round(1e6 / each[cost])),
      ]),
    )}`,
    parcel: table(
      ['for each parcel', 'times', 'server, µs', 'primary, µs', 'standby, µs', 'WAL, bytes'],
      [
        ...Object.entries(OF_A_PARCEL).map(([name, count]) => [
          name,
          round(count),
          ...COSTS.map((cost) => round(count * operations[name][cost])),
        ]),
        ['**all**', '', ...costs.map(round)],
      ],
    ),
    sizes: table(
      ['table', 'bytes of a row with its indexes', 'rows for each parcel', 'bytes for each parcel'],
      [
        ...Object.entries(ROWS_OF_A_PARCEL).map(([name, count]) => [
          `\`${name}\``,
          ...[bytesOf(name), count, count * bytesOf(name)].map(round),
        ]),
        ['**all**', '', '', round(bytes)],
      ],
    ),
    years: yearsTable(costs, bytes),
  };
}

function yearsTable([server, primary, standby, wal], bytes) {
  const averages = Object.values(YEARS).map((parcels) => parcels / SECONDS_OF_A_YEAR);
  const peaks = averages.map((average) => BUSY_HOUR * average + LARGE_ARRIVALS);
  const row = (name, formula, values) => [name, formula, ...values.map(round)];
  const years = Object.values(YEARS);
  return table(
    ['', 'formula', ...Object.keys(YEARS)],
    [
      row('parcels a second, average (A)', 'parcels / 31.5 million', averages),
      row('in the busiest second (B)', `${BUSY_HOUR} A + ${round(LARGE_ARRIVALS)}`, peaks),
      row(
        'processors busy in it: of all servers',
        `B × ${round(server)} µs`,
        peaks.map((peak) => (peak * server) / 1e6),
      ),
      row(
        'of the primary',
        `B × ${round(primary)} µs`,
        peaks.map((peak) => (peak * primary) / 1e6),
      ),
      row(
        'of each standby, for replay',
        `B × ${round(standby)} µs`,
        peaks.map((peak) => (peak * standby) / 1e6),
      ),
      row(
        'WAL in it, MB/s',
        `B × ${round(wal)} bytes`,
        peaks.map((peak) => (peak * wal) / 1e6),
      ),
      row(
        'data of a year, TB (D)',
        `parcels × ${round(bytes)} bytes`,
        years.map((parcels) => (parcels * bytes) / 1e12),
      ),
      row(
        'hours to restore it',
        'D / 300 MB/s',
        years.map((parcels) => (parcels * bytes) / RESTORED_A_SECOND / 3600),
      ),
    ],
    ['---', '---', '---:', '---:'],
  );
}

const sumOf = (counts, of) =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + of(name, count), 0);

/** Three significant digits, with commas. @param {number} value */
function round(value) {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** @param {string[]} head @param {string[][]} rows the first column is text, all others are numbers */
function table(head, rows, alignments = head.map((_, index) => (index === 0 ? '---' : '---:'))) {
  return [head, alignments, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
