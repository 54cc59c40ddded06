// The sizes, waits and queues of the group commits on a database.
import { DURATION_BOUNDS, Histogram } from './histogram.js';
import type { Measure } from './measure.js';

const SIZE_BOUNDS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The measurements of one batch. */
export type BatchMeasurements = {
  sizes: Histogram;
  /** How long requests waited until their commit began, in seconds. */
  waits: Histogram;
  readQueued: () => number;
  readPostponed: () => number;
};

/** The measurements of every batch, by its name. */
export class BatchMetrics {
  readonly #batches = new Map<string, BatchMeasurements>();

  /** Starts to measure a batch; replaces an earlier one of the same name. */
  add(name: string, readQueued: () => number, readPostponed: () => number): BatchMeasurements {
    const measurements = {
      sizes: new Histogram(SIZE_BOUNDS),
      waits: new Histogram(DURATION_BOUNDS),
      readQueued,
      readPostponed,
    };
    this.#batches.set(name, measurements);
    return measurements;
  }

  readonly measures: readonly Measure[] = [
    {
      name: 'landfall_batch_size',
      help: 'Requests of one commit, by batch',
      series: () => this.#series(({ sizes }) => sizes),
    },
    {
      name: 'landfall_batch_wait_seconds',
      help: 'Time that requests waited until their commit began, by batch',
      series: () => this.#series(({ waits }) => waits),
    },
    {
      name: 'landfall_batch_queued',
      help: 'Requests that wait for a commit, by batch',
      read: async () =>
        [...this.#batches].map(([batch, { readQueued }]) => ({
          labels: { batch },
          value: readQueued(),
        })),
    },
    {
      name: 'landfall_batch_postponed',
      help: 'Requests that wait for an organisation whose lock another transaction holds, by batch',
      read: async () =>
        [...this.#batches].map(([batch, { readPostponed }]) => ({
          labels: { batch },
          value: readPostponed(),
        })),
    },
  ];

  *#series(histogramOf: (measurements: BatchMeasurements) => Histogram) {
    for (const [batch, measurements] of this.#batches) {
      yield { labels: { batch }, histogram: histogramOf(measurements) };
    }
  }
}
