// A request that comes while the server closes is refused as a problem; the one before it is answered.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeServer } from './server.js';

test('what comes over an open connection while the server closes gets 503 with Retry-After', async () => {
  const { app } = await makeServer({ logLevel: 'silent' });
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve();
      await new Promise<void>((done) => {
        answer = done;
      });
      return 'answered';
    });
  });
  app.get('/other', async () => 'never');
  await app.listen({ host: '127.0.0.1', port: 0 });
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const received = text(socket);
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await asked;
  const refused = new Promise<void>((resolve) => {
    app.server.once('request', () => resolve());
  });
  const closed = app.close();
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
  await refused;
  answer();
  await closed;
  const said = await received;
  assert.match(said, /HTTP\/1\.1 200[\s\S]*answered[\s\S]*HTTP\/1\.1 503/);
  assert.match(said, /retry-after: 1/i);
  assert.match(said, /application\/problem\+json/);
  assert.doesNotMatch(said, /never/);
});
