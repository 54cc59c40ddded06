// Waiting for an entry: it asks at once, then waits, and ends with what is valid, with the time, or with an abort.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { EntryPendingError } from '../errors/entry-pending-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { Landfall } from '../landfall.js';
import { fixedToken } from '../tokens/token-source.js';

const MRN = '26NO7K2M4Q9XWR5HT0';

/** What the service says, one status after the other; the last one again and again. `held`: it never ends its response. */
let script: (string[] | 'valid' | 'held' | 404)[] = [];
const preferences: (string | undefined)[] = [];
const server = createServer(({ headers, url }, response) => {
  assert.equal(url, `/api/movement/road/status/v2/entry/status/${MRN}`);
  preferences.push([headers.prefer ?? []].flat()[0]);
  const next = script.length > 1 ? script.shift() : script[0];
  if (next === 'held') return;
  if (next === 404) {
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ type: 'about:blank', title: 'Not Found', status: 404 }));
    return;
  }
  const status =
    next === 'valid'
      ? { validEntry: true, mrn: MRN, customsOfficeOfEntry: 'NO371001' }
      : { validEntry: false, mrn: MRN, reasons: next };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
// Safe cast: it listens on a port.
const { port } = server.address() as AddressInfo;
const landfall = new Landfall({ baseUrl: `http://127.0.0.1:${port}`, tokens: fixedToken('token') });

const begin = (...statuses: typeof script) => {
  script = statuses;
  preferences.length = 0;
};

test('it asks at once, then with a wait, and reports each change', async () => {
  begin(['NOT_ARRIVED'], ['NOT_ARRIVED'], ['UNDECIDED'], 'valid');
  const seen: (string | undefined)[] = [];
  const start = performance.now();
  const status = await landfall.waitForEntry('road', MRN, {
    onStatus: ({ reasons }) => seen.push(reasons?.join()),
  });
  assert.equal(status.validEntry, true);
  assert.deepEqual(seen, ['NOT_ARRIVED', 'UNDECIDED', undefined]);
  assert.deepEqual(preferences, [undefined, 'wait=20', 'wait=20', 'wait=20']);
  // A service that does not hold responses back is asked once a second.
  assert.ok(performance.now() - start > 1900);
});

test('it ends when the time is over, with the last status', async () => {
  begin(['UNDECIDED'], 'held');
  await assert.rejects(landfall.waitForEntry('road', MRN, { withinMs: 300 }), (error: unknown) => {
    assert(error instanceof EntryPendingError);
    assert.deepEqual(error.status?.reasons, ['UNDECIDED']);
    assert.match(error.message, /after 0\.3 s: UNDECIDED$/);
    return true;
  });
  begin('held');
  await assert.rejects(landfall.waitForEntry('road', MRN, { withinMs: 100 }), EntryPendingError);
  for (const withinMs of [-1, Number.NaN, 2 ** 31]) {
    await assert.rejects(landfall.waitForEntry('road', MRN, { withinMs }), ConfigurationError);
  }
});

test('it ends with the reason of the signal, and with what the service refuses', async () => {
  begin(['UNDECIDED'], 'held');
  const reason = new Error('enough');
  const stop = new AbortController();
  const waiting = landfall.waitForEntry('road', MRN, { signal: stop.signal });
  setTimeout(() => stop.abort(reason), 100);
  await assert.rejects(waiting, reason);
  await assert.rejects(landfall.waitForEntry('road', MRN, { signal: stop.signal }), reason);
  begin(404);
  await assert.rejects(landfall.waitForEntry('road', MRN), ApiError);
});
