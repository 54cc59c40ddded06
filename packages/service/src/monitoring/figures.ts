// The key figures of this server, from what it measures for /metrics: differences of counters, and quantiles.
import {
  type LatencyKind,
  type Operation,
  operations,
  type RelayFigure,
  relayNames,
  relays,
} from '@landfall/contract';
import type { OwnFailedRequest } from '../metrics/failed-requests.js';
import type { Labels, Measure } from '../metrics/measure.js';
import { addBuckets, type Buckets, quantile, subtractBuckets } from '../metrics/quantile.js';
import { REFUSALS, type RequestCount, type RequestCounts } from '../metrics/request-counts.js';
import { relayMetrics } from '../relay/relay-metrics.js';

/** What this server measures. */
export type Measured = {
  measures: readonly Measure[];
  requests: RequestCounts;
  backgroundFailures: ReadonlyMap<string, number>;
  /** What the process has used: processor time since its start, in seconds, and memory, in bytes. */
  readProcess: () => { processorSeconds: number; memoryBytes: number };
};

/** The figures of one row, as they are stored. What is absent is not measured by this server. */
export type Figures = {
  /** The time that they cover: since the previous row, or since the server started. */
  seconds: number;
  requests: number;
  refused: number;
  failed: number;
  /** The 99th percentile of each kind of request, in seconds. */
  latencies: { [kind in LatencyKind]?: number };
  commits: number;
  /** Requests that were committed. */
  committed: number;
  queued: number;
  poolSessions?: number | undefined;
  poolWaiting?: number | undefined;
  processorShare: number;
  memoryBytes: number;
  droppedConnections: number;
  /** Failures by task; tasks that have not failed are left out. */
  backgroundFailures: Record<string, number>;
  /** Replicas of the database that are connected. */
  replicas?: number;
  /** Seconds that the slowest of them is behind. */
  replicationLag?: number;
  /** Seconds since a part of the log of the database was archived, if one waits for it. */
  archiveLag?: number;
  /** Seconds since a backup of the database was completed. */
  backupAge?: number;
  /** The failed requests since the previous row, oldest first. */
  failedRequests?: readonly OwnFailedRequest[];
} & { [figure in RelayFigure]?: number | undefined };

/** Everything that is counted since the start of the server. */
type Totals = {
  at: number;
  requests: number;
  refused: number;
  failed: number;
  durations: { [kind in LatencyKind]?: Buckets };
  commits: number;
  committed: number;
  processorSeconds: number;
  droppedConnections: number;
  backgroundFailures: ReadonlyMap<string, number>;
};

export const latencyKinds = ['presentations', 'writes', 'reads', 'tokens'] as const;

/** A figure that is read when a row is written. */
type GaugeFigure = 'queued' | 'poolSessions' | 'poolWaiting' | RelayFigure;

/** The metric of each of them. */
const gauges: readonly [figure: GaugeFigure, metric: string][] = [
  ['queued', 'landfall_batch_queued'],
  ['poolSessions', 'landfall_database_pool_sessions'],
  ['poolWaiting', 'landfall_database_pool_waiting'],
  ...relayNames.flatMap((name): [GaugeFigure, string][] => [
    [relays[name].lag, relayMetrics[name].lag],
    [relays[name].relaying, relayMetrics[name].relaying],
    [relays[name].held, relayMetrics[name].held],
  ]),
];

/** The share of requests that are faster than the reported duration. */
const LATENCY_QUANTILE = 0.99;

const READINESS = operations.getReadiness.path;

/** Reads the figures of this server. */
export class FigureReader {
  readonly #measured: Measured;
  #previous: Totals;

  /** @param startedAt when the server started, in milliseconds since 1970 */
  constructor(measured: Measured, startedAt: number) {
    this.#measured = measured;
    this.#previous = {
      at: startedAt,
      requests: 0,
      refused: 0,
      failed: 0,
      durations: {},
      commits: 0,
      committed: 0,
      processorSeconds: measured.readProcess().processorSeconds,
      droppedConnections: 0,
      backgroundFailures: new Map(),
    };
  }

  /**
   * Reads the figures since the previous reading that was accepted.
   *
   * @param now milliseconds since 1970
   */
  async read(now: number): Promise<{ figures: Figures; accept: () => void }> {
    const { measures, readProcess } = this.#measured;
    const [totals, read] = await Promise.all([this.#readTotals(now), readGauges(measures)]);
    const previous = this.#previous;
    // A clock that was set back must not make the time negative.
    const seconds = Math.max(totals.at - previous.at, 1) / 1000;
    const figures: Figures = {
      seconds,
      requests: totals.requests - previous.requests,
      refused: totals.refused - previous.refused,
      failed: totals.failed - previous.failed,
      latencies: latenciesOf(totals.durations, previous.durations),
      commits: totals.commits - previous.commits,
      committed: totals.committed - previous.committed,
      ...read,
      queued: read.queued ?? 0,
      processorShare: (totals.processorSeconds - previous.processorSeconds) / seconds,
      memoryBytes: readProcess().memoryBytes,
      droppedConnections: totals.droppedConnections - previous.droppedConnections,
      backgroundFailures: newFailures(totals.backgroundFailures, previous.backgroundFailures),
    };
    const accept = () => {
      this.#previous = totals;
    };
    return { figures, accept };
  }

  async #readTotals(at: number): Promise<Totals> {
    const { measures, requests, backgroundFailures, readProcess } = this.#measured;
    const droppedConnections = await sumOf(measures, 'landfall_http_connections_dropped_total');
    const countsWhere = (condition: (count: RequestCount) => boolean) =>
      [...requests.counts()].reduce(
        (sum, count) => sum + (condition(count) ? count.requests : 0),
        0,
      );
    const sizes = histogramsOf(measures, 'landfall_batch_size').map((histogram) =>
      histogram.read(),
    );
    return {
      at,
      requests: countsWhere(() => true),
      refused: countsWhere(({ status }) => REFUSALS.includes(status)),
      failed: countsWhere(isFailed),
      durations: readDurations(measures),
      commits: sizes.reduce((sum, { count }) => sum + count, 0),
      committed: sizes.reduce((sum, one) => sum + one.sum, 0),
      processorSeconds: readProcess().processorSeconds,
      droppedConnections: droppedConnections ?? 0,
      backgroundFailures: new Map(backgroundFailures),
    };
  }
}

/** The check of readiness has succeeded when it says that the server is not ready, however often it is asked. */
function isFailed({ status, route }: RequestCount): boolean {
  return status >= 500 && route !== READINESS;
}

function readDurations(measures: readonly Measure[]): Totals['durations'] {
  return Object.fromEntries(
    latencyKinds.map((kind) => [
      kind,
      addBuckets(
        histogramsOf(
          measures,
          'landfall_http_request_duration_seconds',
          ({ method, route }) => kindOfRoute.get(`${method} ${route}`) === kind,
        ),
      ),
    ]),
  );
}

function latenciesOf(
  durations: Totals['durations'],
  previous: Totals['durations'],
): Figures['latencies'] {
  const latencies: Figures['latencies'] = {};
  for (const kind of latencyKinds) {
    const added = subtractBuckets(durations[kind] ?? [], previous[kind] ?? []);
    const latency = quantile(added, LATENCY_QUANTILE);
    if (latency !== undefined) latencies[kind] = latency;
  }
  return latencies;
}

function newFailures(
  failures: ReadonlyMap<string, number>,
  previous: ReadonlyMap<string, number>,
): Record<string, number> {
  return Object.fromEntries(
    [...failures]
      .map(([task, count]): [string, number] => [task, count - (previous.get(task) ?? 0)])
      .filter(([, count]) => count > 0),
  );
}

/** The histograms of a measure whose labels match. */
function histogramsOf(
  measures: readonly Measure[],
  name: string,
  matches: (labels: Labels) => boolean = () => true,
) {
  return measures
    .filter((measure) => measure.name === name)
    .flatMap((measure) => ('series' in measure ? [...measure.series()] : []))
    .filter(({ labels }) => matches(labels))
    .map(({ histogram }) => histogram);
}

async function readGauges(
  measures: readonly Measure[],
): Promise<{ [figure in GaugeFigure]?: number | undefined }> {
  const read = gauges.map(async ([figure, metric]) => [figure, await sumOf(measures, metric)]);
  return Object.fromEntries(await Promise.all(read));
}

/** The sum of a gauge over its labels; `undefined` if it is not measured, or cannot be read now. */
async function sumOf(measures: readonly Measure[], name: string): Promise<number | undefined> {
  const gauge = measures.find((measure) => measure.name === name);
  if (gauge === undefined || 'series' in gauge) return undefined;
  const value = await gauge.read().catch(() => undefined);
  return typeof value === 'object' ? value.reduce((sum, one) => sum + one.value, 0) : value;
}

/** The kind of each operation's route, as the durations are labelled. */
const kindOfRoute: ReadonlyMap<string, LatencyKind> = new Map(
  Object.values<Operation>(operations).flatMap((operation) => {
    const kind = kindOf(operation);
    const route = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    return kind === undefined ? [] : [[`${operation.method} ${route}`, kind] as const];
  }),
);

function kindOf({ tag, method, headers = {} }: Operation): LatencyKind | undefined {
  if (tag === 'Service') return undefined;
  if (method === 'GET') return 'Prefer' in headers ? undefined : 'reads';
  if (tag === 'Access') return 'tokens';
  return tag === 'Presentation' ? 'presentations' : 'writes';
}
