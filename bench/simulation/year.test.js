// The simulated year: its arrivals and how they are spread over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOURS, valuesWith } from './assumptions.js';
import { peakOf, ratesOf, simulateGoods, weighted } from './rates.js';
import {
  HOUR_SECONDS,
  hourWeights,
  LEVELS,
  makeArrivals,
  makeSpans,
  presentedByHour,
  YEAR_SECONDS,
} from './year.js';

const values = valuesWith({ parcels: 50_000_000 });
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Arrivals at any time of the year, also at its end. */
const someArrivals = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: YEAR_SECONDS - 1 }),
    seconds: fc.integer({ min: 1, max: 3 * HOUR_SECONDS }),
    parcels: fc.integer({ min: 1, max: 100_000 }),
    level: fc.nat({ max: LEVELS.length - 1 }),
  }),
  { minLength: 1, maxLength: 30 },
);

test('the same seed gives the same year, another seed another one', () => {
  const first = makeArrivals(values, 1);
  assert.deepEqual(makeArrivals(values, 1), first);
  assert.notDeepEqual(makeArrivals(values, 2), first);
});

test('a year has the assumed number of parcels, divided by the regions', () => {
  for (const regions of [1, 5]) {
    const arrivals = makeArrivals({ ...values, regions }, 3);
    const parcels = sum(arrivals.map((arrival) => arrival.parcels));
    assert(Math.abs(parcels - values.parcels / regions) < 1);
  }
});

test('the modes of transport, levels and sizes have the assumed shares', () => {
  const arrivals = makeArrivals(valuesWith(), 4);
  const { planeShare, parcelsPerPlane, planeHouseLevel, planeMinutes } = valuesWith();
  const planes = arrivals.filter(({ seconds }) => seconds === planeMinutes * 60);
  const parcels = sum(planes.map((arrival) => arrival.parcels));
  const near = (actual, expected) =>
    assert(Math.abs(actual / expected - 1) < 0.02, `${actual}, ${expected}`);
  near(parcels / valuesWith().parcels, planeShare);
  near(parcels / planes.length, parcelsPerPlane);
  near(planes.filter(({ level }) => level === 0).length / planes.length, planeHouseLevel);
});

test('the hours of a year add up to one, and follow months, weekdays and hours', () => {
  const weights = hourWeights(HOURS.plane);
  assert.equal(weights.length, 365 * 24);
  assert(Math.abs(sum(weights) - 1) < 1e-9);
  const day = (number) => sum(weights.slice(number * 24, number * 24 + 24));
  // 2 and 4 January are a Tuesday and a Thursday; 27 November is a Tuesday.
  assert(day(330) > 1.3 * day(1));
  assert(day(5) < day(1));
  assert(weights[3] > weights[12]);
});

test('shares of levels of more than one are refused', () => {
  assert.throws(
    () => makeArrivals(valuesWith({ planeHouseLevel: 0.7, planeReceptacleLevel: 0.7 }), 1),
    /the shares of the levels are 1\.45 in all/,
  );
});

test('no parcel is lost between arrivals, hours and spans', () => {
  fc.assert(
    fc.property(someArrivals, (arrivals) => {
      const hours = presentedByHour(arrivals);
      const { durations, rates } = makeSpans(arrivals);
      for (const level of LEVELS.keys()) {
        const expected = sum(
          arrivals.filter((each) => each.level === level).map(({ parcels }) => parcels),
        );
        const ofHours = sum(hours[level]);
        const ofSpans = sum(rates[level].map((rate, span) => rate * durations[span]));
        assert(Math.abs(ofHours - expected) < 1e-3, `${ofHours} of ${expected} in hours`);
        assert(Math.abs(ofSpans - expected) < 1e-3, `${ofSpans} of ${expected} in spans`);
      }
    }),
  );
});

test('the peak is at least the rate of every second but one in a thousand', () => {
  fc.assert(
    fc.property(someArrivals, (arrivals) => {
      const spans = makeSpans(arrivals);
      const counts = LEVELS.map((_, level) => level + 1);
      const { peak, max } = peakOf(spans, counts);
      const values = weighted(spans.rates, counts);
      const above = sum(
        spans.durations.map((duration, span) => (values[span] > peak * 1.0001 ? duration : 0)),
      );
      assert(above <= sum(spans.durations) / 1000 + 1e-6, `above the peak for ${above} s`);
      assert.equal(max, Math.max(...values));
      assert(peak <= max);
    }),
  );
});

test('a known year has the rates that can be computed by hand', () => {
  // Half of a year 100 parcels a second at house level, then nothing but one receptacle of 4,000 in the last second.
  const half = YEAR_SECONDS / 2;
  const arrivals = [
    { start: 0, seconds: half, parcels: 100 * half, level: LEVELS.indexOf('house') },
    { start: YEAR_SECONDS - 1, seconds: 1, parcels: 4000, level: LEVELS.indexOf('receptacle') },
  ];
  const goods = {
    arrivals: 2,
    parcels: LEVELS.map((_, level) => [100 * half, 4000, 0, 0, 0][level]),
    hours: presentedByHour(arrivals),
    spans: makeSpans(arrivals),
  };
  const rates = ratesOf(goods, valuesWith({ parcelsPerReceptacle: 40 }));
  const presentations = rates.find(({ name }) => name === 'presentations');
  assert.equal(presentations?.year, 100 * half + 100);
  assert(Math.abs((presentations?.hour ?? 0) - 100) < 1e-9);
  assert(Math.abs((presentations?.second ?? 0) - 100) < 0.02);
  assert.equal(presentations?.max, 100);
  const parcels = rates.find(({ name }) => name === 'parcels presented');
  assert.equal(parcels?.max, 4000);
});

test('a region with a twenty-seventh of the goods has larger peaks beside its average', () => {
  const relative = (regions) => {
    const year = valuesWith({ regions });
    const [{ second, average } = { second: 0, average: 1 }] = ratesOf(simulateGoods(year, 5), year);
    return second / average;
  };
  assert(relative(27) > 1.2 * relative(1));
});
