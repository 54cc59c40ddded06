// Liveness, readiness and metrics over a real socket.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { findPort } from '../../../playground/dist/find-port.js';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';
import { makeServer } from './server.js';
import { addServiceRoutes } from './service-routes.js';

const TOKEN = 'a-token-of-the-scraper';

test('health is OK, and metrics count the requests by route and status', async () => {
  const playground = await TestPlayground.start(await openInMemory());
  assert.equal((await playground.call('/livez')).text, 'OK');
  assert.equal((await playground.call('/livez')).text, 'OK');
  assert.equal((await playground.call('/readyz')).text, 'OK');
  const first = await playground.call('/metrics');
  assert.match(
    first.text,
    /landfall_http_requests_total\{method="GET",route="\/livez",status="200"\} 2\n/,
  );
  assert.match(first.text, /landfall_background_failures_total\{task="audit-checkpoint"\} 0\n/);
  assert.match(first.text, /process_resident_memory_bytes \d+/);
  await playground.call('/livez');
  const second = await playground.call('/metrics');
  assert.match(second.text, /route="\/livez",status="200"\} 3\n/);
  await playground.close();
});

test('metrics on a separate port are not on that of the service, and count refusals', async () => {
  const metricsPort = await findPort('127.0.0.1', 0);
  const playground = await TestPlayground.start(await openInMemory(), { metricsPort });
  assert.equal((await fetch(`${playground.playground.baseUrl}/metrics`)).status, 404);
  assert.equal((await playground.call('/api/movement/road/v2/test-auth')).status, 401);
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  assert.equal(response.status, 200);
  const metrics = await response.text();
  assert.match(metrics, /route="\/api\/movement\/:mode\/:version\/test-auth",status="401"\} 1\n/);
  assert.match(metrics, /landfall_http_connections_dropped_total 0\n/);
  assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/livez`)).status, 404);
  await playground.close();
  await assert.rejects(fetch(`http://127.0.0.1:${metricsPort}/metrics`));
});

for (const separate of [false, true]) {
  const where = separate ? 'on a separate port' : 'on the port of the service';
  test(`metrics with a token are served only to its holders ${where}`, async () => {
    const metricsPort = separate ? await findPort('127.0.0.1', 0) : 0;
    const playground = await TestPlayground.start(await openInMemory(), {
      metricsPort,
      metricsToken: TOKEN,
    });
    const { baseUrl } = playground.playground;
    const url = `${separate ? `http://127.0.0.1:${metricsPort}` : baseUrl}/metrics`;
    const refused = [
      undefined,
      'Bearer',
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer x ${TOKEN}`,
    ];
    for (const authorization of refused) {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(url, { headers });
      assert.equal(response.status, 401, authorization);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="metrics"');
      assert.doesNotMatch(await response.text(), /landfall_/);
    }
    const served = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    assert.equal(served.status, 200);
    assert.match(await served.text(), /landfall_http_requests_total/);
    await playground.close();
  });
}

test('input that is not readable HTTP is counted, logged and in the access log, with its id', async () => {
  const log: string[] = [];
  const { app, observed } = await makeServer({
    logLevel: 'info',
    logTo: { write: (line) => log.push(line) },
    accessLog: 'on',
  });
  await addServiceRoutes(
    { app },
    {
      // The cast is true because only readiness uses the database, and it is not requested.
      database: undefined as never,
      isDraining: () => false,
      conditions: { unmet: undefined, states: [] },
      requests: observed,
      measures: [],
      backgroundFailures: new Map(),
      metrics: {},
    },
  );
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  log.length = 0;
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  await once(socket, 'connect');
  const received = text(socket);
  socket.write('nonsense\r\n\r\n');
  const { instance } = JSON.parse((await received).split('\r\n\r\n')[1] ?? '') as {
    instance: string;
  };
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map(({ id, msg, status }) => [`urn:uuid:${id}`, msg, status]),
    [
      [instance, 'refused', 400],
      [instance, 'request', 400],
    ],
  );
  assert(!log.join('').includes('nonsense'));
  const metrics = await (await fetch(`${address}/metrics`)).text();
  assert.match(metrics, /requests_total\{method="none",route="none",status="400"\} 1\n/);
  await app.close();
});

test('a database that is unavailable makes the server not ready, and is logged in one line', async () => {
  const log: string[] = [];
  const { app } = await makeServer({
    logLevel: 'info',
    logTo: { write: (line) => log.push(line) },
  });
  const database = await openInMemory();
  await database.close();
  await addServiceRoutes(
    { app },
    {
      database,
      isDraining: () => false,
      conditions: { unmet: undefined, states: [] },
      requests: { counts: () => [] },
      measures: [],
      backgroundFailures: new Map(),
      metrics: undefined,
    },
  );
  const response = await app.inject('/readyz');
  assert.equal(response.statusCode, 503);
  assert.equal(response.headers['retry-after'], '1');
  assert.equal(log.length, 1, log.join(''));
  const line = JSON.parse(log.join('')) as Record<string, unknown>;
  assert.equal(line.level, 40);
  assert.match(String(line.reason), /^The database is unavailable: ./);
  assert.doesNotMatch(log.join(''), /\\n\s+at /);
  await app.close();
});

test('addresses are those that a trusted proxy forwards, and of others that of the connection', async () => {
  for (const [trustedProxies, expected] of [
    ['127.0.0.0/8', '192.0.2.7'],
    ['', '127.0.0.1'],
    ['10.0.0.0/8,::1', '127.0.0.1'],
    ['1', '192.0.2.7'],
    ['2', '203.0.113.1'],
  ] as const) {
    const { app } = await makeServer({ logLevel: 'silent', trustedProxies });
    app.get('/', async ({ ip }) => ip);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    // What the client claims comes first; the proxy appends the address that it sees.
    const headers = { 'x-forwarded-for': '203.0.113.1, 192.0.2.7' };
    assert.equal(await (await fetch(address, { headers })).text(), expected, trustedProxies);
    await app.close();
  }
});

test('the access log has one line a request, with its route and without its address', async () => {
  const log: string[] = [];
  const { app } = await makeServer({
    logLevel: 'error',
    logTo: { write: (line) => log.push(line) },
    accessLog: 'on',
  });
  app.get('/of/:secret', async () => 'OK');
  await app.inject('/of/hidden-number');
  await app.inject('/nowhere/hidden-number');
  await app.close();
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map(({ method, route, status, msg }) => [method, route, status, msg]),
    [
      ['GET', '/of/:secret', 200, 'request'],
      ['GET', 'none', 404, 'request'],
    ],
  );
  assert(lines.every(({ id, durationMs }) => typeof id === 'string' && Number(durationMs) >= 0));
  assert(!log.join('').includes('hidden-number'));
});
