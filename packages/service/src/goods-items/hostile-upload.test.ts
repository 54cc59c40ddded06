// Uploads that want more memory than the server has are refused, and everybody else is served meanwhile.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { Problem } from '@landfall/contract';
import { NDJSON } from '../http/ndjson.js';
import { drawnDatabases } from '../testing/databases.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import type { Reached } from '../testing/hostile-server.js';

const PATH = '/api/declaration/feed/v1/goods-items';

/** The server's heap, in MiB: a quarter of what is sent to it at once. */
const HEAP = 160;

const MIB = 1024 * 1024;

/** What the server reads of a request that it has refused, in bytes. */
const MAX_DISCARDED_BYTES = 16 * MIB;

/** A valid message of some 50 kB. */
function makeLargeMessage() {
  const message = makeMessage();
  const information = { Code: 'ABC', Text: 'x'.repeat(500) };
  const item = message.data?.GoodsItem;
  assert(item);
  item.AdditionalInformation = Array.from({ length: 95 }, () => information);
  return message;
}

/** An upload that has been begun: its response when there is one, and how to leave it. */
type Upload = { request: ClientRequest; response: Promise<IncomingMessage | undefined> };

for (const { name, skip } of await drawnDatabases(import.meta.url)) {
  describe(`a server with a small heap on ${name}`, { skip }, () => {
    let server: ChildProcess;
    let reached: Reached;
    before(async () => {
      server = fork(new URL('../testing/hostile-server.js', import.meta.url), [name], {
        execArgv: [...process.execArgv, `--max-old-space-size=${HEAP}`],
      });
      // The cast is true because this is all that the process sends.
      [reached] = (await once(server, 'message')) as [Reached];
    });
    after(async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.send('close');
      await once(server, 'exit');
    });

    const begin = (contentType: string): Upload => {
      const request = httpRequest(`${reached.baseUrl}${PATH}`, {
        method: 'POST',
        agent: false,
        headers: {
          'content-type': contentType,
          authorization: `Bearer ${reached.tokens.authority}`,
        },
      });
      const response = new Promise<IncomingMessage | undefined>((resolve) => {
        request.once('response', resolve);
        request.on('error', () => resolve(undefined));
        request.once('close', () => resolve(undefined));
      });
      return { request, response };
    };
    /**
     * Sends as much as this, or until the server responds. Between two writes it reads: what the kernel takes at once never
     * returns to the event loop, and when the server then closes the connection its response is lost.
     */
    const send = async ({ request, response }: Upload, chunk: Buffer, times: number) => {
      let responded = false;
      void response.then(() => {
        responded = true;
      });
      for (let sent = 0; sent < times && !responded; sent++) {
        if (!request.write(chunk)) {
          await Promise.race([once(request, 'drain'), response]).catch(() => undefined);
        }
        await turn();
      }
    };
    const read = async (path: string) => {
      const response = await fetch(`${reached.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${reached.tokens.statistics}` },
        signal: AbortSignal.timeout(30_000),
      });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    };
    const publishOne = async () => {
      const upload = begin(NDJSON);
      upload.request.end(JSON.stringify(makeMessage()));
      return (await upload.response)?.statusCode;
    };
    const assertServes = async () => {
      await read('/livez');
      await read(`${PATH}?limit=10`);
      assert.equal(server.exitCode, null, 'the server has ended');
    };

    // What is refused before any database has it: one of them is enough.
    if (name === 'embedded') {
      test('messages that are padded with white space are refused', async () => {
        for (const [bytes, rule] of [
          [980_000, /must not be longer than/],
          [100_000, /white space/],
        ] as const) {
          const line = Buffer.from(`${JSON.stringify(makeMessage()).padEnd(bytes)}\n`);
          const upload = begin(NDJSON);
          await send(upload, line, Math.ceil((1.25 * HEAP * MIB) / bytes));
          upload.request.end();
          const response = await upload.response;
          assert.equal(response?.statusCode, 400);
          const problem = JSON.parse(await text(response)) as Problem;
          assert.match(problem.validationErrors?.[0]?.error ?? '', rule);
          await assertServes();
        }
      });

      test('an array that is more than what is published all or none is refused', async () => {
        const upload = begin('application/json');
        upload.request.write('[');
        const message = Buffer.from(`${JSON.stringify(makeLargeMessage())},`);
        await send(upload, message, (4 * HEAP * MIB) / message.length);
        const response = await upload.response;
        assert.equal(response?.statusCode, 400);
        assert.match(await text(response), /size must be between 1 and 10000 messages of at most/);
        upload.request.destroy();
        await assertServes();
      });

      test('what follows a refusal is read up to a bound, then the connection is closed', async () => {
        const { hostname, port } = new URL(reached.baseUrl);
        const socket = connect(Number(port), hostname);
        // The connection is reset: what was on its way is lost.
        socket.on('error', () => undefined);
        let closed = false;
        const closing = new Promise((resolve) => socket.once('close', resolve)).then(() => {
          closed = true;
        });
        const message = `${JSON.stringify(makeLargeMessage())},`;
        const chunk = `${Buffer.byteLength(message).toString(16)}\r\n${message}\r\n`;
        socket.write(
          `POST ${PATH} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
            `authorization: Bearer ${reached.tokens.authority}\r\n` +
            'transfer-encoding: chunked\r\n\r\n1\r\n[\r\n',
        );
        const write = async () => {
          if (!socket.write(chunk)) {
            await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closing]);
          }
          await turn();
        };
        let received = '';
        socket.on('data', (data) => {
          received += data;
        });
        while (!received.includes('size must be between') && !closed) await write();
        assert.match(received, /^HTTP\/1.1 400 .*size must be between/s);
        let bytes = 0;
        for (; !closed && bytes < 64 * MAX_DISCARDED_BYTES; bytes += chunk.length) await write();
        assert(closed, `${bytes} bytes were taken after the refusal`);
        await assertServes();
      });
    }

    test('unfinished uploads hold no more memory than the limit', async () => {
      const lines = Buffer.from(`${JSON.stringify(makeLargeMessage())}\n`.repeat(20));
      const uploads = Array.from({ length: (4 * HEAP) / 20 }, () => begin(NDJSON));
      const sending = uploads.map((upload) => send(upload, lines, (20 * MIB) / lines.length));
      const refused = await Promise.race([
        Promise.any(
          uploads.map(
            async ({ response }) => (await response) ?? Promise.reject(new Error('none')),
          ),
        ),
        delay(120_000, undefined, { ref: false }),
      ]);
      assert(refused, 'no upload got a response');
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.headers['retry-after'], '2');
      const problem = JSON.parse(await text(refused)) as Problem;
      assert.deepEqual(problem.published, { accepted: 0, duplicates: 0 });
      await assertServes();
      for (const { request } of uploads) request.destroy();
      await Promise.all(sending);
      for (let attempt = 0; (await publishOne()) !== 202; attempt++) {
        assert(attempt < 100, 'what left uploads held is never given back');
        await delay(100);
      }
      await assertServes();
    });
  });
}
