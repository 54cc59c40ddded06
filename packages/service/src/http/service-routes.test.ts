// Health and metrics over a real socket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInMemory } from '../database/embedded/embedded.js';
import { findPort } from '../playground/find-port.js';
import { TestPlayground } from '../testing/playground-client.js';
import { logRequests } from './access-log.js';
import { makeServer } from './server.js';

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

test('metrics on a port of their own are not on that of the service, and count refusals', async () => {
  const metricsPort = await findPort('127.0.0.1', 0);
  const playground = await TestPlayground.start(await openInMemory(), { metricsPort });
  assert.equal((await fetch(`${playground.playground.baseUrl}/metrics`)).status, 404);
  assert.equal((await playground.call('/api/movement/road/v2/test-auth')).status, 401);
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /route="\/api\/movement\/road\/v2\/test-auth",status="401"\} 1\n/);
  assert.match(text, /landfall_http_connections_dropped_total 0\n/);
  assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/livez`)).status, 404);
  await playground.close();
  await assert.rejects(fetch(`http://127.0.0.1:${metricsPort}/metrics`));
});

test('the access log has one line a request, with its route and without its address', async () => {
  const log: string[] = [];
  const { app } = await makeServer({
    logLevel: 'error',
    logTo: { write: (line) => log.push(line) },
  });
  logRequests(app);
  app.get('/of/:secret', async () => 'OK');
  await app.inject('/of/4711');
  await app.inject('/nowhere/4711');
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
  assert(!log.join('').includes('4711'));
});
