// What the simulation assumes. Every value can be set: `npm run simulate -- --set parcelsPerPlane=40000`.

/** @typedef {{ value: number, unit: string, why: string }} Assumption */

const COMMISSION =
  '[European Commission](https://taxation-customs.ec.europa.eu/customs/eu-customs-union-facts-and-figures/goods-bought-online_en)';
const assumed = 'assumption';

/** @type {Record<string, Assumption>} */
export const assumptions = {
  parcels: {
    value: 4_600_000_000,
    unit: 'parcels a year',
    why: `low-value consignments of the EU in 2024, ${COMMISSION}; 5.8 billion in 2025`,
  },
  regions: { value: 1, unit: 'installations that share them', why: 'to be chosen' },

  planeShare: {
    value: 0.85,
    unit: 'of the parcels',
    why: `${assumed}: the rest of the world, mostly by air`,
  },
  shipShare: { value: 0.03, unit: 'of the parcels', why: `${assumed}; what remains is by truck` },
  parcelsPerPlane: {
    value: 25_000,
    unit: 'parcels of an arrival',
    why: `${assumed}: 10 t of 0.4 kg`,
  },
  parcelsPerTruck: { value: 6000, unit: 'parcels of an arrival', why: assumed },
  parcelsPerShip: { value: 10_000, unit: 'parcels of an arrival', why: assumed },
  arrivalSpread: {
    value: 0.8,
    unit: 'standard deviation of the logarithm',
    why: `${assumed}: one in forty arrivals has more than 3.5 times the mean`,
  },
  planeMinutes: { value: 30, unit: 'minutes in which an arrival is presented', why: assumed },
  truckMinutes: { value: 10, unit: 'minutes in which an arrival is presented', why: assumed },
  shipMinutes: { value: 60, unit: 'minutes in which an arrival is presented', why: assumed },

  planeHouseLevel: {
    value: 0.4,
    unit: 'of the arrivals, each parcel by itself',
    why: `${assumed}: express operators`,
  },
  planeReceptacleLevel: {
    value: 0.35,
    unit: 'of the arrivals, by receptacle',
    why: `${assumed}: post`,
  },
  truckHouseLevel: { value: 0.5, unit: 'of the arrivals, each parcel by itself', why: assumed },
  shipHouseLevel: { value: 0.1, unit: 'of the arrivals, each parcel by itself', why: assumed },
  declarationLevel: { value: 0.05, unit: 'of the arrivals, by declaration', why: assumed },
  parcelsPerReceptacle: { value: 40, unit: 'parcels', why: `${assumed}, as in the samples` },
  parcelsPerContainer: { value: 1000, unit: 'parcels', why: assumed },
  parcelsPerMaster: { value: 250, unit: 'parcels', why: assumed },
  parcelsPerDeclaration: {
    value: 250,
    unit: 'parcels of a pre-notification',
    why: `${assumed}, as measured`,
  },

  decidedByAuthority: {
    value: 1,
    unit: 'decisions for each parcel',
    why: `${assumed}: none is decided by its pre-notification`,
  },
  decidedLate: { value: 0.1, unit: 'of the decisions, after presentation', why: assumed },
  control: {
    value: 0.02,
    unit: 'of the parcels',
    why: `${assumed}; it changes no size and no rate`,
  },
  recipients: {
    value: 1.8,
    unit: 'organisations that receive a signal',
    why: `${assumed}, as measured: presenter, half of the declarants, three of ten representatives`,
  },

  readers: { value: 3000, unit: 'organisations that read, in all regions', why: assumed },
  pageEntries: {
    value: 20,
    unit: 'signals of a page',
    why: `${assumed}: most readers are woken by few`,
  },
  waitSeconds: {
    value: 30,
    unit: 'seconds between requests of a waiting reader',
    why: 'an assumption within the limit of `Prefer: wait`',
  },
  statusReads: {
    value: 0.2,
    unit: 'statuses read for each presentation',
    why: `${assumed}: most read the feed of statuses`,
  },
  findings: {
    value: 0.02,
    unit: 'searches and checks for each parcel',
    why: `${assumed}: the parcels that are controlled`,
  },
  tokenSeconds: {
    value: 970,
    unit: 'seconds of a token',
    why: 'the default of `LANDFALL_TOKEN_LIFETIME`',
  },
  clients: { value: 2, unit: 'clients of an organisation that reads', why: assumed },
  itemEvents: {
    value: 1.2,
    unit: 'goods-item events for each parcel',
    why: `${assumed}: one goods item each, a fifth of them changed`,
  },

  utilisation: {
    value: 0.5,
    unit: 'of a processor in the peak second',
    why: 'the headroom, so that one machine may fail',
  },
  databaseProcessors: { value: 16, unit: 'vCPU of a database server', why: assumed },
  serverProcessors: {
    value: 4,
    unit: 'vCPU of a machine with 3 servers',
    why: 'a server uses one, and a little of a second',
  },
  natsProcessors: { value: 4, unit: 'vCPU of a NATS server', why: assumed },
  standbys: { value: 2, unit: 'for each primary', why: 'one may fail while commits wait for one' },
  natsServers: { value: 3, unit: 'for each installation', why: 'a stream with three replicas' },
  natsDays: { value: 30, unit: 'days that JetStream keeps', why: assumed },
  retentionDays: {
    value: 365,
    unit: 'days in the database',
    why: `${assumed}; older data is archived or removed`,
  },
  maxTerabytes: {
    value: 8,
    unit: 'TB of a primary',
    why: `${assumed}: a base backup of 8 TB is restored in 8 hours at 300 MB/s`,
  },
  processorHour: {
    value: 0.0408,
    unit: 'USD for a vCPU and hour',
    why: 'half of an `m7g.large` on demand in us-east-1, [June 2026](https://www.factualminds.com/blog/amazon-ec2-on-demand-pricing-instance-families-2026/)',
  },
  gigabyteMonth: {
    value: 0.08,
    unit: 'USD for a GB and month',
    why: 'a `gp3` volume in us-east-1, [early 2026](https://github.com/aws/agent-toolkit-for-aws/blob/main/skills/core-skills/aws-billing-and-cost-management/references/ebs-optimization.md)',
  },
};

/** The shares of the months, January first: assumption. November and December have 22 % of the year. */
export const MONTHS = [0.95, 0.88, 0.95, 0.93, 0.95, 0.95, 0.96, 0.94, 1, 1.08, 1.3, 1.25];
/** The shares of the days of a week, Monday first: assumption. */
export const WEEKDAYS = [1.15, 1.1, 1.05, 1.05, 1.05, 0.85, 0.75];
/** The shares of the hours in UTC: assumption. Freighters land at night, trucks and ships arrive by day. */
export const HOURS = {
  plane: [
    1.3, 1.5, 1.6, 1.7, 1.7, 1.5, 1.2, 1, 0.8, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.8,
    0.8, 0.9, 1, 1, 1.1,
  ],
  truck: [
    0.5, 0.5, 0.6, 0.8, 1, 1.3, 1.5, 1.5, 1.4, 1.3, 1.2, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1, 0.9, 0.8,
    0.7, 0.6, 0.6, 0.5,
  ],
  ship: [
    0.7, 0.7, 0.7, 0.8, 1, 1.2, 1.3, 1.3, 1.2, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1, 1, 1, 1, 0.9,
    0.9, 0.8, 0.8,
  ],
};

/** The value of each assumption, with some replaced. @param {Record<string, number>} [replaced] */
export function valuesWith(replaced = {}) {
  for (const [name, value] of Object.entries(replaced)) {
    if (!(name in assumptions)) throw new Error(`${name} is not an assumption`);
    if (!(Number.isFinite(value) && value >= 0)) throw new Error(`${name} is not a number from 0`);
  }
  const defaults = Object.entries(assumptions).map(([name, { value }]) => [name, value]);
  return { ...Object.fromEntries(defaults), ...replaced };
}
