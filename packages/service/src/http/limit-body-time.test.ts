// A body that does not arrive in time closes its connection; a stream of lines may take any time while it progresses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitBodyTime } from './limit-body-time.js';
import { NDJSON, readNdjsonAsStream } from './ndjson.js';

const TIMEOUT_MS = 300;
let app: FastifyInstance;

before(async () => {
  app = Fastify({ requestTimeout: 0 });
  const limit = limitBodyTime(TIMEOUT_MS);
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    limit(raw);
    done(null, payload);
  });
  readNdjsonAsStream(app);
  app.post<{ Querystring: { pause?: string } }>('/', async (request) => {
    let bytes = 0;
    if (request.headers['content-type'] === NDJSON) {
      for await (const chunk of request.raw) {
        bytes += chunk.length;
        await delay(Number(request.query.pause ?? 0));
      }
    }
    return { bytes };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

function begin(type: string, { path = '/', length = 12 } = {}): Socket {
  // The cast is true because the server listens on a port, not on a pipe.
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  return socket;
}

for (const type of ['application/json', NDJSON]) {
  test(`a ${type} body that does not arrive closes its connection`, async () => {
    const socket = begin(type);
    socket.write('{"a"');
    socket.resume();
    const began = performance.now();
    await once(socket, 'close');
    assert(performance.now() - began < TIMEOUT_MS * 10);
  });
}

test('lines may take longer while they arrive', async () => {
  const socket = begin(NDJSON);
  for (let part = 0; part < 6; part++) {
    await delay(TIMEOUT_MS / 3);
    socket.write('1\n');
  }
  const [response] = await once(socket, 'data');
  assert.match(String(response), /200 OK[\s\S]*\{"bytes":12\}/);
  socket.destroy();
});

for (const { what, length } of [
  { what: 'a body that has arrived', length: 1000 },
  { what: 'a body that waits to be read', length: 300_000 },
]) {
  test(`the time to process ${what} does not count`, async () => {
    const pause = length > 100_000 ? TIMEOUT_MS : TIMEOUT_MS * 4;
    const socket = begin(NDJSON, { path: `/?pause=${pause}`, length });
    // The headers go first, because a body that arrives with them has no timer.
    await delay(20);
    socket.write('1'.repeat(length));
    const [response] = await Promise.race([
      once(socket, 'data'),
      once(socket, 'close').then(() => ['closed']),
    ]);
    assert.match(String(response), new RegExp(`200 OK[\\s\\S]*\\{"bytes":${length}\\}`));
    socket.destroy();
  });
}

test('the time in which the thread is busy does not count', async () => {
  const socket = begin('application/json', { length: 4 });
  await delay(20);
  // After this, the event loop runs its timers first and reads sockets after them.
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('"12"');
  // The body is in the system's buffer while this thread is busy for longer than the timeout.
  const end = performance.now() + TIMEOUT_MS * 3;
  while (performance.now() < end);
  const [response] = await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => ['closed']),
  ]);
  assert.match(String(response), /200 OK/);
  socket.destroy();
});

test('a request that never had a socket is ended as well', async () => {
  const stalled = new Readable({ read: () => undefined });
  const headers = { 'content-type': NDJSON };
  const started = performance.now();
  // inject() passes the body on without a connection below it.
  await assert.rejects(async () => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/',
      headers,
      payload: stalled,
    });
    assert.equal(statusCode, 200);
  });
  assert(performance.now() - started < 20_000);
});
