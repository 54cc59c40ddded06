// `landfall admin status` says what is wrong with an installation, whether or not a server runs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { relayNames, relays } from '@landfall/contract';
import type { Installation } from '@landfall/service';
import pg from 'pg';
import { startExternalIdentityProvider } from '../../testing/external-identity-provider.js';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../testing/postgresql.js';
import { productionEnvironment } from '../../testing/production-environment.js';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';
import { findWrong } from './status.js';

const NOW = new Date('2026-11-26T03:00:00Z');

const healthy: Installation = {
  pendingMigrations: [],
  database: {
    now: NOW,
    version: '15.20',
    name: 'landfall',
    sizeBytes: 1e9,
    isStandby: false,
    sessions: 10,
    maxSessions: 100,
    waiting: 0,
    longestWait: 0,
    oldestTransaction: 1,
    archives: true,
    lastArchivedAt: new Date('2026-11-26T02:58:00Z'),
    archivingFailedAt: null,
  },
  endingCertificates: [],
  status: {
    at: NOW.toISOString(),
    versions: { service: '0.1.0', database: { kind: 'postgresql', version: '15.20' } },
    problems: [],
    pastProblems: [],
    starts: [],
    servers: [
      {
        name: 'one:8080',
        version: '0.1.0',
        state: 'REPORTING',
        startedAt: '2026-11-20T03:00:00Z',
        reportedAt: '2026-11-26T02:59:30Z',
        requestsPerSecond: 12,
        processorShare: 0.1,
        memoryBytes: 2e8,
        queued: 0,
      },
    ],
    series: { step: 60, points: [] },
    callers: [],
    replicas: [],
    relays: [],
  },
};

const ending = (endsAt: string) => ({ organisation: '0192:310000019', client: 'client', endsAt });

it('names each thing that is wrong, and nothing of what is well', () => {
  assert.deepEqual(findWrong(healthy), []);
  const { database, status } = healthy;
  assert(status);
  const [server] = status.servers;
  assert(server);
  const faults: [Installation, RegExp][] = [
    [
      { ...healthy, pendingMigrations: ['0002-x.sql'] },
      /^the database lacks 0002-x\.sql: .*admin migrate$/,
    ],
    [{ ...healthy, status: { ...status, servers: [] } }, /^no server has reported for a day$/],
    [
      { ...healthy, status: { ...status, servers: [{ ...server, state: 'SILENT' }] } },
      /^no server has reported since 2026-11-26 02:59:30Z$/,
    ],
    [{ ...healthy, database: { ...database, sessions: 91 } }, /^91 of 100 sessions/],
    [
      { ...healthy, database: { ...database, waiting: 3, longestWait: 31 } },
      /^3 sessions wait for a lock, the first for 31 s$/,
    ],
    [
      { ...healthy, database: { ...database, oldestTransaction: 7200 } },
      /^a transaction has been open for 2 h$/,
    ],
    [
      { ...healthy, database: { ...database, archivingFailedAt: NOW } },
      /has not been archived since 2026-11-26 02:58:00Z$/,
    ],
    [
      { ...healthy, database: { ...database, lastArchivedAt: null } },
      /^nothing of the log was archived for an hour \(last: never\)$/,
    ],
    [
      { ...healthy, endingCertificates: [ending('2026-12-01T00:00:00.000Z')] },
      /^the certificate of client of 0192:310000019 ends 2026-12-01 00:00:00Z, and it has no key$/,
    ],
    [
      { ...healthy, endingCertificates: [ending('2026-11-25T00:00:00.000Z')] },
      / has ended 2026-11-25 00:00:00Z, /,
    ],
  ];
  for (const [installation, expected] of faults) {
    const wrong = findWrong(installation);
    assert.equal(wrong.length, 1, String(expected));
    assert.match(wrong[0] ?? '', expected);
  }
});

it('reports a missing address in one line', async () => {
  const { code, stdout, stderr } = await runCommand(['admin', 'status']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^error: DATABASE_URL is not set\n$/);
});

describe('admin status on PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  let database: TestPostgresql;
  let environment: NodeJS.ProcessEnv;
  const status = (...words: string[]) =>
    runLandfall(['admin', 'status', ...words], { environment });

  before(async () => {
    database = await createPostgresql();
    environment = { DATABASE_URL: database.url };
  });
  after(() => database?.drop());

  it('says that a database is not migrated, and fails only with --check', async () => {
    const { code, stdout } = await status();
    assert.equal(code, 0);
    assert.match(stdout, /^Wrong\n {2}the database lacks 0001-base\.sql: /m);
    const checked = await status('--check');
    assert.equal(checked.code, 1);
    assert.match(checked.stderr, /^error: the database lacks 0001-base\.sql/);
  });

  it('shows the servers, also after the last one has stopped', async () => {
    const provider = await startExternalIdentityProvider();
    const keys = join(await makeTemporaryFolder(), 'keys');
    const ofServer = productionEnvironment(database, provider, keys);
    assert.equal((await runLandfall(['admin', 'migrate'], { environment })).code, 0);
    const server = startLandfall(['serve'], ofServer);
    try {
      await server.printed(/serving \S+ on (\S+)/);
      server.process.kill('SIGTERM');
      await server.ended;
    } finally {
      server.process.kill('SIGKILL');
      provider.close();
    }
    const { stdout } = await status('--json');
    const { wrong, status: reported } = JSON.parse(stdout) as Installation & { wrong: string[] };
    assert.deepEqual(
      reported?.servers.map(({ state }) => state),
      ['STOPPED'],
    );
    assert.match(wrong.join('\n'), /^no server has reported since /m);
    const text = (await status()).stdout;
    assert.match(text, /^Database {2}\S+\n +PostgreSQL \d+\S*, primary, /m);
    assert.match(text, /^server +version +state/m);
  });

  it('says how much each relay has not relayed, and which one has stopped', async () => {
    const figures = {
      ...{ seconds: 60, requests: 0, queued: 0, processorShare: 0, memoryBytes: 0, latencies: {} },
      ...Object.fromEntries(relayNames.map((name, index) => [relays[name].lag, index + 1])),
      relayingViews: 0,
    };
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      await client.query(
        `insert into server_figures
         select date_trunc('minute', now()) - (n - 1) * interval '1 minute', 'one:1', now(), '', false, $1, '[]'
         from generate_series(0, 3) n`,
        [figures],
      );
    } finally {
      await client.end();
    }
    const { stdout } = await status();
    const lags = relayNames.map((name, index) => `${index + 1} ${relays[name].entries}`);
    assert(stdout.includes(`\nRelay     not relayed yet: ${lags.join(', ')}\n`), stdout);
    assert.match(stdout, /^ {2}RELAY_STOPPED: No server relays to NATS \(GOODS_ITEM_VIEWS\)$/m);
  });

  it('counts what waits for locks, and changes nothing', async () => {
    const holder = new pg.Client(database.url);
    const waiter = new pg.Client(database.url);
    await Promise.all([holder.connect(), waiter.connect()]);
    try {
      const name = new URL(database.url).pathname.slice(1);
      await holder.query(`alter database ${name} set default_transaction_read_only = on`);
      await holder.query('begin read write; lock table organisation');
      const waiting = waiter.query('begin read write; lock table organisation');
      for (;;) {
        const { stdout } = await status('--json');
        const { database: state } = JSON.parse(stdout) as Installation;
        if (state.waiting > 0) {
          assert(state.oldestTransaction > 0);
          break;
        }
        await delay(100);
      }
      await holder.query('rollback');
      await waiting;
    } finally {
      await Promise.all([holder.end(), waiter.end()]);
    }
  });
});
