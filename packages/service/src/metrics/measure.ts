// What modules measure for /metrics. `http/metrics.ts` writes it in the text format of Prometheus.
import type { Histogram } from './histogram.js';

export type Labels = Readonly<Record<string, string>>;

/** A number that is read whenever metrics are requested; `undefined` leaves it out this time. */
export type Gauge = {
  name: string;
  help: string;
  read: () => Promise<number | undefined | readonly { labels: Labels; value: number }[]>;
};

/** The distribution of a quantity, one histogram for each set of labels. */
export type HistogramMeasure = {
  name: string;
  help: string;
  series: () => Iterable<{ labels: Labels; histogram: Histogram }>;
};

export type Measure = Gauge | HistogramMeasure;
