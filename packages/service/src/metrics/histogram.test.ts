import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from './histogram.js';

test('a histogram counts values up to and including each bound, and all in the last bucket', () => {
  const histogram = new Histogram([1, 10]);
  for (const value of [0.5, 1, 1.5, 10, 11]) histogram.observe(value);
  assert.deepEqual(histogram.read(), {
    buckets: [
      { bound: '1', count: 2 },
      { bound: '10', count: 4 },
      { bound: '+Inf', count: 5 },
    ],
    count: 5,
    sum: 24,
  });
});
