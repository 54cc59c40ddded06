// The status of the service on both databases: figures of all servers, bounded, and for operators alone.
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { after, before, describe, test } from 'node:test';
import type { ServiceStatus } from '@landfall/contract';
import { readLastVerification, recordLastVerification } from '../audit/last-verification.js';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { makeRemovalClock } from '../database/removal-clock.js';
import { FailedRequests } from '../metrics/failed-requests.js';
import { CallerCounts } from '../metrics/request-counts.js';
import { drawnDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { FigureRecorder } from './record-figures.js';

const PATH = '/api/authority/v1/service-status';
const DAY = 24 * 3_600_000;

/** A server that measures one failing task, and writes only when a test says so. */
function makeRecorder(
  database: Database,
  name: string,
  callers = new CallerCounts(),
  failedRequests = new FailedRequests(),
) {
  const errors: unknown[] = [];
  const recorder = new FigureRecorder(
    database,
    {
      name: () => name,
      version: '0.0.1',
      startedAt: new Date(),
      measured: {
        measures: [],
        requests: {
          counts: () => [
            { method: 'GET', route: '/', status: 200, requests: 30 },
            { method: 'GET', route: '/', status: 403, requests: 6 },
          ],
        },
        backgroundFailures: new Map([['listen', 2]]),
        readProcess: () => ({ processorSeconds: 0, memoryBytes: 1 }),
      },
      callers,
      failedRequests,
    },
    makeRemovalClock(database),
    (error) => errors.push(error),
  );
  return { recorder, errors };
}

async function readStatus(playground: TestPlayground, hours = 24): Promise<ServiceStatus> {
  // A status is shared for some seconds, those of other numbers of hours are not.
  const { status, body } = await playground.get(`${PATH}?hours=${hours}`, 'authority');
  assert.equal(status, 200);
  // The cast is true because the response was checked against openapi.json.
  return body as ServiceStatus;
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the status of the service on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, {
        documentationUrl: 'https://documents.example/v1',
      });
    });
    after(() => playground.close());

    test('is for operators alone, and refuses other hours', async () => {
      for (const identity of ['carrier', 'statistics', 'express']) {
        assert.equal((await playground.get(PATH, identity)).status, 403, identity);
      }
      assert.equal((await playground.call(PATH)).status, 401);
      for (const hours of ['0', '25', '1.5', 'x']) {
        const refused = await playground.get(`${PATH}?hours=${hours}`, 'authority');
        assert.equal(refused.status, 400, hours);
        assert.match(refused.text, /"field":"hours"/);
      }
    });

    test('has what this server has measured, with callers and refusals', async () => {
      await playground.present('house-consignment', 'carrier', {
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
      });
      await playground.get(PATH, 'carrier');
      await playground.playground.setClock({ advance: 0 });
      const { server, servers, series, callers, problems, versions } = await readStatus(
        playground,
        1,
      );
      assert.equal(server, `${hostname()}:${new URL(playground.playground.baseUrl).port}`);
      const [own] = servers;
      assert.deepEqual([servers.length, own?.name, own?.state], [1, server, 'REPORTING']);
      assert.equal(own?.version, versions.service);
      assert(own.memoryBytes > 1e6 && own.requestsPerSecond > 0);
      const [point] = series.points;
      assert(point && point.requestsPerSecond > 0 && point.refusedPerSecond > 0);
      assert(point.latencies.presentations && point.latencies.tokens);
      assert.equal(point.commitSize, 1);
      assert.equal(point.replicas, name === 'embedded' ? undefined : 0);
      const carrier = callers.find(({ organisation }) => organisation === '0192:310000019');
      assert(carrier && carrier.requests >= 3 && carrier.refused >= 2, JSON.stringify(callers));
      assert.deepEqual(problems, []);
    });

    test('has every server, and says which has stopped reporting', async () => {
      const now = Date.now();
      const { recorder } = makeRecorder(database, 'other:8080');
      await recorder.write(new Date(now - 600_000));
      const stopped = makeRecorder(database, 'stopped:8080');
      await stopped.recorder.close();
      assert.deepEqual(stopped.errors, []);
      const { servers, problems } = await readStatus(playground, 2);
      const states = servers.map((one) => `${one.name} ${one.state}`);
      assert(states.includes('other:8080 SILENT'), states.join());
      assert(states.includes('stopped:8080 STOPPED'), states.join());
      const silent = problems.find(({ code }) => code === 'SERVER_SILENT');
      assert.equal(silent?.subject, 'other:8080');
      assert.equal(silent.since, new Date(now - 600_000).toISOString());
      assert.equal(
        silent?.runbook,
        'https://documents.example/v1/docs/reference/runbook.md#server_silent',
      );
      const background = problems.find(({ code }) => code === 'BACKGROUND');
      assert.deepEqual([background?.subject, background?.value], ['listen', 2]);
      await database.query({
        name: '',
        text: `delete from server_figures where server like 'other:%'`,
        values: [],
      });
    });

    test('figures are removed after a day, by whoever writes', async () => {
      await database.query({
        name: '',
        text: `insert into server_figures
          select now() - interval '26 hours' - n * interval '1 minute', 'old:1', now(), '', false, '{}', '[]'
          from generate_series(1, 1500) n`,
        values: [],
      });
      const count = async () => {
        const [row] = await database.query<{ count: number }>({
          name: '',
          text: `select count(*) from server_figures where server = 'old:1'`,
          values: [],
        });
        return row?.count;
      };
      const { recorder } = makeRecorder(database, 'new:1');
      await recorder.write(new Date());
      assert.equal(await count(), 500, 'one write removes a limited number');
      await recorder.write(new Date());
      assert.equal(await count(), 0);
    });

    test('has the last verification of the audit trail', async () => {
      assert.equal(await readLastVerification(database), undefined);
      const at = new Date(Date.now() - 9 * DAY);
      const record = (breaks: number, time: Date, recordsOnly = false) =>
        recordLastVerification(
          database,
          {
            records: 12,
            ends: [],
            removed: [],
            accepted: [],
            breaks: Array.from({ length: breaks }, () => brokenRecord),
          },
          { at: time, recordsOnly },
        );
      await record(0, at);
      await record(1, new Date(at.getTime() + 1000));
      const { auditVerification, problems } = await readStatus(playground, 3);
      assert.deepEqual(auditVerification, {
        at: new Date(at.getTime() + 1000).toISOString(),
        records: 12,
        breaks: 1,
        recordsOnly: false,
      });
      const codes = problems.map(({ code }) => code);
      assert(codes.includes('AUDIT_BROKEN') && codes.includes('AUDIT_OLD'), codes.join());
      // One of records only does not replace what a whole one has found, until a whole one finds nothing.
      const breaks = async () => {
        const last = await readLastVerification(database);
        return [last?.breaks, last?.recordsOnly];
      };
      await record(0, new Date(), true);
      await record(2, new Date(), true);
      assert.deepEqual(await breaks(), [1, false]);
      await record(0, new Date());
      assert.deepEqual(await breaks(), [0, false]);
      await record(0, new Date(), true);
      assert.deepEqual(await breaks(), [0, false]);
      await record(2, new Date(), true);
      assert.deepEqual(await breaks(), [2, true]);
      await record(0, new Date(), true);
      assert.deepEqual(await breaks(), [0, true]);
    });

    test('the failed request whose id is quoted is found on every server, by operators alone', async () => {
      const failedRequests = new FailedRequests();
      const { recorder, errors } = makeRecorder(database, 'failing', undefined, failedRequests);
      const [quoted, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const at = new Date();
      for (const id of [other, quoted]) {
        failedRequests.add({
          ...{ id, at: at.toISOString(), method: 'GET', route: '/x/:id', status: 500 },
          ...{ organisation: '0192:310000019', reason: 'it broke' },
        });
      }
      await recorder.write(at);
      assert.deepEqual([errors, failedRequests.list()], [[], []]);
      const path = `${PATH}?hours=1&failedRequest=${quoted}`;
      const found = await playground.get(path, 'authority');
      // The cast is true because the response was checked against openapi.json.
      const { failedRequests: listed } = found.body as ServiceStatus;
      assert.deepEqual(listed, [
        {
          ...{ id: quoted, at: at.toISOString(), server: 'failing', method: 'GET' },
          ...{ route: '/x/:id', status: 500, organisation: '0192:310000019', reason: 'it broke' },
        },
      ]);
      assert.equal((await playground.get(path, 'carrier')).status, 403);
      const all = await playground.get(`${PATH}?hours=1`, 'authority');
      assert.deepEqual(
        (all.body as ServiceStatus).failedRequests.map(({ id }) => id).sort(),
        [quoted, other].sort(),
      );
      const refused = await playground.get(`${PATH}?failedRequest=x`, 'authority');
      assert.equal(refused.status, 400);
      assert.match(refused.text, /"field":"failedRequest"/);
    });

    test('a request that has just failed on this server is found before the next report', async () => {
      playground.playground.scenarios.add({
        kind: 'internal-error',
        operation: 'listOrganisations',
      });
      const failed = await playground.get('/api/authority/v1/organisations', 'authority');
      playground.playground.scenarios.clear();
      assert.equal(failed.status, 500);
      const id = /urn:uuid:([0-9a-f-]{36})/.exec(failed.text)?.[1];
      const found = await playground.get(`${PATH}?hours=1&failedRequest=${id}`, 'authority');
      // The cast is true because the response was checked against openapi.json.
      const [request, ...others] = (found.body as ServiceStatus).failedRequests;
      assert.deepEqual(
        [request?.id, request?.route, request?.status, others],
        [id, '/api/authority/v1/organisations', 500, []],
      );
    });
  });
}

const brokenRecord = { chain: 1, position: 1, code: 'DIGEST_MISMATCH', problem: '' } as const;

describe('two servers on one PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  test('each shows both, and a failed write is made up for by the next', async () => {
    const { url, drop } = await createMigratedPostgresql();
    const databases = [openPostgresql(url), openPostgresql(url)] as const;
    const first = await TestPlayground.start(databases[0]);
    const callers = new CallerCounts();
    const { recorder, errors } = makeRecorder(databases[1], 'second:8080', callers);
    try {
      callers.count('0192:1', 429);
      await databases[0].query({
        name: '',
        text: 'alter table server_figures rename to away',
        values: [],
      });
      await assert.rejects(recorder.write(new Date()));
      await databases[0].query({
        name: '',
        text: 'alter table away rename to server_figures',
        values: [],
      });
      callers.count('0192:1', 200);
      await recorder.write(new Date());
      await first.playground.setClock({ advance: 0 });
      const status = await readStatus(first);
      assert.deepEqual(
        status.servers.map(({ state }) => state),
        ['REPORTING', 'REPORTING'],
      );
      assert.equal(status.series.points.at(-1)?.servers, 2);
      const caller = status.callers.find(({ organisation }) => organisation === '0192:1');
      assert.deepEqual(caller, { organisation: '0192:1', requests: 2, refused: 1, failed: 0 });
      assert.deepEqual(
        status.problems.map(({ code }) => code),
        ['BACKGROUND', 'VERSIONS'],
      );
      assert.deepEqual(errors, []);
    } finally {
      await recorder.close();
      await first.close();
      await databases[1].close();
      await drop();
    }
  });
});

test('a server writes its last figures under its name', {
  skip: await whyNoPostgresql(),
}, async () => {
  const { url, drop } = await createMigratedPostgresql();
  try {
    const playground = await TestPlayground.start(openPostgresql(url));
    const { port } = new URL(playground.playground.baseUrl);
    await playground.close();
    const database = openPostgresql(url);
    const rows = await database.query<{ server: string; stopped: boolean }>({
      name: '',
      text: 'select distinct server, is_stopped as stopped from server_figures where is_stopped',
      values: [],
    });
    await database.close();
    assert.deepEqual(rows, [{ server: `${hostname()}:${port}`, stopped: true }]);
  } finally {
    await drop();
  }
});
