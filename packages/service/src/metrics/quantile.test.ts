import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from './histogram.js';
import { addBuckets, quantile, subtractBuckets } from './quantile.js';

function histogramOf(...values: number[]): Histogram {
  const histogram = new Histogram([1, 2, 4]);
  for (const value of values) histogram.observe(value);
  return histogram;
}

test('a quantile is interpolated within its bucket, and at most the last finite bound', () => {
  // The rule of Prometheus for these buckets: 2 values up to 1, 4 up to 2.
  const buckets = addBuckets([histogramOf(0.5, 0.5), histogramOf(1.5, 1.5)]);
  assert.equal(quantile(buckets, 0.5), 1);
  assert.equal(quantile(buckets, 0.75), 1.5);
  assert.equal(quantile(buckets, 1), 2);
  assert.equal(quantile(addBuckets([histogramOf(1.5, 100)]), 0.99), 4);
});

test('without a value there is no quantile', () => {
  assert.equal(quantile(addBuckets([]), 0.99), undefined);
  assert.equal(quantile(addBuckets([histogramOf()]), 0.99), undefined);
});

test('only the values since an earlier state count', () => {
  const histogram = histogramOf(0.5, 0.5, 0.5);
  const earlier = addBuckets([histogram]);
  histogram.observe(3);
  assert.equal(quantile(subtractBuckets(addBuckets([histogram]), earlier), 0.5), 3);
});
