// Sums of arrivals, and how long goods have waited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitDuration, summariseArrivals } from './summarise-arrivals.js';

const arrival = (office: string, hour: string, presented: number, undecided: number) => ({
  customsOfficeOfPresentation: office,
  hour,
  presented,
  toControl: 1,
  toEntry: presented - undecided - 1,
  undecided,
});

test('arrivals are summed by office, by hour with the newest first, and in all', () => {
  const [early, late] = ['2026-11-22T08:00:00.000Z', '2026-11-22T09:00:00.000Z'];
  const summary = summariseArrivals({
    arrivals: [
      arrival('NO351001', early, 5, 2),
      arrival('NO342001', late, 3, 0),
      arrival('NO351001', late, 4, 1),
    ],
  });
  assert.deepEqual(summary, {
    all: { presented: 12, toControl: 3, toEntry: 6, undecided: 3 },
    offices: [
      { key: 'NO342001', presented: 3, toControl: 1, toEntry: 2, undecided: 0 },
      { key: 'NO351001', presented: 9, toControl: 2, toEntry: 4, undecided: 3 },
    ],
    hours: [
      { key: late, presented: 7, toControl: 2, toEntry: 4, undecided: 1 },
      { key: early, presented: 5, toControl: 1, toEntry: 2, undecided: 2 },
    ],
  });
  assert.equal(summariseArrivals({ arrivals: [] }).all.presented, 0);
});

test('a duration is in whole minutes', () => {
  assert.deepEqual(splitDuration(-1), { days: 0, hours: 0, minutes: 0 });
  assert.deepEqual(splitDuration(59_999), { days: 0, hours: 0, minutes: 0 });
  assert.deepEqual(splitDuration(3_660_000), { days: 0, hours: 1, minutes: 1 });
  assert.deepEqual(splitDuration(2 * 86_400_000 + 60_000), { days: 2, hours: 0, minutes: 1 });
});
