// Bodies that arrive in chunks of a few bytes: receiving one takes the server microseconds, however short it is. Of a body
// that is refused few are received, and those of one that is read are passed on together.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { CountedBody } from './count-request.js';
import { HttpError } from './problem.js';
import { makeServer } from './server.js';

const MIB = 1024 * 1024;

/** In chunks of one byte, 6 MiB are a million of them. */
const SENT_BYTES = 6 * MIB;

/** What the server may receive of it: the buffer of a read or two, and those of the connection do not count. */
const RECEIVED_BYTES = MIB / 2;

/** Resolves when more can be written, or when the connection is closed. */
function drained(client: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (client.destroyed) resolve();
    client.once('drain', resolve).once('close', () => resolve());
  });
}

describe('a body that is refused', () => {
  let app: FastifyInstance;
  before(async () => {
    ({ app } = await makeServer({ logLevel: 'silent' }));
    app.post('/unauthorised', {
      onRequest: async () => {
        throw new HttpError(401, 'no token');
      },
      handler: async () => '',
    });
    app.post('/too-long', { bodyLimit: 100, handler: async () => '' });
    app.post('/over-the-rate', {
      onRequest: async (request) => {
        request.countChunk = () => {
          throw new HttpError(429, 'too many');
        };
      },
      handler: async () => '',
    });
    app.post('/not-read', { handler: async (_request, reply) => reply.code(409).send() });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => app.close());

  const send = async (path: string, chunk: string, bytes: number) => {
    const accepted = once(app.server, 'connection');
    // The cast is true because the server listens on a port.
    const { port } = app.server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1' });
    let text = '';
    client.on('error', () => undefined).on('data', (part: Buffer) => (text += part.toString()));
    // The cast is true because this is what the event has.
    const [socket] = (await accepted) as [Socket];
    const encoded = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
    const part = encoded.repeat(Math.ceil((16 * 1024) / encoded.length));
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let sent = 0; sent < bytes && !client.destroyed; sent += part.length) {
      if (!client.write(part)) await drained(client);
    }
    if (!client.destroyed) client.write('0\r\n\r\n');
    const isOver = () => socket.destroyed || text.includes('HTTP/1.1 ');
    const late = performance.now() + 20_000;
    while (!isOver() && performance.now() < late) await delay(10);
    await delay(100);
    return { socket, client, text };
  };

  for (const path of ['/unknown', '/unauthorised', '/too-long', '/over-the-rate', '/not-read']) {
    test(`${path}: its connection is closed after some thousand chunks of one byte`, async () => {
      const { socket, client } = await send(path, 'a', SENT_BYTES);
      assert(socket.bytesRead < RECEIVED_BYTES, `${socket.bytesRead} bytes were received`);
      assert(socket.destroyed);
      client.destroy();
    });

    test(`${path}: a client that sends lines before it reads gets its response`, async () => {
      const { client, text } = await send(path, 'x'.repeat(300), MIB);
      assert.match(text, /^HTTP\/1.1 4\d\d /);
      client.destroy();
    });
  }
});

describe('a body that is counted', () => {
  const read = async (chunks: Buffer[]) => {
    let counted = 0;
    const received: Buffer[] = [];
    const body = new CountedBody(Readable.from(chunks, { objectMode: false }), () => counted++);
    // An iterator would join what is there.
    body.on('data', (chunk: Buffer) => received.push(chunk));
    await once(body, 'end');
    return { counted, received };
  };

  test('passes short chunks on together', async () => {
    const chunks = Array.from({ length: 10_000 }, (_, index) => Buffer.from([index % 256]));
    const { counted, received } = await read(chunks);
    assert.equal(counted, chunks.length);
    assert(Buffer.concat(received).equals(Buffer.concat(chunks)));
    assert(received.length < 1000, `${received.length} chunks`);
  });

  test('keeps the order of short and long chunks', async () => {
    const chunks = Array.from({ length: 200 }, (_, index) =>
      Buffer.alloc(index % 7 === 0 ? 5000 : index % 5, index),
    );
    const { received } = await read(chunks.filter(({ length }) => length > 0));
    assert(Buffer.concat(received).equals(Buffer.concat(chunks)));
  });
});
