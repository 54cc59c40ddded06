// Reports metrics to Prometheus.
import type { Metric, Registry } from 'prom-client';
import type { Gauge, HistogramMeasure, Measure } from '../metrics/measure.js';
import type { RequestCounts } from '../metrics/request-counts.js';

/** Metrics as they are sent. */
export type MetricsText = { contentType: string; text: string };

/** All metrics in the text format of Prometheus. The library is loaded when they are first requested. */
export function makeMetrics(
  requests: RequestCounts,
  measures: readonly Measure[],
  backgroundFailures: ReadonlyMap<string, number>,
): () => Promise<MetricsText> {
  let registry: Promise<Registry> | undefined;
  return async () => {
    registry ??= makeRegistry(requests, measures, backgroundFailures);
    const made = await registry;
    return { contentType: made.contentType, text: await made.metrics() };
  };
}

async function makeRegistry(
  requests: RequestCounts,
  measures: readonly Measure[],
  backgroundFailures: ReadonlyMap<string, number>,
): Promise<Registry> {
  const { Counter, collectDefaultMetrics, Registry } = await import('prom-client');
  const made = new Registry();
  collectDefaultMetrics({ register: made });
  new Counter({
    name: 'landfall_http_requests_total',
    help: 'Completed requests, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [made],
    collect() {
      this.reset();
      for (const { requests: count, ...labels } of requests.counts()) this.inc(labels, count);
    },
  });
  new Counter({
    name: 'landfall_background_failures_total',
    help: 'Failed attempts of background work, by task',
    labelNames: ['task'],
    registers: [made],
    collect() {
      this.reset();
      for (const [task, failures] of backgroundFailures) this.inc({ task }, failures);
    },
  });
  for (const measure of measures) made.registerMetric(toMetric(measure));
  return made;
}

/** A measure as prom-client writes it, without the library having counted it. */
function toMetric(measure: Measure): Metric {
  const { name, help } = measure;
  const get = async () =>
    'series' in measure
      ? { name, help, type: 'histogram', values: histogramValues(measure) }
      : { name, help, type: 'gauge', values: await gaugeValues(measure) };
  // The cast is true because a registry only reads a metric's name and calls its `get`.
  return { name, get } as unknown as Metric;
}

/** A gauge that cannot be read now is left out, so that all others are still served. */
async function gaugeValues({ read }: Gauge) {
  const value = await read().catch(() => undefined);
  return typeof value === 'number' ? [{ labels: {}, value }] : (value ?? []);
}

function histogramValues({ name, series }: HistogramMeasure) {
  return [...series()].flatMap(({ labels, histogram }) => {
    const { buckets, count, sum } = histogram.read();
    return [
      ...buckets.map((bucket) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le: bucket.bound },
        value: bucket.count,
      })),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  });
}
