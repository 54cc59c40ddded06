// Presenting through a proxy that loses, delays and repeats requests and responses.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError } from '../errors/connection-error.js';
import { PresentationUnknownError } from '../errors/outcome-unknown-error.js';
import { Landfall } from '../landfall.js';
import { type Fault, startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import { fixedToken } from '../tokens/token-source.js';
import type { Presentation } from './presentation.js';

const playground = await startTestPlayground();
const proxy = await startFaultyProxy(playground.baseUrl);
const retry = { baseDelayMs: 10, maxDelayMs: 50 };
const carrier = await playground.client('carrier', { baseUrl: proxy.url, retry });

const PATH = '/presentation/v1/house-consignment';
const STATUS_PATH = '/validation-status/';
const office = { customsOfficeOfPresentation: 'NO351001' };
const parcel = {
  ...office,
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;
const unknownParcel = {
  ...office,
  transportDocumentHouseLevel: { documentNumber: 'MISSING', type: 'N750' },
} as const;

const used = await carrier.presentHouseConsignment(parcel);

/** How many requests with this method and path part the proxy receives meanwhile. */
async function countRequests(part: string, during: () => Promise<unknown>): Promise<number> {
  const before = proxy.requests.length;
  await during();
  return proxy.requests.slice(before).filter((line) => line.includes(part)).length;
}

async function statusOf(requestId: string): Promise<unknown> {
  const status = await carrier.getValidationStatus(requestId);
  return Array.isArray(status) ? undefined : status.status;
}

const levels: [string, (presentation: never) => Promise<{ requestId: string }>, Presentation][] = [
  ['HOUSE_CONSIGNMENT', (body) => carrier.presentHouseConsignment(body), parcel],
  [
    'MASTER_CONSIGNMENT',
    (body) => carrier.presentMasterConsignment(body),
    { ...office, transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' } },
  ],
  [
    'CONTAINER',
    (body) => carrier.presentContainer(body),
    { ...office, containerId: 'JARU0000010' },
  ],
  [
    'RECEPTACLE',
    (body) => carrier.presentReceptacle(body),
    { ...office, receptacleId: 'GBASFZMLBKONAUN30001001019999' },
  ],
  [
    'ENTRY_SUMMARY_DECLARATION',
    (body) => carrier.presentEntrySummaryDeclaration(body),
    { ...office, mrn: '23NO00000000000004' },
  ],
];

for (const [level, presentAtLevel, presentation] of levels) {
  test(`a requestId is made: ${level}`, async () => {
    // The cast is true because each presentation is that of its method.
    const { requestId } = await presentAtLevel(presentation as never);
    const status = await carrier.getValidationStatus(requestId);
    assert(!Array.isArray(status));
    assert.deepEqual([status.status, status.level], ['SUCCESS', level]);

    // Settling chooses the level by the members of the presentation.
    const settledId = randomUUID();
    await carrier.settlePresentation(settledId, presentation);
    const settled = await carrier.getValidationStatus(settledId);
    assert(!Array.isArray(settled));
    assert.deepEqual([settled.status, settled.level], ['SUCCESS', level]);
  });
}

/** How often the service receives the presentation after the fault. */
const faults: [Fault, number][] = [
  ['lost-response', 1],
  ['cut-response', 1],
  ['replaced-response', 1],
  ['lost-request', 2],
  ['silence', 2],
  ['overtaken', 2],
  [{ status: 503, headers: { 'retry-after': '1' } }, 2],
  [{ status: 500 }, 2],
  [{ status: 502, body: '<html>bad gateway</html>' }, 2],
  [{ status: 200, body: '<html>sign in</html>' }, 2],
  [{ status: 200, body: '{"status":"sign in"}' }, 2],
  [{ status: 202, body: 'null' }, 2],
];

for (const [fault, requests] of faults) {
  test(`is presented once after ${JSON.stringify(fault)}`, async () => {
    proxy.fail(PATH, fault);
    const requestId = randomUUID();
    const startedAt = Date.now();
    const sent = await countRequests(PATH, () =>
      carrier.presentHouseConsignment({ ...parcel, requestId }, { timeoutMs: 500, isNew: true }),
    );
    assert.equal(sent, requests);
    assert.equal(await statusOf(requestId), 'SUCCESS');
    if (typeof fault === 'object' && fault.headers !== undefined) {
      assert(Date.now() - startedAt >= 1000, 'Retry-After was not honoured');
    }
  });
}

test('is presented once although the first reads of the status fail too', async () => {
  proxy.fail(PATH, 'lost-response');
  proxy.fail(STATUS_PATH, 'lost-request', { status: 503 }, 'cut-response', 'replaced-response');
  const sent = await countRequests(PATH, () => carrier.presentHouseConsignment(parcel));
  assert.equal(sent, 1);
});

test('a refusal is the same error whether its response arrived or was lost', async () => {
  const errors: ApiError[] = [];
  for (const fault of ['none', 'lost-response', 'lost-request', 'overtaken'] as const) {
    proxy.fail(PATH, fault);
    const call = carrier.presentHouseConsignment(unknownParcel, { timeoutMs: 500 });
    await assert.rejects(call, (error) => error instanceof ApiError && errors.push(error) > 0);
  }
  const [first, ...others] = errors;
  assert.equal(first?.has('REFERENCE_NOT_FOUND'), true);
  assert.equal(others.length, 3);
  for (const { status, title, validationErrors } of others) {
    assert.deepEqual(
      { status, title, validationErrors },
      {
        status: first.status,
        title: first.title,
        validationErrors: first.validationErrors,
      },
    );
  }
});

test('a request that the network repeats is presented if the client made its requestId', async () => {
  proxy.fail(PATH, 'repeated');
  const { requestId } = await carrier.presentHouseConsignment(parcel);
  assert.equal(await statusOf(requestId), 'SUCCESS');
});

test('a requestId of the caller that the network repeats is presented', async () => {
  for (const isNew of [true, undefined]) {
    for (const fault of ['repeated', 'lost-response'] as const) {
      proxy.fail(PATH, fault);
      const requestId = randomUUID();
      await carrier.presentHouseConsignment({ ...parcel, requestId }, { isNew });
      assert.equal(await statusOf(requestId), 'SUCCESS');
    }
  }
});

test('where the service cannot say whether a requestId is new, nothing is sent', async () => {
  let calls = 0;
  const onSend = () => {
    calls += 1;
  };
  const faults: Fault[] = [{ status: 500 }, 'lost-response', { status: 200, body: '<html>' }];
  for (const fault of faults) {
    proxy.fail(STATUS_PATH, ...new Array<Fault>(10).fill(fault));
    const call = carrier.presentHouseConsignment(
      { ...parcel, requestId: randomUUID() },
      { onSend, timeoutMs: 200 },
    );
    await assert.rejects(
      call,
      (error) => error instanceof ConnectionError && !error.outcomeUnknown,
    );
    proxy.reset();
  }
  assert.equal(calls, 0);
});

test('an abort after sending leaves a requestId to settle', async () => {
  proxy.fail(PATH, 'lost-request');
  proxy.fail(STATUS_PATH, 'silence');
  const reason = new Error('shutting down');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 300);
  const call = carrier.presentHouseConsignment(parcel, { signal: controller.signal });
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  assert(error instanceof PresentationUnknownError);
  assert.equal(error.cause, reason);
  assert.match(error.message, /shutting down/);

  const settled = await carrier.settlePresentation(error.requestId, parcel);
  assert.equal(settled.requestId, error.requestId);
  assert.equal(await statusOf(error.requestId), 'SUCCESS');
});

test('an abort during the first request leaves a requestId to settle', async () => {
  proxy.fail(PATH, 'silence');
  const signal = AbortSignal.timeout(200);
  const call = carrier.presentHouseConsignment(parcel, { signal });
  await assert.rejects(call, PresentationUnknownError);
});

test('an abort before anything is sent is only an abort', async () => {
  const silent = await playground.client('carrier', { baseUrl: proxy.url, retry });
  proxy.fail('/oauth/token', 'silence');
  const reason = new Error('shutting down');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 200);
  await assert.rejects(
    silent.presentHouseConsignment(parcel, { signal: controller.signal }),
    reason,
  );
  await assert.rejects(
    silent.settlePresentation(randomUUID(), parcel, { signal: AbortSignal.abort(reason) }),
    reason,
  );
});

test('settling ends in time and can be resumed', async () => {
  const requestId = randomUUID();
  proxy.fail(PATH, 'lost-response');
  proxy.fail(STATUS_PATH, ...new Array<Fault>(100).fill({ status: 503 }));
  const startedAt = Date.now();
  await assert.rejects(
    carrier.presentHouseConsignment({ ...parcel, requestId }, { settleWithinMs: 500, isNew: true }),
    (error) => error instanceof PresentationUnknownError && error.cause instanceof ApiError,
  );
  const elapsedMs = Date.now() - startedAt;
  assert(elapsedMs >= 500 && elapsedMs < 10_000, `${elapsedMs} ms`);

  proxy.reset();
  const sent = await countRequests(PATH, () => carrier.settlePresentation(requestId, parcel));
  assert.equal(sent, 0);
});

test('settling ends at once when waiting cannot help', async () => {
  proxy.fail(PATH, 'lost-request');
  proxy.fail(STATUS_PATH, { status: 403 });
  const error: unknown = await carrier.presentHouseConsignment(parcel).catch((thrown) => thrown);
  assert(error instanceof PresentationUnknownError);
  assert(error.cause instanceof ApiError);
  assert.equal(error.cause.status, 403);
});

test('a service that cannot be reached has not presented', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  server.close();
  const baseUrl = `http://127.0.0.1:${address.port}`;
  const unreachable = new Landfall({ baseUrl, tokens: fixedToken('unused'), retry });
  await assert.rejects(
    unreachable.presentHouseConsignment(parcel),
    (error) => error instanceof ConnectionError && !error.outcomeUnknown,
  );
});

test('settling a refused presentation throws the refusal', async () => {
  const requestId = randomUUID();
  const call = carrier.presentHouseConsignment({ ...unknownParcel, requestId });
  await assert.rejects(call, ApiError);
  await assert.rejects(
    carrier.settlePresentation(requestId, unknownParcel),
    (error) => error instanceof ApiError && error.has('REFERENCE_NOT_FOUND'),
  );
});

test('a requestId in capital letters is accepted', async () => {
  const requestId = randomUUID().toUpperCase();
  const sent = await countRequests(PATH, () =>
    carrier.presentHouseConsignment({ ...parcel, requestId }),
  );
  assert.equal(sent, 1);
});

test('a requestId that is not a UUID is refused, also when settling', async () => {
  for (const requestId of ['7', '23NO00000000000001']) {
    for (const call of [
      carrier.presentHouseConsignment({ ...parcel, requestId }),
      carrier.settlePresentation(requestId, parcel),
    ]) {
      await assert.rejects(call, (error) => error instanceof ApiError && error.has('FORMAT'));
    }
  }
});

test('a requestId of an earlier presentation is refused, and nothing is sent', async () => {
  const isReused = (error: unknown) => error instanceof ApiError && error.has('REQUEST_ID_REUSED');
  const again = { ...parcel, requestId: used.requestId };
  const sent = await countRequests(PATH, () =>
    assert.rejects(carrier.presentHouseConsignment(again), isReused),
  );
  assert.equal(sent, 0);
  await carrier.settlePresentation(used.requestId, parcel);
});
