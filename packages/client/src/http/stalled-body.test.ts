// A body that stops arriving while garbage is collected: `fetch` of Node.js 20 may forget its signal then, and would
// wait for the rest forever (nodejs/undici#4627).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { collectGarbage } from '../../../service/dist/testing/collect-garbage.js';
import { TimeoutError } from '../errors/connection-error.js';
import { Landfall } from '../landfall.js';
import { getLiveness } from '../operations/operations.js';

/** When a request is ended, in milliseconds: after several collections. */
const END_AFTER_MS = 600;

/** Without an end of its own, each test would last forever, in milliseconds. */
const timeout = 60_000;

/** What the service sends of a body before it stalls. */
const starts: Record<string, string> = {
  'application/json': '[',
  'application/x-ndjson': '{"line":1}\n{"li',
  'text/event-stream': ': connected\n\n',
};

let stalled: ServerResponse[] = [];
const server = createServer((request, response) => {
  const { accept = '' } = request.headers;
  if (isFirstPage(request)) {
    response.end('[]');
    return;
  }
  stalled.push(response);
  response.writeHead(200, { 'content-type': accept }).write(starts[accept] ?? 'o');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
// The cast is true because the server listens on a port, not on a pipe.
const { port } = server.address() as AddressInfo;
const landfall = new Landfall({
  baseUrl: `http://127.0.0.1:${port}`,
  // A program may refuse redirects; the signal of such a request is forgotten.
  fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  tokens: { getToken: async () => 'token', discard: () => undefined },
  timeoutMs: Number.POSITIVE_INFINITY,
  retry: false,
});

beforeEach(() => {
  stalled = [];
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Followers read what the feed has before they wait for more. */
function isFirstPage({ url = '', headers }: IncomingMessage): boolean {
  return url.includes('limit=1000') && headers.accept === 'application/json';
}

/** Resolves when the client has closed the connection of the only stalled response. */
async function connectionClosed(): Promise<void> {
  assert.equal(stalled.length, 1);
  const [response] = stalled;
  if (response?.closed === false) await once(response, 'close');
}

test('a time limit ends it', { timeout }, async () => {
  const reading = landfall.getLiveness({ timeoutMs: END_AFTER_MS });
  await Promise.all([assert.rejects(reading, TimeoutError), collectGarbage(END_AFTER_MS)]);
  await connectionClosed();
});

test('the signal of the caller ends it', { timeout }, async () => {
  const controller = new AbortController();
  const reading = landfall.readRoutingSignals({}, { signal: controller.signal });
  const rejected = assert.rejects(reading, RangeError);
  await collectGarbage(END_AFTER_MS);
  controller.abort(new RangeError('enough'));
  await rejected;
  await connectionClosed();
});

test('the end of a loop over lines ends it', { timeout }, async () => {
  for await (const line of await landfall.postRoutingDecisions([])) {
    assert.deepEqual(line, { line: 1 });
    await collectGarbage(END_AFTER_MS);
    break;
  }
  await connectionClosed();
});

test('closing a response that is not read ends it', { timeout }, async () => {
  const open = await landfall.open(getLiveness, {});
  await collectGarbage(END_AFTER_MS);
  open.close();
  await assert.rejects(open.text(), { name: 'AbortError' });
  await connectionClosed();
});

test('the signal of a follower ends it', { timeout }, async () => {
  const controller = new AbortController();
  const following = (async () => {
    for await (const _ of landfall.followRouting({ signal: controller.signal })) assert.fail();
  })();
  await collectGarbage(END_AFTER_MS);
  controller.abort();
  await following;
  await connectionClosed();
});
