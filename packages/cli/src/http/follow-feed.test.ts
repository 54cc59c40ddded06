// Following a feed: events are complete however the network cuts them, and a lost connection resumes after the last.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { operations } from '@landfall/contract';
import { makeCredentials } from '../testing/make-credentials.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { followFeed } from './follow-feed.js';
import { cacheToken } from './token-cache.js';

/** Sends a stream byte by byte and then breaks the connection. */
async function sendAndBreak(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.of(byte));
    await setImmediate();
  }
  response.destroy();
}

it('yields every event once, also after a lost connection', { timeout: 60_000 }, async (test) => {
  const streams = [
    // The last event is incomplete, so it is not delivered.
    ': comment\r\n\r\nid: 1\r\ndata: {"port":"Ålesund"}\r\n\r\nid: 2\ndata: two\ndata: lines\n\nid: 3\ndata: ha',
    'id:3\nevent: signal\ndata:three\n\n',
  ];
  const markers: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    markers.push(request.headers['last-event-id']);
    void sendAndBreak(response, streams[markers.length - 1] ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => server.close());
  // The cast is true because the server listens on a port, not on a pipe.
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = {
    credentials: makeCredentials(),
    baseUrl,
    idpUrl: `${baseUrl}/idp`,
    dataFolder: await makeTemporaryFolder(),
  };
  await cacheToken(session, 'the token', Date.now() + 600_000);

  const stopped = new AbortController();
  const lost: string[] = [];
  const events = followFeed(session, {
    operation: operations.readRoutingSignals,
    marker: '0',
    signal: stopped.signal,
    onLost: (reason) => lost.push(reason),
  });
  const seen: [id: string | undefined, data: string][] = [];
  for await (const { id, data } of events) {
    seen.push([id, data]);
    if (id === '3') break;
  }
  assert.deepEqual(seen, [
    ['1', '{"port":"Ålesund"}'],
    ['2', 'two\nlines'],
    ['3', 'three'],
  ]);
  assert.deepEqual(markers, ['0', '2']);
  assert.deepEqual(lost, ['the connection was lost']);
});
