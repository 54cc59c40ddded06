// The figures of a day in steps, for charts.
import {
  type LatencyKind,
  MAX_STATUS_POINTS,
  relayNames,
  relays,
  type ServiceStatus,
  type StatusPoint,
} from '@landfall/contract';
import { latencyKinds } from './figures.js';
import type { Minute } from './queries.js';

/** Possible steps, in seconds. */
const STEPS = [60, 120, 300] as const;

/** Figures of which a point has the highest value, and none if no server measures it. */
const OPTIONAL_GAUGES = [
  'poolSessions',
  'poolWaiting',
  ...relayNames.map((name) => relays[name].lag),
  'replicationLag',
] as const;

/** A figure that is not added up. */
type Gauge =
  | (typeof OPTIONAL_GAUGES)[number]
  | LatencyKind
  | 'queued'
  | 'processorShare'
  | 'memoryBytes'
  | 'servers';

/**
 * The minutes of the last hours in the shortest step in which they are not too many points.
 *
 * @param now milliseconds since 1970
 */
export function summariseMinutes(
  minutes: readonly Minute[],
  hours: number,
  now: number,
): ServiceStatus['series'] {
  const step = STEPS.find((seconds) => (hours * 3600) / seconds < MAX_STATUS_POINTS) ?? 300;
  const groups = new Map<number, Minute[]>();
  for (const minute of minutes) {
    // A minute is named by its end.
    if (minute.at <= now - hours * 3_600_000) continue;
    const start = Math.floor((minute.at - 60_000) / (step * 1000)) * step * 1000;
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [minute]);
    else group.push(minute);
  }
  return { step, points: [...groups].map(([at, group]) => summarise(at, group)) };
}

/** The point of the minutes of a step, of which there is one at least. */
function summarise(at: number, minutes: readonly Minute[]): StatusPoint {
  const values = (read: (minute: Minute) => number | null) =>
    minutes.map(read).filter((value) => value !== null);
  const sum = (read: (minute: Minute) => number) =>
    values(read).reduce((total, value) => total + value, 0);
  const perSecond = (read: (minute: Minute) => number) => round(sum(read) / minutes.length / 60);
  const highest = (name: Gauge) => optional(Math.max(...values((minute) => minute[name])));
  const commits = sum((minute) => minute.commits);
  return {
    at: new Date(at).toISOString(),
    requestsPerSecond: perSecond(({ requests }) => requests),
    refusedPerSecond: perSecond(({ refused }) => refused),
    failedPerSecond: perSecond(({ failed }) => failed),
    latencies: eachThatIs(latencyKinds, highest),
    queued: highest('queued') ?? 0,
    commitsPerSecond: perSecond((minute) => minute.commits),
    ...(commits > 0 && { commitSize: round(sum(({ committed }) => committed) / commits) }),
    processorShare: highest('processorShare') ?? 0,
    memoryBytes: highest('memoryBytes') ?? 0,
    ...eachThatIs(OPTIONAL_GAUGES, highest),
    ...eachThatIs(['replicas'], () => optional(Math.min(...values(({ replicas }) => replicas)))),
    servers: highest('servers') ?? 0,
  };
}

/** The maximum or minimum of no values is infinite. */
function optional(value: number): number | undefined {
  return Number.isFinite(value) ? round(value) : undefined;
}

/** An object with the figures that are there. */
function eachThatIs<Name extends string>(
  names: readonly Name[],
  read: (name: Name) => number | undefined,
): { [name in Name]?: number } {
  const found: { [name in Name]?: number } = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Four digits after the point suffice for charts. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
