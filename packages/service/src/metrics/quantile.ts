// Quantiles of histograms, as Prometheus computes them with `histogram_quantile`.
import type { Histogram } from './histogram.js';

/** The number of values up to each bound, ascending; the last bound is infinite. */
export type Buckets = readonly { bound: number; count: number }[];

/** The buckets of several histograms with the same bounds, added up; empty without a histogram. */
export function addBuckets(histograms: readonly Histogram[]): Buckets {
  const [first = [], ...others] = histograms.map((histogram) => histogram.read().buckets);
  return first.map(({ bound, count }, index) => ({
    bound: bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound),
    count: others.reduce((sum, buckets) => sum + (buckets[index]?.count ?? 0), count),
  }));
}

/** The values that were added since an earlier state of the same buckets. */
export function subtractBuckets(buckets: Buckets, earlier: Buckets): Buckets {
  return buckets.map(({ bound, count }, index) => ({
    bound,
    count: count - (earlier[index]?.count ?? 0),
  }));
}

/**
 * A quantile, interpolated within its bucket; `undefined` without a value. A quantile beyond the last finite bound is
 * that bound.
 *
 * @param share from 0 to 1
 */
export function quantile(buckets: Buckets, share: number): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (total === 0) return undefined;
  const rank = share * total;
  let below = { bound: 0, count: 0 };
  for (const bucket of buckets) {
    if (bucket.count >= rank && bucket.count > below.count) {
      if (bucket.bound === Number.POSITIVE_INFINITY) return below.bound;
      const part = (rank - below.count) / (bucket.count - below.count);
      return below.bound + (bucket.bound - below.bound) * part;
    }
    below = bucket;
  }
  return below.bound;
}
