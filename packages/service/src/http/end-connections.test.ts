// A server that closes refuses new requests, and does not wait for connections that send none.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { mock, test } from 'node:test';
import { makeServer } from './server.js';

test('an unused connection does not delay closing', async () => {
  const { app } = await makeServer({ logLevel: 'silent' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const accepted = once(app.server, 'connection');
  const socket = connect(portOf(app), '127.0.0.1').on('error', () => undefined);
  await accepted;
  const started = performance.now();
  await app.close();
  assert.ok(performance.now() - started < 30_000);
  socket.destroy();
});

test('a host name with several addresses leaves no connection open when the server closes', async () => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ];
  // The hosts file cannot be changed, so the look-up of the name is replaced.
  const original = dns.lookup;
  const lookUp = mock.method(dns, 'lookup', (name: string, ...values: unknown[]) => {
    const [options] = values;
    const done = values.at(-1);
    assert(typeof done === 'function');
    if (name !== 'localhost') Reflect.apply(original, dns, [name, ...values]);
    else if (typeof options === 'object' && options !== null && 'all' in options && options.all) {
      done(null, addresses);
    } else done(null, '127.0.0.1', 4);
  });
  const { app } = await makeServer({ logLevel: 'silent' });
  const sockets: Socket[] = [];
  try {
    await app.listen({ host: 'localhost', port: 0 });
    const port = portOf(app);
    for (const { address } of addresses) {
      const socket = connect(port, address);
      const connected = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (connected) sockets.push(socket.on('error', () => undefined));
    }
    assert(sockets.length > 0);
    const ended = sockets.map((socket) =>
      once(socket.resume(), 'close', { signal: AbortSignal.timeout(8000) }),
    );
    await app.close();
    await Promise.all(ended);
  } finally {
    lookUp.mock.restore();
    for (const socket of sockets) socket.destroy();
  }
});

test('a request on an open connection while the server closes gets 503 with Retry-After', async () => {
  const { app } = await makeServer({ logLevel: 'silent' });
  let respond: () => void = () => undefined;
  const requested = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve();
      await new Promise<void>((done) => {
        respond = done;
      });
      return 'served';
    });
  });
  app.get('/other', async () => 'never');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(portOf(app), '127.0.0.1');
  await once(socket, 'connect');
  const received = text(socket);
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await requested;
  const refused = new Promise<void>((resolve) => {
    app.server.once('request', () => resolve());
  });
  const closed = app.close();
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
  await refused;
  respond();
  await closed;
  const responses = await received;
  assert.match(responses, /HTTP\/1\.1 200[\s\S]*served[\s\S]*HTTP\/1\.1 503/);
  assert.match(responses, /retry-after: 1/i);
  assert.match(responses, /application\/problem\+json/);
  assert.doesNotMatch(responses, /never/);
});

function portOf(app: Awaited<ReturnType<typeof makeServer>>['app']): number {
  // The cast is true because the server listens on a port, not on a pipe.
  return (app.server.address() as AddressInfo).port;
}
