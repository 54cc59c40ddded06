// A histogram that is cheap to fill on the hot path. prom-client's own would load the library at the start of a server.

/** Upper bounds of durations, in seconds: from a cached read to a request that waits a minute. */
export const DURATION_BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Counts values by the bucket that they fall into. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  /** The number of values. */
  count = 0;

  /** @param bounds the largest value of each bucket, ascending; the last bucket has no bound */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
    this.count++;
  }

  /** The number of values up to each bound, as Prometheus counts them, with their number and sum. */
  read(): { buckets: readonly { bound: string; count: number }[]; count: number; sum: number } {
    let count = 0;
    const buckets = this.#counts.map((inBucket, index) => {
      count += inBucket;
      return { bound: String(this.#bounds[index] ?? '+Inf'), count };
    });
    return { buckets, count, sum: this.#sum };
  }
}
