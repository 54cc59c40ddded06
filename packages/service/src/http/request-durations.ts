// How long requests take, by route, for /metrics.
import type { FastifyInstance } from 'fastify';
import { DURATION_BOUNDS, Histogram } from '../metrics/histogram.js';
import type { HistogramMeasure, Labels } from '../metrics/measure.js';

/** Measures every request from now on, from its arrival until its response is sent. */
export function measureDurations(app: FastifyInstance): HistogramMeasure {
  const series = new Map<string, { labels: Labels; histogram: Histogram }>();
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const route = routeOptions.url ?? 'none';
    const key = `${method} ${route}`;
    let one = series.get(key);
    if (one === undefined) {
      one = { labels: { method, route }, histogram: new Histogram(DURATION_BOUNDS) };
      series.set(key, one);
    }
    one.histogram.observe(reply.elapsedTime / 1000);
    done();
  });
  return {
    name: 'landfall_http_request_duration_seconds',
    help: 'Time until the response was sent, by route; a waiting or streaming read takes as long as it stays open',
    series: () => series.values(),
  };
}
