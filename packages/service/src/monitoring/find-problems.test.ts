// What is reported as wrong, and since when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AuditVerification,
  relayNames,
  relays,
  type ServiceProblemCode,
} from '@landfall/contract';
import { relayFiguresAs } from '../testing/relay-figures.js';
import { type Evidence, findPastProblems, findProblems } from './find-problems.js';
import type { LastFigures, Minute } from './queries.js';

const now = Date.parse('2026-03-01T12:00:20Z');
const MINUTE = 60_000;

/** The time of the end of a minute, so many minutes before the last full one. */
const minuteBefore = (ago: number) => Date.parse('2026-03-01T12:00:00Z') - ago * MINUTE;

function minute(ago: number, figures: Partial<Minute> = {}): Minute {
  return {
    at: minuteBefore(ago),
    servers: 1,
    requests: 1000,
    refused: 0,
    failed: 0,
    presentations: 0.05,
    writes: null,
    reads: null,
    tokens: null,
    commits: 10,
    committed: 100,
    queued: 0,
    poolSessions: 8,
    poolWaiting: 0,
    processorShare: 0.2,
    memoryBytes: 1e8,
    droppedConnections: 0,
    ...relayFiguresAs(null),
    replicas: 1,
    replicationLag: 0,
    archiveLag: 0,
    backupAge: 3600,
    backgroundFailures: null,
    ...figures,
  };
}

/** A quiet hour that ends with the figures, the newest last. */
function hour(...newest: Partial<Minute>[]): Minute[] {
  const quiet = Array.from({ length: 60 }, (_, index) => minute(newest.length + 59 - index));
  return [...quiet, ...newest.map((figures, index) => minute(newest.length - 1 - index, figures))];
}

function server(name: string, changes: Partial<LastFigures> = {}): LastFigures {
  // The cast is true because the rules do not read the figures of a server.
  const figures = {} as LastFigures['figures'];
  const at = new Date(now - 20_000);
  return {
    server: name,
    at,
    startedAt: at,
    version: '1.0.0',
    isStopped: false,
    figures,
    ...changes,
  };
}

const nothingWrong: Evidence = {
  now,
  minutes: hour(),
  servers: [server('a:1')],
  recentCallers: [],
  verification: undefined,
  trailSince: Date.parse('2026-02-24T00:00:00Z'),
  relayed: [{ streams: ['GOODS_ITEMS'] }, { streams: [] }],
};

function problems(evidence: Partial<Evidence>) {
  return findProblems({ ...nothingWrong, ...evidence }).map(({ code, since, subject, value }) => [
    code,
    ...(since === undefined ? [] : [since.slice(11, 16)]),
    ...(subject === undefined ? [] : [subject]),
    ...(value === undefined ? [] : [value]),
  ]);
}

test('nothing is wrong in a quiet hour, without figures, and after a good verification', () => {
  const verification: AuditVerification = {
    at: '2026-02-25T00:00:00Z',
    records: 5,
    breaks: 0,
    recordsOnly: false,
  };
  assert.deepEqual(problems({ verification }), []);
  assert.deepEqual(problems({ minutes: [], servers: [] }), []);
});

test('a figure must be wrong in each of the last minutes, and the problem lasts since the first', () => {
  const slow = { presentations: 2 };
  assert.deepEqual(problems({ minutes: hour(slow, slow, slow, slow) }), []);
  assert.deepEqual(problems({ minutes: hour(slow, slow, slow, slow, slow) }), [
    ['SLOW', '11:55', 2],
  ]);
  assert.deepEqual(problems({ minutes: hour(slow, slow, slow, slow, slow, slow, {}) }), []);
  assert.deepEqual(problems({ minutes: hour(slow, {}, slow, slow, slow, slow) }), []);
});

test('each figure has its limit, and a number of minutes', () => {
  type Case = [ServiceProblemCode, number, Partial<Minute>, Partial<Minute>, string?];
  const cases: Case[] = [
    ['ERRORS', 2, { failed: 11 }, { failed: 10 }],
    ['QUEUE', 3, { queued: 1001 }, { queued: 1000 }],
    ['SLOW', 5, { presentations: 1.01 }, { presentations: 1 }],
    ['POOL', 3, { poolWaiting: 1 }, { poolWaiting: 0 }],
    ['BUSY', 5, { processorShare: 0.91 }, { processorShare: 0.9 }],
    ...relayNames.flatMap((name): Case[] => {
      const { lag, relaying, held, stream } = relays[name];
      return [
        ['RELAY_BEHIND', 5, { [lag]: 10_001 }, { [lag]: 10_000 }, stream],
        ['RELAY_STOPPED', 3, { [relaying]: 0 }, { [relaying]: 1 }, stream],
        ['RELAY_HELD', 3, { [held]: 1 }, { [held]: 0 }, stream],
      ];
    }),
    ['REPLICA_MISSING', 3, { replicas: 0 }, { replicas: 1 }],
    ['ARCHIVE_STOPPED', 3, { archiveLag: 601 }, { archiveLag: 600 }],
    ['BACKUP_OLD', 3, { backupAge: 93_601 }, { backupAge: 93_600 }],
    ['REPLICATION_BEHIND', 3, { replicationLag: 31 }, { replicationLag: 30 }],
  ];
  for (const [code, minutes, wrong, right, subject] of cases) {
    const last = (count: number, figures: Partial<Minute>) =>
      findProblems({
        ...nothingWrong,
        minutes: hour(...Array.from({ length: count }, () => figures)),
      }).map((found) => [found.code, found.subject]);
    assert.deepEqual(last(minutes, wrong), [[code, subject]]);
    assert.deepEqual(last(minutes - 1, wrong), [], `${code} is reported too early`);
    assert.deepEqual(last(minutes, right), [], code);
  }
});

test('feeds that are relayed to several streams are reported until one is left', () => {
  const streams = ['ROUTING_SIGNALS', 'north_ROUTING_SIGNALS'];
  const found = findProblems({ ...nothingWrong, relayed: [{ streams: [] }, { streams }] });
  assert.deepEqual(
    found.map(({ code, subject }) => [code, subject]),
    [['RELAY_STREAMS', streams.join(', ')]],
  );
});

test('of views that are behind, the organisation is named whose view is furthest', () => {
  const behind = { [relays['goods-item-views'].lag]: 10_001 };
  const minutes = hour(...Array.from({ length: 5 }, () => behind));
  const found = findProblems({ ...nothingWrong, minutes, viewBehind: '0192:1' });
  assert.deepEqual(
    found.map(({ code, subject }) => [code, subject]),
    [['RELAY_BEHIND', 'GOODS_ITEM_VIEWS, 0192:1']],
  );
});

test('few failed requests are no problem, however few requests there are', () => {
  const few = { requests: 10, failed: 4 };
  assert.deepEqual(problems({ minutes: hour(few, few, few) }), []);
  const enough = { requests: 10, failed: 5 };
  assert.deepEqual(problems({ minutes: hour(enough, enough) }), [['ERRORS', '11:58', 5]]);
});

test('replicas that were connected in the last six hours are missed', () => {
  const two = { replicas: 2 };
  const missing = [['REPLICA_MISSING', '11:00', 1]];
  assert.deepEqual(problems({ minutes: [minute(359, two), ...hour()] }), missing);
  assert.deepEqual(problems({ minutes: [minute(360, two), ...hour()] }), []);
});

test('old figures say nothing of now', () => {
  const queued = { queued: 5000 };
  const minutes = hour(queued, queued, queued).map((one) => ({ ...one, at: one.at - 4 * MINUTE }));
  assert.deepEqual(problems({ minutes }), []);
});

test('a server that is silent is reported for an hour, one that was stopped is not', () => {
  const since = (milliseconds: number) => new Date(now - milliseconds);
  const servers = [
    server('reports:1', { at: since(140_000) }),
    server('silent:1', { at: since(160_000) }),
    server('stopped:1', { at: since(160_000), isStopped: true }),
    server('long-silent:1', { at: since(61 * MINUTE) }),
  ];
  assert.deepEqual(problems({ servers }), [['SERVER_SILENT', '11:57', 'silent:1']]);
});

test('servers of different versions are reported while both report', () => {
  const other = server('b:1', { version: '1.1.0' });
  assert.deepEqual(problems({ servers: [server('a:1'), other] }), [['VERSIONS', '1.0.0, 1.1.0']]);
  assert.deepEqual(problems({ servers: [server('a:1'), { ...other, isStopped: true }] }), []);
  const silent = { ...other, at: new Date(now - 160_000) };
  assert.deepEqual(problems({ servers: [server('a:1'), silent] }), [
    ['SERVER_SILENT', '11:57', 'b:1'],
  ]);
});

test('background failures and dropped connections of the last minutes are added up', () => {
  const minutes = hour(
    { backgroundFailures: { 'feed-watch': 7 }, droppedConnections: 2 },
    { backgroundFailures: { 'feed-watch': 1, listen: 3 } },
    {},
    { droppedConnections: 1 },
    {},
  );
  assert.deepEqual(problems({ minutes }), [
    ['BACKGROUND', '11:55', 'feed-watch', 8],
    ['BACKGROUND', '11:56', 'listen', 3],
    ['CONNECTIONS', '11:55', 3],
  ]);
  const old = { backgroundFailures: { listen: 1 }, droppedConnections: 1 };
  assert.deepEqual(problems({ minutes: hour(old, {}, {}, {}, {}, {}) }), []);
});

test('a standby is reported if it cannot be read from for most of three minutes', () => {
  const standbys = (...failures: number[]) =>
    hour(...failures.map((count) => ({ backgroundFailures: { standbys: count } })));
  assert.deepEqual(problems({ minutes: standbys(60, 20, 20) }), [['STANDBY_UNUSED', '11:57', 20]]);
  assert.deepEqual(problems({ minutes: standbys(60, 60, 10) }), []);
  assert.deepEqual(problems({ minutes: standbys(60, 60) }), []);
});

test('an organisation is reported if more than half of many requests are refused', () => {
  const caller = (organisation: string, requests: number, refused: number) => ({
    organisation,
    requests,
    refused,
    failed: 0,
  });
  const recentCallers = [
    caller('0192:1', 100, 51),
    caller('0192:2', 100, 50),
    caller('0192:3', 99, 99),
  ];
  assert.deepEqual(problems({ recentCallers }), [['REFUSALS', '0192:1', 51]]);
});

test('a trail that was never verified as a whole is reported after 8 days', () => {
  const trailSince = Date.parse('2026-01-01T05:00:00Z');
  const verification = { at: '2026-02-25T00:00:00Z', records: 5, breaks: 0, recordsOnly: true };
  assert.deepEqual(problems({ trailSince }), [['AUDIT_OLD', '05:00']]);
  assert.deepEqual(problems({ trailSince, verification }), [['AUDIT_OLD', '05:00']]);
  const whole = { ...verification, recordsOnly: false };
  assert.deepEqual(problems({ trailSince, verification: whole }), []);
});

test('a broken trail and an old verification are reported', () => {
  const verification = { at: '2026-02-20T11:00:00Z', records: 5, breaks: 2, recordsOnly: false };
  assert.deepEqual(problems({ verification }), [
    ['AUDIT_BROKEN', '11:00', 2],
    ['AUDIT_OLD', '11:00'],
  ]);
});

test('what has ended is reported with its beginning, its end and how many requests failed', () => {
  const wrong = { failed: 50 };
  const minutes = hour(wrong, wrong, wrong, {}, {}, { queued: 2000 }, wrong, wrong);
  const [past, ...others] = findPastProblems(minutes, now);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [past?.code, past?.since, past?.until, past?.failedRequests],
    [
      'ERRORS',
      new Date(minuteBefore(8)).toISOString(),
      new Date(minuteBefore(5)).toISOString(),
      150,
    ],
  );
  // What lasts is one of now, with what has failed since it began.
  const [current] = findProblems({ ...nothingWrong, minutes });
  assert.deepEqual(
    [current?.code, current?.since, current?.until, current?.failedRequests],
    ['ERRORS', new Date(minuteBefore(2)).toISOString(), undefined, 100],
  );
  // Without figures of now, it is not known to last.
  assert.equal(findPastProblems(minutes, now + 10 * MINUTE).length, 2);
});

test('two periods of the same problem are two, and each subject has its own', () => {
  const failing = (task: string) => ({ backgroundFailures: { [task]: 1 } });
  const quiet = Array.from({ length: 8 }, () => ({}));
  const minutes = hour(failing('listen'), ...quiet, failing('listen'), failing('relay'), ...quiet);
  assert.deepEqual(
    findPastProblems(minutes, now).map(({ code, subject }) => `${code} ${subject}`),
    ['BACKGROUND relay', 'BACKGROUND listen', 'BACKGROUND listen'],
  );
});

test('a condition is a problem at once on its own server, and within minutes by the figures of another one', () => {
  const since = new Date(now - 5000);
  for (const [task, code] of [
    ['commits', 'CANNOT_COMMIT'],
    ['identity-provider-keys', 'IDENTITY_PROVIDER'],
  ] as const) {
    assert.deepEqual(problems({ conditions: [{ task, since }] }), [[code, '12:00']]);
    assert.deepEqual(problems({ conditions: [{ task: 'clock', since }] }), []);
    const failing = { backgroundFailures: { [task]: 3 } };
    assert.deepEqual(problems({ minutes: hour(failing, failing) }), [[code, '11:58']]);
    assert.deepEqual(problems({ minutes: hour(failing, {}, {}, {}) }), []);
  }
});
