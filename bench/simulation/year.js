// A year of arrivals: planes, trucks and ships, whose goods are presented within minutes at one level each. The same seed
// gives the same year.
import { makeRandom } from '../random.js';
import { HOURS, MONTHS, WEEKDAYS } from './assumptions.js';

export const HOUR_SECONDS = 3600;
/** A year that begins on a Monday, and has 365 days. */
const FIRST_DAY = Date.UTC(2029, 0, 1);
const DAYS = 365;
export const YEAR_SECONDS = DAYS * 24 * HOUR_SECONDS;

export const LEVELS = ['house', 'receptacle', 'container', 'master', 'declaration'];

/**
 * @typedef {object} Arrival
 * @property {number} start second of the year in which presenting begins
 * @property {number} seconds that presenting takes
 * @property {number} parcels
 * @property {number} level index in LEVELS
 */

/**
 * All arrivals of one installation in a year.
 *
 * @param {Record<string, number>} values of the assumptions
 * @param {number} seed
 * @returns {Arrival[]}
 */
export function makeArrivals(values, seed) {
  const random = makeRandom(seed);
  const arrivals = [];
  const modes = makeModes(values);
  const parcels = values.parcels / values.regions;
  for (const { hours, share, mean, minutes, levels } of modes) {
    const weights = hourWeights(hours);
    for (let hour = 0; hour < weights.length; hour++) {
      const expected = (parcels * share * weights[hour]) / mean;
      for (let left = drawPoisson(random, expected); left > 0; left--) {
        arrivals.push({
          start: (hour + random()) * HOUR_SECONDS,
          seconds: minutes * 60,
          parcels: drawSize(random, mean, values.arrivalSpread),
          level: drawLevel(random, levels),
        });
      }
    }
  }
  // Sizes differ much, so their sum would differ from the assumption.
  const drawn = arrivals.reduce((sum, arrival) => sum + arrival.parcels, 0);
  for (const arrival of arrivals) arrival.parcels *= parcels / drawn;
  return arrivals;
}

/** The modes of transport, with the share of each level among their arrivals. */
function makeModes(values) {
  const { planeShare, shipShare, declarationLevel: declaration } = values;
  return [
    {
      hours: HOURS.plane,
      share: planeShare,
      mean: values.parcelsPerPlane,
      minutes: values.planeMinutes,
      levels: rest(
        { house: values.planeHouseLevel, receptacle: values.planeReceptacleLevel, declaration },
        'master',
      ),
    },
    {
      hours: HOURS.truck,
      share: 1 - planeShare - shipShare,
      mean: values.parcelsPerTruck,
      minutes: values.truckMinutes,
      levels: rest({ house: values.truckHouseLevel, declaration }, 'master'),
    },
    {
      hours: HOURS.ship,
      share: shipShare,
      mean: values.parcelsPerShip,
      minutes: values.shipMinutes,
      levels: rest({ house: values.shipHouseLevel, declaration }, 'container'),
    },
  ];
}

/** The shares in the order of LEVELS; the last one gets what remains of 1. */
function rest(shares, last) {
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  if (sum > 1 + 1e-9) throw new Error(`the shares of the levels are ${sum} in all`);
  const all = { ...shares, [last]: 1 - sum };
  return LEVELS.map((level) => all[level] ?? 0);
}

/** The part of the year's goods in each of its hours; the sum is 1. */
export function hourWeights(hours) {
  const weights = [];
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(FIRST_DAY + day * 24 * HOUR_SECONDS * 1000);
    const ofDay = MONTHS[date.getUTCMonth()] * WEEKDAYS[day % 7];
    for (const ofHour of hours) weights.push(ofDay * ofHour);
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** A number of arrivals whose mean is `expected`. */
function drawPoisson(random, expected) {
  // The normal distribution is near enough, and does not multiply to zero.
  if (expected > 50) {
    return Math.max(0, Math.round(expected + Math.sqrt(expected) * drawNormal(random)));
  }
  const end = Math.exp(-expected);
  let count = 0;
  for (let product = random(); product > end; product *= random()) count++;
  return count;
}

function drawNormal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A lognormal size with this mean. */
function drawSize(random, mean, spread) {
  return mean * Math.exp(spread * drawNormal(random) - (spread * spread) / 2);
}

function drawLevel(random, shares) {
  let at = random();
  const found = shares.findIndex((share) => {
    at -= share;
    return at < 0;
  });
  return found === -1 ? shares.length - 1 : found;
}

/**
 * The parcels of each level that are presented in each hour of the year: each arrival evenly over its time.
 *
 * @param {Arrival[]} arrivals
 */
export function presentedByHour(arrivals) {
  const hours = LEVELS.map(() => new Float64Array(DAYS * 24));
  for (const { start, seconds, parcels, level } of arrivals) {
    let at = start;
    while (at < start + seconds) {
      const hour = Math.floor(at / HOUR_SECONDS);
      const end = Math.min(start + seconds, (hour + 1) * HOUR_SECONDS);
      // What arrives at the end of the year is presented at its beginning.
      hours[level][hour % hours[level].length] += (parcels * (end - at)) / seconds;
      at = end;
    }
  }
  return hours;
}

/**
 * The year in spans in which nothing begins or ends: the duration of each, and the parcels a second of each level.
 *
 * @param {Arrival[]} arrivals
 */
export function makeSpans(arrivals) {
  // The first half of the times are the beginnings of the arrivals, the second half are their ends.
  const times = new Float64Array(arrivals.length * 2);
  for (const [index, { start, seconds }] of arrivals.entries()) {
    times[index] = start;
    times[arrivals.length + index] = start + seconds;
  }
  const order = Uint32Array.from(times.keys()).sort((one, other) => times[one] - times[other]);
  const durations = new Float64Array(times.length + 1);
  const rates = LEVELS.map(() => new Float64Array(times.length + 1));
  const current = LEVELS.map(() => 0);
  let previous = 0;
  for (const [span, event] of order.entries()) {
    durations[span] = times[event] - previous;
    previous = times[event];
    for (const level of LEVELS.keys()) rates[level][span] = current[level];
    const { parcels, seconds, level } = arrivals[event % arrivals.length];
    current[level] += ((event < arrivals.length ? 1 : -1) * parcels) / seconds;
  }
  durations[times.length] = Math.max(0, YEAR_SECONDS - previous);
  return { durations, rates };
}
