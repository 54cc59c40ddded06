// How often each thing happens in a simulated year: on average, in the busiest hour, and in the busiest
// seconds.
import {
  HOUR_SECONDS,
  LEVELS,
  makeArrivals,
  makeSpans,
  presentedByHour,
  YEAR_SECONDS,
} from './year.js';

/** The part of the year in which the rate is below the stated peak; the rest is nine hours. */
const PEAK_PART = 0.999;
/** Rates are sorted into so many classes of the same width, so a peak is exact to a ten-thousandth of the maximum. */
const CLASSES = 10_000;

/**
 * The goods of one installation.
 *
 * @param {Record<string, number>} values of the assumptions
 * @param {number} seed
 */
export function simulateGoods(values, seed) {
  const arrivals = makeArrivals(values, seed);
  const hours = presentedByHour(arrivals);
  const parcels = hours.map((level) => level.reduce((sum, each) => sum + each, 0));
  return { arrivals: arrivals.length, parcels, hours, spans: makeSpans(arrivals) };
}

/**
 * What each parcel of a level causes, by name: how often, and whether in the second of its presentation or at some time
 * of the hour.
 *
 * @param {Record<string, number>} values
 */
export function causedByParcels(values) {
  const parcelsOf = {
    house: 1,
    receptacle: values.parcelsPerReceptacle,
    container: values.parcelsPerContainer,
    master: values.parcelsPerMaster,
    declaration: values.parcelsPerDeclaration,
  };
  const requests = LEVELS.map((level) => 1 / parcelsOf[level]);
  const each = (count) => LEVELS.map(() => count);
  return {
    'parcels presented': { at: 'second', counts: each(1) },
    presentations: { at: 'second', counts: requests },
    'routing signals': { at: 'second', counts: each(values.recipients) },
    'pages of signals': { at: 'second', counts: each(values.recipients / values.pageEntries) },
    'statuses read': { at: 'second', counts: requests.map((count) => count * values.statusReads) },
    'parcels registered': { at: 'hour', counts: each(1) },
    decisions: { at: 'hour', counts: each(values.decidedByAuthority) },
    'goods-item events': { at: 'hour', counts: each(values.itemEvents) },
    'searches and checks': { at: 'hour', counts: each(values.findings) },
  };
}

/** What happens whether or not goods arrive, a second. @param {Record<string, number>} values */
export function constantRates(values) {
  const readers = values.readers / values.regions;
  return {
    'empty pages of waiting readers': readers / values.waitSeconds,
    'tokens exchanged': (readers * values.clients) / values.tokenSeconds,
  };
}

/**
 * The rates of an installation.
 *
 * @returns {{ name: string, year: number, average: number, hour: number, second: number, max: number }[]}
 */
export function ratesOf(goods, values) {
  const caused = Object.entries(causedByParcels(values)).map(([name, { at, counts }]) => {
    const year = goods.parcels.reduce((sum, parcels, level) => sum + parcels * counts[level], 0);
    const hour = max(weighted(goods.hours, counts)) / HOUR_SECONDS;
    const { peak, max: most } =
      at === 'second' ? peakOf(goods.spans, counts) : { peak: hour, max: hour };
    return { name, year, average: year / YEAR_SECONDS, hour, second: peak, max: most };
  });
  const constant = Object.entries(constantRates(values)).map(([name, rate]) => ({
    name,
    year: rate * YEAR_SECONDS,
    average: rate,
    hour: rate,
    second: rate,
    max: rate,
  }));
  return [...caused, ...constant];
}

/** The sum over all levels, for each step. @param {Float64Array[]} steps @param {number[]} counts */
export function weighted(steps, counts) {
  return steps[0].map((_, step) =>
    counts.reduce((sum, count, level) => sum + count * steps[level][step], 0),
  );
}

/**
 * The rate that is exceeded in a thousandth of the year, and the maximum.
 *
 * @param {{ durations: Float64Array, rates: Float64Array[] }} spans
 * @param {number[]} counts what one parcel of each level counts
 */
export function peakOf({ durations, rates }, counts) {
  const values = weighted(rates, counts);
  const largest = max(values);
  const classes = new Float64Array(CLASSES + 1);
  for (const [span, value] of values.entries()) {
    classes[Math.ceil((value / largest) * CLASSES)] += durations[span];
  }
  let above = durations.reduce((sum, duration) => sum + duration, 0) * (1 - PEAK_PART);
  let index = CLASSES;
  while (index > 0 && classes[index] < above) above -= classes[index--];
  return { peak: (index / CLASSES) * largest, max: largest };
}

/** @param {Float64Array} values */
function max(values) {
  return values.reduce((one, other) => Math.max(one, other), 0);
}
