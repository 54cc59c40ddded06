// What a control address may respond that is none of a playground.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { UnexpectedResponseError } from '@landfall/client';
import { callPlayground } from './playground-control.js';

const server = createServer((_, response) => response.end('<html>Sign in</html>')).listen(0);
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});

test('a page of HTML is an error that names the address', async () => {
  // The cast is true because the server listens on a port, not on a pipe.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const call = callPlayground(
    { url, as: 'carrier', data: '.landfall' },
    { method: 'GET', path: '/clock', name: 'clock', result: 'snapshots' },
  );
  await assert.rejects(call, (error) => {
    assert(error instanceof UnexpectedResponseError, String(error));
    assert(error.message.includes(`is ${url} the address of a playground?`));
    return true;
  });
});
