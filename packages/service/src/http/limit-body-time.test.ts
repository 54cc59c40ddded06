// A body that does not come ends its connection in time; a stream of lines may take any time as long as it comes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitBodyTime } from './limit-body-time.js';
import { NDJSON, readNdjsonAsStream } from './ndjson.js';

const LIMIT = 200;
let app: FastifyInstance;

before(async () => {
  app = Fastify({ requestTimeout: 0 });
  limitBodyTime(app, LIMIT);
  readNdjsonAsStream(app);
  app.post('/', async (request) => {
    let bytes = 0;
    if (request.headers['content-type'] === NDJSON) {
      for await (const chunk of request.raw) bytes += chunk.length;
    }
    return { bytes };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

function begin(type: string): Socket {
  // The cast is true because the server listens on a port, not on a pipe.
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 12\r\n\r\n`);
  socket.on('error', () => undefined);
  return socket;
}

for (const type of ['application/json', NDJSON]) {
  test(`a ${type} body that does not come ends its connection`, async () => {
    const socket = begin(type);
    socket.write('{"a"');
    socket.resume();
    const began = performance.now();
    await once(socket, 'close');
    assert(performance.now() - began < LIMIT * 10);
  });
}

test('lines may take longer, as long as they come', async () => {
  const socket = begin(NDJSON);
  for (let part = 0; part < 6; part++) {
    await delay(LIMIT / 3);
    socket.write('1\n');
  }
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /200 OK[\s\S]*\{"bytes":12\}/);
  socket.destroy();
});
