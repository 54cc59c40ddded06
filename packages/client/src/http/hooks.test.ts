// What hooks observe, and the traceparent that they add.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';

const playground = await startTestPlayground();
const proxy = await startFaultyProxy(playground.baseUrl);

test('hooks see each attempt, requests for tokens included, and no token', async () => {
  const events: object[] = [];
  const carrier = await playground.client('carrier', {
    baseUrl: proxy.url,
    retry: { baseDelayMs: 1 },
    hooks: {
      onRequest: (event) => events.push({ on: 'request', ...event }),
      onResponse: (event) => events.push({ on: 'response', ...event }),
      onRetry: (event) => events.push({ on: 'retry', ...event }),
    },
  });
  proxy.fail('/routing/', { status: 503 });
  await carrier.readRoutingSignals({ limit: 5 });
  const seen = events.map((event) => ({
    operationId: '',
    attempt: 0,
    status: '',
    on: '',
    ...event,
  }));
  assert.deepEqual(
    seen.map(({ on, operationId, attempt, status }) =>
      `${on} ${operationId} ${attempt} ${status}`.trim(),
    ),
    [
      'request requestAccessToken 1',
      'response requestAccessToken 1 200',
      'request exchangeToken 1',
      'response exchangeToken 1 200',
      'request readRoutingSignals 1',
      'response readRoutingSignals 1 503',
      'retry readRoutingSignals 1',
      'request readRoutingSignals 2',
      'response readRoutingSignals 2 200',
    ],
  );
  assert.match(JSON.stringify(events), /house-consignment\?limit=5"/);
  assert.doesNotMatch(JSON.stringify(events), /Bearer|eyJ/);
});

test('traceparent and headers of the call are sent', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const carrier = await playground.client('carrier', {
    baseUrl: proxy.url,
    hooks: { traceparent: () => traceparent },
  });
  await carrier.testAuth({ headers: { 'X-Case': 'a', Accept: 'text/*' } });
  const headers = proxy.lastHeaders();
  assert.equal(headers.traceparent, traceparent);
  assert.equal(headers['x-case'], 'a');
  assert.equal(headers.accept, 'text/*');
});

test('a list that waits extends its time limit', async () => {
  const carrier = await playground.client('carrier', { baseUrl: proxy.url, timeoutMs: 500 });
  await carrier.testAuth();
  const start = performance.now();
  await carrier.readRoutingSignals({}, { waitSeconds: 1 });
  assert(performance.now() - start > 900);
  assert.equal(proxy.lastHeaders().prefer, 'wait=1');
});
