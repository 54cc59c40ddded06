// How many machines a simulated year needs, and what they cost, from the processor time that was measured.
import { causedByParcels, constantRates, peakOf, weighted } from './rates.js';
import { HOUR_SECONDS, LEVELS } from './year.js';

const HOURS_OF_A_YEAR = 365 * 24;
const MONTHS_OF_A_YEAR = 12;
const MIN_SERVERS = 2;
/** Signals of the page that was measured. */
const MEASURED_PAGE = 20;
/** Servers of one machine, which has one processor more than servers. */
const SERVERS_OF_A_MACHINE = 3;

const PRESENTING = {
  house: 'present a house consignment',
  receptacle: 'present a receptacle or container',
  container: 'present a receptacle or container',
  master: 'present a master consignment',
  declaration: 'present a declaration',
};

/** Which measured operation one of these costs; a page costs as much as an empty one, and more for each entry. */
function costsOf(operations, values) {
  const [page, empty] = [
    operations['read a page of 20 signals'],
    operations['read after the last signal'],
  ];
  const part = values.pageEntries / MEASURED_PAGE;
  const { decidedLate: late } = values;
  return {
    'pages of signals': mix(page, part, empty, 1 - part),
    'statuses read': operations['read a status'],
    'parcels registered': operations.register,
    decisions: mix(
      operations['decide after presentation'],
      late,
      operations['decide before presentation'],
      1 - late,
    ),
    'goods-item events': operations['publish a goods-item event'],
    'searches and checks': operations['find a house consignment'],
    'empty pages of waiting readers': empty,
    'tokens exchanged': operations['exchange a token'],
  };
}

function mix(one, part, other, otherPart) {
  const names = ['serverMicroseconds', 'primaryMicroseconds', 'standbyMicroseconds', 'walBytes'];
  return Object.fromEntries(
    names.map((name) => [name, one[name] * part + other[name] * otherPart]),
  );
}

/**
 * What an installation uses of one resource in its peak second, and in the whole year.
 *
 * @param {string} resource such as `serverMicroseconds`
 */
export function useOf(resource, goods, values, operations) {
  const costs = costsOf(operations, values);
  const ofSecond = LEVELS.map((level) => operations[PRESENTING[level]][resource]);
  const ofHour = LEVELS.map(() => 0);
  for (const [name, { at, counts }] of Object.entries(causedByParcels(values))) {
    const sums = at === 'second' ? ofSecond : ofHour;
    const cost = costs[name]?.[resource] ?? 0;
    for (const level of LEVELS.keys()) sums[level] += counts[level] * cost;
  }
  const constant = Object.entries(constantRates(values)).reduce(
    (sum, [name, rate]) => sum + rate * costs[name][resource],
    0,
  );
  const hours = weighted(goods.hours, ofHour).reduce((one, other) => Math.max(one, other), 0);
  const all = goods.parcels.reduce(
    (sum, parcels, level) => sum + parcels * (ofSecond[level] + ofHour[level]),
    0,
  );
  return {
    peak: peakOf(goods.spans, ofSecond).peak + hours / HOUR_SECONDS + constant,
    year: all + constant * HOURS_OF_A_YEAR * HOUR_SECONDS,
  };
}

/**
 * The machines of all installations.
 *
 * @param {{ rowBytes: number, rows: number }[]} sizes of one installation, after a year
 */
export function machinesOf(goods, sizes, values, operations) {
  const processors = (resource) => useOf(resource, goods, values, operations).peak / 1e6;
  const use = {
    server: processors('serverMicroseconds'),
    primary: processors('primaryMicroseconds'),
    standby: processors('standbyMicroseconds'),
  };
  const wal = useOf('walBytes', goods, values, operations);
  const bytes = sizes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
  const terabytes = (bytes * values.retentionDays) / 365 / 1e12;
  const servers = Math.max(MIN_SERVERS, Math.ceil(use.server / values.utilisation));
  const counts = {
    servers: servers * values.regions,
    // At least two, so that one may fail.
    serverMachines: Math.max(2, Math.ceil(servers / SERVERS_OF_A_MACHINE)) * values.regions,
    primaries: values.regions,
    standbys: values.standbys * values.regions,
    natsServers: values.natsServers * values.regions,
  };
  return {
    use,
    wal: { peakPerSecond: wal.peak, day: wal.year / 365 },
    terabytes,
    /** How many installations the size and the processors of a primary require, of the goods of this one. */
    neededForSize: Math.ceil(terabytes / values.maxTerabytes),
    neededForProcessors: Math.ceil(use.primary / (values.databaseProcessors * values.utilisation)),
    counts,
    cost: costOf(counts, terabytes, natsTerabytes(sizes, values), values),
  };
}

/** What JetStream keeps: signals and goods-item events, without the indexes of their tables. */
function natsTerabytes(sizes, values) {
  const relayed = sizes.filter(({ table }) =>
    ['routing_signal', 'goods_item_event'].includes(table),
  );
  const bytes = relayed.reduce(
    (sum, { rows, rowBytes, indexPart }) => sum + rows * rowBytes * (1 - indexPart),
    0,
  );
  return (bytes * values.natsDays) / 365 / 1e12;
}

/** USD a year. */
function costOf(counts, terabytes, ofNats, values) {
  const processors =
    counts.serverMachines * values.serverProcessors +
    (counts.primaries + counts.standbys) * values.databaseProcessors +
    counts.natsServers * values.natsProcessors;
  const stored = (counts.primaries + counts.standbys) * terabytes + counts.natsServers * ofNats;
  return {
    processors,
    storedTerabytes: stored,
    processorCost: processors * HOURS_OF_A_YEAR * values.processorHour,
    storageCost: stored * 1000 * MONTHS_OF_A_YEAR * values.gigabyteMonth,
  };
}
