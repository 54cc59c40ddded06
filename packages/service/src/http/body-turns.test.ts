// Bodies that take long to read, many at once: each is read in a turn of the event loop of its own, so that everything else
// waits for one of them at most.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { receiveUpload } from './receive-upload.js';
import { makeServer } from './server.js';

const BODIES = 12;

/** Counts turns of the event loop until it is stopped. */
function countTurns() {
  const counted = { turn: 0, stop: (): void => undefined };
  let isStopped = false;
  const count = () => {
    counted.turn++;
    if (!isStopped) setImmediate(count);
  };
  setImmediate(count);
  counted.stop = () => {
    isStopped = true;
  };
  return counted;
}

test('bodies of JSON that arrive together are parsed in different turns', async () => {
  const { app } = await makeServer({ logLevel: 'silent' });
  const turns = countTurns();
  const parsedIn: number[] = [];
  app.post('/', async () => {
    parsedIn.push(turns.turn);
    return '';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const sockets: Socket[] = [];
  after(async () => {
    turns.stop();
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  for (let index = 0; index < BODIES; index++) {
    // The cast is true because the server listens on a port.
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket.resume());
    await once(socket, 'connect');
  }
  await delay(50);
  const body = `[${'[],'.repeat(2000)}[]]`;
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  for (const socket of sockets) socket.write(head + body);
  while (parsedIn.length < BODIES) await delay(5);
  assert.equal(new Set(parsedIn).size, BODIES, `parsed in the turns ${parsedIn}`);
});

test('long chunks of uploads that arrive together are split in different turns', async () => {
  const turns = countTurns();
  const takenIn: number[] = [];
  const caller = { expiresAt: Number.POSITIVE_INFINITY, stillAllowed: async () => true };
  const upload = async () => {
    const request = { caller: { organisationId: 1 } } as Parameters<
      typeof receiveUpload
    >[1]['request'];
    const body = Readable.from([Buffer.alloc(60_000, '\n')], { objectMode: false });
    await receiveUpload(
      body,
      { caller, request },
      () => new Date(),
      async ({ chunks }) => {
        for await (const _chunk of chunks) takenIn.push(turns.turn);
      },
    );
  };
  await Promise.all(Array.from({ length: BODIES }, upload));
  turns.stop();
  assert.equal(takenIn.length, BODIES);
  assert.equal(new Set(takenIn).size, BODIES, `taken in the turns ${takenIn}`);
});
