// The figures of a day in steps, for charts.
import { MAX_STATUS_POINTS, type ServiceStatus, type StatusPoint } from '@landfall/contract';
import type { Minute } from './queries.js';

/** Possible steps, in seconds. */
const STEPS = [60, 120, 300] as const;

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
  const highest = (read: (minute: Minute) => number | null) => optional(Math.max(...values(read)));
  const commits = sum((minute) => minute.commits);
  return {
    at: new Date(at).toISOString(),
    requestsPerSecond: perSecond(({ requests }) => requests),
    refusedPerSecond: perSecond(({ refused }) => refused),
    failedPerSecond: perSecond(({ failed }) => failed),
    latencies: {
      ...given(
        'presentations',
        highest(({ presentations }) => presentations),
      ),
      ...given(
        'writes',
        highest(({ writes }) => writes),
      ),
      ...given(
        'reads',
        highest(({ reads }) => reads),
      ),
      ...given(
        'tokens',
        highest(({ tokens }) => tokens),
      ),
    },
    queued: highest(({ queued }) => queued) ?? 0,
    commitsPerSecond: perSecond((minute) => minute.commits),
    ...given(
      'commitSize',
      commits === 0 ? undefined : round(sum(({ committed }) => committed) / commits),
    ),
    ...given(
      'poolSessions',
      highest(({ poolSessions }) => poolSessions),
    ),
    ...given(
      'poolWaiting',
      highest(({ poolWaiting }) => poolWaiting),
    ),
    processorShare: highest(({ processorShare }) => processorShare) ?? 0,
    memoryBytes: highest(({ memoryBytes }) => memoryBytes) ?? 0,
    ...given(
      'relayLag',
      highest(({ relayLag }) => relayLag),
    ),
    ...given(
      'signalRelayLag',
      highest(({ signalRelayLag }) => signalRelayLag),
    ),
    ...given('replicas', optional(Math.min(...values(({ replicas }) => replicas)))),
    ...given(
      'replicationLag',
      highest(({ replicationLag }) => replicationLag),
    ),
    servers: highest(({ servers }) => servers) ?? 0,
  };
}

/** The maximum or minimum of no values is infinite. */
function optional(value: number): number | undefined {
  return Number.isFinite(value) ? round(value) : undefined;
}

function given<Name extends string>(
  name: Name,
  value: number | undefined,
): { [name in Name]?: number } {
  // The cast is true because the object has this member or none.
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: number };
}

/** Four digits after the point suffice for charts. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
