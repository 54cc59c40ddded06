// The time limits of the platform's `fetch` do not end a request that the client still waits for.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Connection } from '../connection/connection.js';
import { TimeoutError } from '../errors/connection-error.js';
import { getLiveness } from '../operations/operations.js';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Longer than the limits of the platform in these tests, which it looks at about once a second. */
const DELAY_MS = 2_500;

const server = createServer((_, response) => {
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('O');
    setTimeout(() => response.end('K'), DELAY_MS);
  }, DELAY_MS);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
// The cast is true because the server listens on a port, not on a pipe.
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

// Loads what has the dispatcher.
new Headers();
const usual = Reflect.get(globalThis, DISPATCHER);
Reflect.set(
  globalThis,
  DISPATCHER,
  Reflect.construct(usual.constructor, [{ headersTimeout: 1_000, bodyTimeout: 1_000 }]),
);
after(() => {
  Reflect.set(globalThis, DISPATCHER, usual);
  server.closeAllConnections();
  server.close();
});

test('the head and the pieces of a response may take longer than the platform allows', async () => {
  await assert.rejects(fetch(baseUrl), /fetch failed/);
  assert.equal(await new Connection({ baseUrl }).call(getLiveness, {}), 'OK');
});

test('what a program sets for all its requests, such as an agent for proxies, sends those of the client too', async (t) => {
  const origins: unknown[] = [];
  const agent = {
    dispatch: (request: { origin: unknown }, handler: unknown) => {
      origins.push(String(request.origin));
      return usual.dispatch(request, handler);
    },
  };
  const before = Reflect.get(globalThis, DISPATCHER);
  Reflect.set(globalThis, DISPATCHER, agent);
  t.after(() => Reflect.set(globalThis, DISPATCHER, before));
  assert.equal(await new Connection({ baseUrl }).call(getLiveness, {}), 'OK');
  assert.deepEqual(origins, [baseUrl]);
});

test('the limit of the client holds', async () => {
  const connection = new Connection({ baseUrl, timeoutMs: 500, retry: false });
  await assert.rejects(connection.call(getLiveness, {}), TimeoutError);
});
