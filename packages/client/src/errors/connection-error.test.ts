// Whether a request may have been sent, by what `fetch` of this Node.js really throws.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { toConnectionError } from './connection-error.js';

async function errorOf(address: string, thrown?: unknown) {
  const error = thrown ?? (await fetch(address).catch((error: unknown) => error));
  return toConnectionError(error, address);
}

const failed = (cause: Error) => new TypeError('fetch failed', { cause });
const withCode = (code: string, syscall?: string) =>
  failed(Object.assign(new Error('x'), { code, ...(syscall && { syscall }) }));

test('a port to which fetch does not connect', async () => {
  const { outcomeUnknown, message } = await errorOf('http://127.0.0.1:6000');
  assert.deepEqual(
    [outcomeUnknown, message],
    [false, 'cannot reach http://127.0.0.1:6000 (bad port)'],
  );
});

test('a proxy that does not open the tunnel is named', async () => {
  for (const status of [403, 407, 502]) {
    const cause = new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`);
    const thrown = failed(Object.assign(cause, { code: 'UND_ERR_ABORTED' }));
    const { outcomeUnknown, message } = await errorOf('https://customs.example', thrown);
    assert.equal(outcomeUnknown, false);
    assert.match(message, new RegExp(`the proxy on the way responds with ${status}`));
  }
});

test('what fails before there is a connection sends nothing, whatever its code', async () => {
  for (const syscall of ['connect', 'getaddrinfo']) {
    for (const code of ['ETIMEDOUT', 'EACCES', 'EADDRNOTAVAIL', 'ENETDOWN', 'ENODATA']) {
      assert.equal((await errorOf('', withCode(code, syscall))).outcomeUnknown, false);
    }
  }
  for (const code of ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'HOSTNAME_MISMATCH']) {
    assert.equal((await errorOf('', withCode(code))).outcomeUnknown, false);
  }
});

test('what fails later may have been sent', async () => {
  for (const syscall of ['read', 'write', undefined]) {
    for (const code of ['ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']) {
      assert.equal((await errorOf('', withCode(code, syscall))).outcomeUnknown, true);
    }
  }
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  assert.equal((await errorOf(`http://127.0.0.1:${port}`)).outcomeUnknown, true);
});
