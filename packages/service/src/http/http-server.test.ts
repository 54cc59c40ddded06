// Clients that do not read, that pipeline requests, or that send bodies which are refused; over real sockets.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from './http-server.js';
import { makeServer, type ServerOptions } from './server.js';

/** More than the buffers of two sockets hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');
const MIB = 1024 * 1024;

async function serve(
  addRoutes: (app: FastifyInstance) => void,
  connectionLimits: Partial<ConnectionLimits> = {},
  options: ServerOptions = {},
) {
  const server = await makeServer({ logLevel: 'silent', connectionLimits, ...options });
  addRoutes(server.app);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.app.close();
  });
  return {
    ...server,
    open: ({ localAddress = '127.0.0.1', allowHalfOpen = false } = {}) => {
      // The cast is true because the server listens on a port, not on a pipe.
      const { port } = server.app.server.address() as AddressInfo;
      const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen });
      socket.on('error', () => undefined);
      sockets.push(socket);
      return socket;
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, length: number, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${headers}\r\n`;

/** Collects what is received; `until` resolves when the condition holds. */
function read(socket: Socket) {
  let text = '';
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1');
  });
  socket.resume();
  return {
    get text() {
      return text;
    },
    until: async (holds: (text: string) => boolean) => {
      const deadline = performance.now() + 10_000;
      while (!holds(text) && performance.now() < deadline) await delay(10);
      assert(holds(text), text.slice(0, 1000));
    },
  };
}

/** Writes everything before anything is read; resolves when it was sent. */
function writeWhole(socket: Socket, bytes: Buffer | string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const onClose = () => resolve(new Error('closed'));
    socket.once('close', onClose);
    socket.write(bytes, (error) => {
      socket.off('close', onClose);
      resolve(error ?? undefined);
    });
  });
}

test('pipelined requests get their responses in order', async () => {
  const { open } = await serve((app) => {
    app.get('/:number', async ({ params }) => `<${(params as { number: string }).number}>`);
  });
  const socket = open();
  const received = read(socket);
  socket.write(Array.from({ length: 20 }, (_, number) => get(`/${number}`)).join(''));
  await received.until((text) => text.includes('<19>'));
  assert.deepEqual(
    [...received.text.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number)),
    Array.from({ length: 20 }, (_, number) => number),
  );
});

test('a client that reads nothing costs one response, however many requests it pipelines', async () => {
  let handled = 0;
  const { open } = await serve((app) => {
    app.get('/', async () => {
      handled++;
      return LARGE;
    });
  });
  const sockets = Array.from({ length: 5 }, () => open().pause());
  for (const socket of sockets) socket.write(get('/').repeat(20));
  await delay(1000);
  assert.equal(handled, sockets.length);
});

test('a connection with very many pipelined requests is closed', async () => {
  const { app, open } = await serve((routes) => {
    routes.get('/', () => new Promise(() => undefined));
  });
  const socket = open();
  socket.write(get('/').repeat(1000));
  await once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
  app.server.closeAllConnections();
});

test('a client that reads nothing of its response is closed, a slow one is not', async () => {
  const { open } = await serve(
    (app) => {
      app.get('/', async () => LARGE);
    },
    { stalledAfterMs: 2000 },
  );
  const slow = open();
  let received = 0;
  slow.on('data', (part: Buffer) => {
    received += part.length;
    slow.pause();
    setTimeout(() => slow.resume(), 5);
  });
  slow.write(get('/'));
  const stalled = open().pause();
  stalled.write(get('/'));
  await delay(3000);
  assert(!slow.destroyed);
  const before = received;
  await delay(500);
  assert(received > before);
  // The client still reads what the system has buffered; then the connection ends before the response is complete.
  stalled.resume();
  await once(stalled, 'close', { signal: AbortSignal.timeout(10_000) });
  assert(stalled.bytesRead < LARGE.length);
});

test('long processing does not count as a stalled client', async () => {
  const { open } = await serve(
    (app) => {
      app.get('/', async () => {
        await delay(1500);
        return 'worked';
      });
    },
    { stalledAfterMs: 200 },
  );
  const socket = open();
  const received = read(socket);
  socket.write(get('/'));
  await received.until((text) => text.includes('worked'));
});

for (const { what, path, status } of [
  { what: 'too large', path: '/', status: 413 },
  { what: 'for an unknown address', path: '/nowhere', status: 404 },
]) {
  test(`a client that sends all of a body ${what} before it reads gets the response`, async () => {
    const { open } = await serve((app) => {
      app.post('/', async () => 'never');
    });
    for (let time = 0; time < 5; time++) {
      const socket = open().pause();
      const body = Buffer.alloc(8 * MIB, ' ');
      socket.write(post(path, body.length));
      assert.equal(await writeWhole(socket, body), undefined);
      await delay(50);
      const received = read(socket);
      await received.until((text) => text.startsWith(`HTTP/1.1 ${status}`));
      // The connection can be used for the next request.
      socket.write(get('/next'));
      await received.until((text) => text.includes('GET /next'));
    }
  });

  test(`a client that wants its connection closed and sends a body ${what} gets the response first`, async () => {
    const { open } = await serve((app) => {
      app.post('/', async () => 'never');
    });
    const socket = open().pause();
    const body = Buffer.alloc(8 * MIB, ' ');
    socket.write(post(path, body.length, 'Connection: close\r\n'));
    assert.equal(await writeWhole(socket, body), undefined);
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
    const received = read(socket);
    await received.until((text) => text.startsWith(`HTTP/1.1 ${status}`));
    await closed;
  });

  test(`a body ${what} is read up to a limit`, async () => {
    const { open } = await serve(
      (app) => {
        app.post('/', async () => 'never');
      },
      { maxDiscardedBytes: MIB },
    );
    const socket = open();
    const received = read(socket);
    let sent = 0;
    const size = 1024 * MIB;
    socket.write(post(path, size));
    const part = Buffer.alloc(MIB, ' ');
    while (sent < size && (await writeWhole(socket, part)) === undefined) sent += part.length;
    assert(sent < size / 2, `${sent} bytes were read`);
    assert(received.text.startsWith(`HTTP/1.1 ${status}`), received.text.slice(0, 200));
  });
}

const python = await promisify(execFile)('python3', ['-V']).then(
  () => false as const,
  () => 'no python3: install it to test its client',
);

test("Python's client, which writes the whole body before it reads, gets 413", {
  skip: process.env.CI === 'true' ? false : python,
}, async () => {
  const { app } = await serve((routes) => {
    routes.post('/', async () => 'never');
  });
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = app.server.address() as AddressInfo;
  const script = `
import http.client
for size in [70000, 1000000, 8000000]:
    connection = http.client.HTTPConnection('127.0.0.1', ${port}, timeout=20)
    connection.request('POST', '/', body=b' ' * size, headers={'Content-Type': 'application/json'})
    print(connection.getresponse().status)
`;
  const { stdout } = await promisify(execFile)('python3', ['-c', script]);
  assert.deepEqual(stdout.trim().split('\n'), ['413', '413', '413']);
});

test('the number of connections is limited, and dropped ones are counted', async () => {
  const { open, droppedConnections } = await serve(
    (app) => {
      app.get('/', async () => 'served');
    },
    { maxConnections: 2 },
  );
  const kept = [open(), open()];
  await Promise.all(kept.map((socket) => once(socket, 'connect')));
  await once(open(), 'close', { signal: AbortSignal.timeout(10_000) });
  assert.equal(droppedConnections.inAll, 1);
  for (const socket of kept) {
    const received = read(socket);
    socket.write(get('/'));
    await received.until((text) => text.includes('served'));
  }
});

test('an old connection is closed with its next response, which says so', async () => {
  const { open } = await serve(
    (app) => {
      app.get('/', async () => 'served');
    },
    { maxConnectionAgeMs: 300 },
  );
  const socket = open();
  const received = read(socket);
  socket.write(get('/'));
  await received.until((text) => text.includes('served'));
  assert.doesNotMatch(received.text, /connection: close/i);
  await delay(500);
  socket.write(get('/'));
  await once(socket, 'end', { signal: AbortSignal.timeout(10_000) });
  assert.match(received.text, /connection: close/i);
  assert.equal(received.text.split('served').length, 3);
});

/** Waits until no connection is left. */
async function connectionsEnd(app: FastifyInstance): Promise<void> {
  const count = promisify(app.server.getConnections.bind(app.server));
  const deadline = performance.now() + 15_000;
  while ((await count()) > 0) {
    assert(performance.now() < deadline, `${await count()} connections are open`);
    await delay(50);
  }
}

for (const { what, sent, later = '' } of [
  { what: 'what is not readable HTTP', sent: 'nonsense\r\n\r\n' },
  { what: 'headers that are too long', sent: `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}` },
  { what: 'headers that do not end', sent: 'GET / HTTP/1.1\r\nA: a' },
  {
    what: 'a body that is refused',
    sent: post('/nowhere', 4, 'Connection: close\r\n'),
    later: '1234',
  },
  { what: 'its last request', sent: 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' },
]) {
  test(`a client that sends ${what} and never ends its side is disconnected`, async () => {
    const { app, open } = await serve(
      (routes) => {
        routes.get('/', async () => 'served');
      },
      { headersTimeoutMs: 600 },
    );
    const clients = Array.from({ length: 20 }, () => open({ allowHalfOpen: true }).resume());
    for (const client of clients) client.write(sent);
    await once(app.server, 'connection');
    await delay(200);
    for (const client of clients) client.write(later);
    await connectionsEnd(app);
  });
}

test('liveness is answered while all connections are taken', async () => {
  const { open } = await serve(
    (routes) => {
      routes.get('/', async () => 'served');
      routes.get('/livez', async () => 'OK');
    },
    { maxConnections: 3 },
  );
  const kept = Array.from({ length: 3 }, () => open());
  await Promise.all(kept.map((socket) => once(socket, 'connect')));
  for (let time = 0; time < 200; time++) {
    // Connections that ask for nothing do not keep a probe from its answer.
    open();
    if (time % 10 > 0) continue;
    const probe = open();
    const received = read(probe);
    const closed = once(probe, 'close', { signal: AbortSignal.timeout(10_000) });
    probe.write(get('/livez'));
    await received.until((text) => text.endsWith('OK'));
    await closed;
  }
  const other = open();
  const received = read(other);
  const closed = once(other, 'close', { signal: AbortSignal.timeout(10_000) });
  other.write(get('/'));
  await closed;
  assert.equal(received.text, '');
  kept[0]?.destroy();
  await delay(100);
  const next = open();
  const served = read(next);
  next.write(get('/'));
  await served.until((text) => text.includes('served'));
});

test('a probe that never ends does not keep others from being answered', async () => {
  const { open } = await serve(
    (routes) => {
      routes.get('/readyz', () => new Promise(() => undefined));
      routes.get('/livez', async () => 'OK');
    },
    { maxConnections: 1 },
  );
  const kept = open();
  await once(kept, 'connect');
  for (let time = 0; time < 100; time++) {
    const socket = open();
    if (time % 2 === 0) socket.write(get('/readyz'));
    else socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
  }
  const probe = open();
  const received = read(probe);
  probe.write(get('/livez'));
  await received.until((text) => text.endsWith('OK'));
});

test('one address cannot take the connections of others', async () => {
  const { open, droppedConnections } = await serve(
    (routes) => {
      routes.get('/', async () => 'served');
      routes.get('/livez', async () => 'OK');
    },
    { maxConnections: 20, maxAddressConnections: 5 },
  );
  const taken = Array.from({ length: 40 }, () => open({ localAddress: '127.0.0.2' }));
  await Promise.all(taken.map((socket) => once(socket, 'connect')));
  const other = open();
  const received = read(other);
  other.write(get('/'));
  await received.until((text) => text.includes('served'));
  // The same address may ask for liveness, and for more once it has fewer connections.
  const probe = open({ localAddress: '127.0.0.2' });
  const answered = read(probe);
  probe.write(get('/livez'));
  await answered.until((text) => text.endsWith('OK'));
  const deadline = performance.now() + 10_000;
  while (taken.filter(({ destroyed }) => destroyed).length < 35) {
    assert(performance.now() < deadline);
    await delay(20);
  }
  assert.deepEqual(droppedConnections, { inAll: 0, byAddress: 35 });
  taken.find(({ destroyed }) => !destroyed)?.destroy();
  await delay(200);
  const next = open({ localAddress: '127.0.0.2' });
  const served = read(next);
  next.write(get('/'));
  await served.until((text) => text.includes('served'));
});

for (const { trustedProxies, isLimited } of [
  { trustedProxies: '127.0.0.1', isLimited: true },
  { trustedProxies: '10.0.0.0/8,127.0.0.2', isLimited: false },
  { trustedProxies: '127.0.0.0/30,2001:db8::/32', isLimited: false },
  { trustedProxies: '1', isLimited: false },
]) {
  const how = isLimited ? 'limited' : 'not limited';
  test(`with the trusted proxies ${trustedProxies}, connections of 127.0.0.2 are ${how}`, async () => {
    const { open, droppedConnections } = await serve(
      (routes) => {
        routes.get('/', async () => 'served');
      },
      { maxAddressConnections: 2 },
      { trustedProxies },
    );
    const sockets = Array.from({ length: 6 }, () => open({ localAddress: '127.0.0.2' }));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const served = await Promise.all(
      sockets.map(async (socket) => {
        const received = read(socket);
        socket.write(get('/'));
        await received.until((text) => text.includes('served') || socket.destroyed);
        return received.text !== '';
      }),
    );
    assert.equal(served.filter(Boolean).length, isLimited ? 2 : 6);
    assert.equal(droppedConnections.byAddress, isLimited ? 4 : 0);
  });
}
