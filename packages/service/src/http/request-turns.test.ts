// Whoever sends many requests at once, over many connections, leaves turns of the event loop to others: their requests
// begin in slices, and addresses take turns.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RequestTurns } from './request-turns.js';
import { makeServer } from './server.js';

const CONNECTIONS = 50;
const PIPELINED = 16;

/** How long one request keeps the thread busy, in milliseconds. */
const WORK_MS = 1;

function work(): void {
  const start = performance.now();
  while (performance.now() - start < WORK_MS);
}

test('one request of another address begins soon among many that arrived before it', async () => {
  const { app } = await makeServer({ logLevel: 'silent' });
  const begun: string[] = [];
  app.get('/:name', async ({ params }) => {
    begun.push((params as { name: string }).name);
    work();
    return '';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  const open = async (localAddress: string) => {
    // The cast is true because the server listens on a port.
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket.resume());
    await once(socket, 'connect');
    return socket;
  };
  const get = (path: string) => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const many: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count++) many.push(await open('127.0.0.2'));
  const other = await open('127.0.0.1');
  await delay(50);
  // All of it is in the buffers of the system before the server reads any.
  for (const socket of many) socket.write(get('many').repeat(PIPELINED));
  other.write(get('other'));
  while (!begun.includes('other')) await delay(5);
  const before = begun.indexOf('other');
  assert(before < (CONNECTIONS * PIPELINED) / 4, `${before} requests began before it`);
  while (begun.length < CONNECTIONS * PIPELINED + 1) await delay(5);
});

test('what does not fit into a slice begins in later turns, one address after the other', async () => {
  const turns = new RequestTurns();
  const begun: string[] = [];
  let loopTurn = 0;
  const inTurns = new Set<number>();
  const count = () => {
    loopTurn++;
    if (begun.length < 62) setImmediate(count);
  };
  setImmediate(count);
  const begin = (address: string) =>
    turns.begin(address, () => {
      begun.push(address);
      inTurns.add(loopTurn);
      work();
    });
  for (let index = 0; index < 60; index++) begin('many');
  begin('few');
  begin('few');
  assert(begun.length < 30, `${begun.length} began at once`);
  const atOnce = begun.length;
  while (begun.length < 62) await delay(5);
  const first = begun.indexOf('few');
  assert(first <= atOnce + 1, `${begun}`);
  assert(begun.lastIndexOf('few') <= first + 2, `${begun}`);
  assert(inTurns.size >= 5, `${inTurns.size}`);
});

test('few requests begin at once', () => {
  const turns = new RequestTurns();
  let begun = 0;
  for (let index = 0; index < 10; index++) turns.begin('a', () => begun++);
  assert.equal(begun, 10);
});
