// An upload whose results are not read ends with a last result that says so, for a client that reads in the end.
import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { NDJSON, readBlocks, readNdjsonAsStream } from './ndjson.js';
import { receiveUpload } from './receive-upload.js';
import { makeServer } from './server.js';
import { streamResponse } from './stream-response.js';
import { UnreadResults } from './unread-results.js';

const MIB = 2 ** 20;

/** Lines whose results are more than all buffers of a connection hold. */
const LINES = 30_000;
const PADDING = 'x'.repeat(1000);

const sender = { expiresAt: Number.POSITIVE_INFINITY, stillAllowed: async () => true };

type Result = {
  line: number;
  status?: string;
  validationErrors?: { code: string; error: string }[];
};

/** What a connection receives until the response ends or the connection closes, without HTTP. */
async function readBody(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  let end = Buffer.alloc(0);
  for await (const part of socket) {
    parts.push(part);
    end = Buffer.concat([end, part]).subarray(-5);
    if (end.toString('latin1') === '0\r\n\r\n') break;
  }
  const text = Buffer.concat(parts).toString('latin1');
  const body = text.slice(text.indexOf('\r\n\r\n') + 2);
  // Chunks of HTTP begin and end anywhere.
  return body.replaceAll(/\r\n[\da-f]{1,8}\r\n/g, '');
}

describe('unread results', () => {
  let app: FastifyInstance;
  let unread: UnreadResults;
  let processed = 0;
  before(async () => {
    unread = new UnreadResults({ total: MIB, upload: MIB, readTimeoutMs: 2000 });
    ({ app } = await makeServer({ logLevel: 'silent' }));
    readNdjsonAsStream(app);
    app.post('/lines', async (request, reply) => {
      const { body, headers } = request;
      assert(body instanceof Readable);
      return streamResponse(reply, headers.accept ?? NDJSON, body, { unread }, async (add) => {
        await receiveUpload(
          body,
          { caller: sender, request },
          () => new Date(),
          async ({ chunks }) => {
            for await (const block of readBlocks(chunks, { lines: 1000 })) {
              processed = block.at(-1)?.line ?? processed;
              await add(block.map(({ line }) => ({ line, padding: PADDING })));
            }
          },
        );
      });
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => app.close());

  /** Sends all lines before it reads. */
  async function upload(accept: string): Promise<Socket> {
    // The cast is true because the server listens on a port.
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port });
    socket.pause();
    const body = `${JSON.stringify(PADDING)}\n`.repeat(LINES);
    await new Promise<void>((resolve, reject) => {
      socket.once('close', () => reject(new Error('the connection was closed')));
      socket.write(
        `POST /lines HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        () => resolve(),
      );
    });
    return socket;
  }

  function checkResults(results: readonly Result[]): void {
    assert.deepEqual(
      results.map(({ line }) => line),
      results.map((_, index) => index + 1),
    );
    const last = results.at(-1);
    assert(last !== undefined && processed < LINES);
    const [error] = last.validationErrors ?? [];
    assert.deepEqual([last.status, error?.code], ['REFUSED', 'RESULTS_NOT_READ']);
    const missing = `lines ${last.line} to ${processed} are processed, but their results are missing`;
    const none = 'nothing from this line on is processed';
    assert(error?.error.includes(last.line <= processed ? missing : none), error?.error);
  }

  test('a client that sends everything before it reads gets its results and why there are no more', async () => {
    const socket = await upload(NDJSON);
    const lines = (await readBody(socket)).trimEnd().split('\n');
    checkResults(lines.map((line) => JSON.parse(line)));
    assert.equal(unread.bytes, 0);
    socket.destroy();
  });

  test('a JSON array is complete then too', async () => {
    const socket = await upload('application/json');
    checkResults(JSON.parse(await readBody(socket)));
    socket.destroy();
  });

  test('the connection of a client that never reads is closed', async () => {
    const socket = await upload(NDJSON).catch(() => undefined);
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
    for (let tries = 0; (await connections()) > 0 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(await connections(), 0);
    assert.equal(unread.bytes, 0);
    socket?.destroy();
  });
});
