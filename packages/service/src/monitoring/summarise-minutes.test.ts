// The steps of charts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_STATUS_HOURS, MAX_STATUS_POINTS, relayNames, relays } from '@landfall/contract';
import { relayFiguresAs } from '../testing/relay-figures.js';
import type { Minute } from './queries.js';
import { summariseMinutes } from './summarise-minutes.js';

const now = Date.parse('2026-03-01T12:00:20Z');

function minute(at: string, figures: Partial<Minute> = {}): Minute {
  return {
    at: Date.parse(at),
    servers: 2,
    requests: 600,
    refused: 60,
    failed: 6,
    presentations: null,
    writes: null,
    reads: 0.01,
    tokens: null,
    commits: 0,
    committed: 0,
    queued: 0,
    poolSessions: null,
    poolWaiting: null,
    processorShare: 0.2,
    memoryBytes: 1e8,
    droppedConnections: 0,
    ...relayFiguresAs(null),
    replicas: null,
    replicationLag: null,
    archiveLag: null,
    backupAge: null,
    backgroundFailures: null,
    ...figures,
  };
}

test('a step has the average of rates and the highest of durations, queues and lags', () => {
  const { step, points } = summariseMinutes(
    [
      minute('2026-03-01T11:56:00Z', {
        commits: 2,
        committed: 6,
        replicas: 2,
        ...relayFiguresAs(4),
      }),
      minute('2026-03-01T12:00:00Z', {
        requests: 0,
        reads: 0.5,
        queued: 3,
        commits: 1,
        committed: 3,
        replicas: 1,
        ...relayFiguresAs(2),
      }),
    ],
    24,
    now,
  );
  assert.equal(step, 300);
  assert.deepEqual(points, [
    {
      at: '2026-03-01T11:55:00.000Z',
      requestsPerSecond: 5,
      refusedPerSecond: 1,
      failedPerSecond: 0.1,
      latencies: { reads: 0.5 },
      queued: 3,
      commitsPerSecond: 0.025,
      commitSize: 3,
      processorShare: 0.2,
      memoryBytes: 1e8,
      // Of every relay.
      ...Object.fromEntries(relayNames.map((name) => [relays[name].lag, 4])),
      replicas: 1,
      servers: 2,
    },
  ]);
});

test('any number of hours has the shortest step that the maximum of points admits', () => {
  const minutes = Array.from({ length: 1441 }, (_, index) =>
    minute(new Date(Math.floor(now / 60_000) * 60_000 - (1440 - index) * 60_000).toISOString()),
  );
  const steps = [];
  for (let hours = 1; hours <= MAX_STATUS_HOURS; hours++) {
    const { step, points } = summariseMinutes(minutes, hours, now);
    assert(points.length <= MAX_STATUS_POINTS, `${hours} hours have ${points.length} points`);
    assert(points.length >= (hours * 3600) / step - 1);
    steps.push(step);
  }
  assert.deepEqual([...new Set(steps)], [60, 120, 300]);
});
