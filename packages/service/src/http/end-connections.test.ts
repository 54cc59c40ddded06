// A server that closes does not wait for a connection that never asked anything.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { makeServer } from './server.js';

test('a connection opened ahead of need does not hold a closing server up', async () => {
  const { app } = await makeServer({ logLevel: 'silent' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = app.server.address() as AddressInfo;
  const accepted = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await accepted;
  const started = performance.now();
  await app.close();
  assert.ok(performance.now() - started < 5000);
  socket.destroy();
});
