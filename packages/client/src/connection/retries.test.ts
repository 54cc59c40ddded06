// Which calls are repeated, and when the outcome is unknown.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError, TimeoutError } from '../errors/connection-error.js';
import { LandfallError } from '../errors/landfall-error.js';
import type { RetryEvent } from '../http/hooks.js';
import { Landfall } from '../landfall.js';
import { presentEntrySummaryDeclaration } from '../operations/operations.js';
import { type Fault, startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';

const playground = await startTestPlayground();
const proxy = await startFaultyProxy(playground.baseUrl);
const retries: RetryEvent[] = [];
const carrier = await playground.client('carrier', {
  baseUrl: proxy.url,
  timeoutMs: 2000,
  retry: { baseDelayMs: 5 },
  hooks: { onRetry: (retry) => retries.push(retry) },
});
// So that the requests of the tests are those of their operations alone.
await carrier.testAuth();

test.beforeEach(() => {
  retries.length = 0;
  proxy.requests.length = 0;
});

const temporary: Fault[] = [
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 429 },
  { status: 502, body: '<html>' },
  'lost-request',
  'lost-response',
  'cut-response',
  // A page of two entries, of which none has arrived.
  {
    status: 200,
    headers: { 'content-type': 'application/json', 'landfall-count': '2' },
    body: '[]',
  },
  'silence',
];
for (const fault of temporary) {
  const name = typeof fault === 'string' ? fault : `status ${fault.status}`;
  test(`reading is repeated after ${name}`, async () => {
    proxy.fail('/routing/', fault);
    // Only silence is waited out.
    const limit = fault === 'silence' ? { timeoutMs: 1000 } : {};
    const page = await carrier.readRoutingSignals({}, limit);
    assert.deepEqual(page.entries, []);
    assert.equal(retries.length, 1);
    assert.equal(proxy.requests.length, 2);
  });
}

function presentation() {
  return {
    requestId: randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    mrn: '23NO00000000000001',
  };
}

const unknownOutcomes: Fault[] = [
  'lost-request',
  'lost-response',
  'replaced-response',
  'silence',
  { status: 503 },
];
for (const fault of unknownOutcomes) {
  const name = typeof fault === 'string' ? fault : `status ${fault.status}`;
  test(`a call that is not idempotent is not repeated after ${name}, and the error says that the outcome is unknown`, async () => {
    proxy.fail('/presentation/', fault);
    const input = { body: presentation() };
    const presenting = carrier.call(presentEntrySummaryDeclaration, input, { timeoutMs: 300 });
    await assert.rejects(presenting, (error) => {
      assert(error instanceof LandfallError);
      return error.outcomeUnknown;
    });
    assert.equal(proxy.requests.length, 1);
  });
}

test('presenting is repeated after 429, which carries nothing out', async () => {
  proxy.fail('/presentation/', { status: 429 }, { status: 429 });
  const sent = presentation();
  const accepted = await carrier.presentEntrySummaryDeclaration(sent, { isNew: true });
  assert.equal(accepted.requestId, sent.requestId);
  assert.equal(proxy.requests.length, 3);
});

test('a call that is not idempotent is repeated on request, and the second call finds that the first arrived', async () => {
  proxy.fail('/presentation/', 'lost-response');
  const input = { body: presentation() };
  const presenting = carrier.call(presentEntrySummaryDeclaration, input, { repeatUnknown: true });
  await assert.rejects(
    presenting,
    (error) => error instanceof ApiError && error.has('REQUEST_ID_REUSED'),
  );
  assert.equal(retries.length, 1);
});

test('creating is repeated after a lost response, and refused if there is one with other data', async () => {
  const authority = await playground.client('authority', {
    baseUrl: proxy.url,
    retry: { baseDelayMs: 5 },
  });
  const create = (name: string) =>
    authority.putOrganisation('NTRSE-1', { name, kind: 'foreign' }, { ifNoneMatch: '*' });
  proxy.fail('/organisations/', 'lost-response');
  const { name, etag } = await create('One');
  assert.equal(name, 'One');
  const puts = () => proxy.requests.filter((request) => request.startsWith('PUT')).length;
  assert.equal(puts(), 2);
  const isRefused = (error: unknown) => error instanceof ApiError && error.status === 412;
  await assert.rejects(create('Two'), isRefused);
  assert.equal(puts(), 3);
  const change = { name: 'Two', kind: 'foreign' } as const;
  await authority.putOrganisation('NTRSE-1', change, { ifMatch: etag });
  const again = { ...change, name: 'Three' };
  await assert.rejects(authority.putOrganisation('NTRSE-1', again, { ifMatch: etag }), isRefused);
});

test('a service that is not there has not carried anything out', async () => {
  const nobody = await playground.client('carrier', {
    baseUrl: `http://127.0.0.1:${await findClosedPort()}`,
    retry: { maxAttempts: 2, baseDelayMs: 1 },
  });
  await assert.rejects(nobody.getLiveness(), (error) => {
    assert(error instanceof ConnectionError);
    assert.match(error.message, /ECONNREFUSED/);
    return !error.outcomeUnknown;
  });
});

async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('other refusals are final', async () => {
  for (const status of [400, 403, 404, 413, 500]) {
    proxy.requests.length = 0;
    proxy.fail('/routing/', { status });
    const reading = carrier.readRoutingSignals();
    await assert.rejects(reading, (error) => error instanceof ApiError && error.status === status);
    assert.equal(proxy.requests.length, 1);
  }
});

test('a pause is as long as the service requests', async () => {
  proxy.fail('/routing/', { status: 503, headers: { 'retry-after': '1' } });
  const start = performance.now();
  await carrier.readRoutingSignals();
  assert(performance.now() - start >= 1000);
});

test('a pause that would end after the time limit is not begun', async () => {
  proxy.fail('/routing/', { status: 503, headers: { 'retry-after': '120' } });
  const reading = carrier.readRoutingSignals();
  await assert.rejects(reading, (error) => {
    assert(error instanceof ApiError);
    assert.equal(error.retryAfterMs, 120_000);
    return true;
  });
  assert.equal(proxy.requests.length, 1);
});

test('attempts are bounded in number', async () => {
  proxy.fail('/routing/', ...Array<Fault>(9).fill('lost-request'));
  const reading = carrier.readRoutingSignals({}, { retry: { maxAttempts: 3 } });
  await assert.rejects(reading, ConnectionError);
  assert.equal(proxy.requests.length, 3);
  const once = carrier.readRoutingSignals({}, { retry: false });
  await assert.rejects(once, ConnectionError);
  assert.equal(proxy.requests.length, 4);
  await carrier.readRoutingSignals({}, { retry: { maxAttempts: 9 } });
});

test('a signal ends a request and a pause with its reason', async () => {
  proxy.fail('/routing/', 'silence');
  const reason = new RangeError('enough');
  const signal = AbortSignal.timeout(100);
  await assert.rejects(
    carrier.readRoutingSignals({}, { signal }),
    (error) => error === signal.reason,
  );
  const controller = new AbortController();
  proxy.fail('/routing/', { status: 503, headers: { 'retry-after': '30' } });
  const reading = carrier.readRoutingSignals({}, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 100);
  await assert.rejects(reading, (error) => error === reason);
  await assert.rejects(
    carrier.readRoutingSignals({}, { signal: controller.signal }),
    (error) => error === reason,
  );
});

test('a time limit is an error of its own', async () => {
  proxy.fail('/livez', 'silence');
  const anyone = new Landfall({ baseUrl: proxy.url, timeoutMs: 100, retry: false });
  await assert.rejects(anyone.getLiveness(), (error) => {
    assert(error instanceof TimeoutError);
    assert.equal(error.code, 'TIMEOUT');
    return error.timeoutMs === 100;
  });
});

test('a run that a colleague pauses after a lost response stays paused when the call is repeated', async () => {
  const other = await playground.client('authority');
  const mrn = '26NO00000000000777';
  await other.putEntrySummaryDeclaration(mrn, {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    // So many that the run is not completed before it is paused.
    houseConsignments: Array.from({ length: 2000 }, (_, number) => ({
      transportDocumentHouseLevel: { documentNumber: `R${number}`, type: 'N740' as const },
    })),
  });
  const decision = { routing: 'TO_CONTROL', reason: 'test' } as const;
  const run = await other.createRoutingRun({ select: { mrn }, ...decision });
  assert('etag' in run);
  const { id } = run;
  const paused = await other.changeRoutingRun(id, { state: 'PAUSED' }, { ifMatch: run.etag });
  let puts = 0;
  const officer = await playground.client('authority', {
    retry: { baseDelayMs: 5 },
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      if (init?.method !== 'PUT' || ++puts > 1) return response;
      const resumed = (await response.json()) as { etag: string };
      await other.changeRoutingRun(id, { state: 'PAUSED' }, { ifMatch: resumed.etag });
      throw new TypeError('the response is lost');
    },
  });
  await assert.rejects(
    officer.changeRoutingRun(id, { state: 'RUNNING' }, { ifMatch: paused.etag }),
    (error) => error instanceof ApiError && error.status === 412,
  );
  assert.equal(puts, 2);
  assert.equal((await other.getRoutingRun(id)).state, 'PAUSED');
});
