// Uploads whose results nobody reads: the disk space that they take is bounded, and others are processed.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { DECLARATIONS, declaration, house } from '../testing/registry-client.js';
import { until } from '../testing/until.js';

const MIB = 1024 * 1024;
const MRN = '26NO00000000000099';
const DECISIONS = '/api/authority/v1/routing-decisions';

/** Lines of an upload, whose results are more than all buffers of a connection hold. */
const MANY_LINES = 60_000;

/** The number of results that a connection receives until the response ends. */
async function countResults(socket: Socket): Promise<number> {
  const parts: Buffer[] = [];
  let end = Buffer.alloc(0);
  for await (const part of socket) {
    parts.push(part);
    end = Buffer.concat([end, part]).subarray(-5);
    if (end.toString('latin1') === '0\r\n\r\n') break;
  }
  // Chunks of HTTP begin and end anywhere.
  const text = Buffer.concat(parts)
    .toString('latin1')
    .replaceAll(/\r\n[\da-f]{1,8}\r\n/g, '');
  return text.split('{"line":').length - 1;
}

describe('unread results of uploads', () => {
  let process: PlaygroundProcess;
  before(async () => {
    process = await PlaygroundProcess.start(undefined, {
      unreadResults: 1,
      uploadUnreadResults: 1,
    });
  });
  after(() => process.close());

  const measure = async (name: string): Promise<number> => {
    const text = await (await fetch(`${process.ready.baseUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  /** Sends all of an upload, as far as the server takes it, and reads nothing yet. */
  const upload = (path: string, body: string): Socket => {
    const { hostname, port } = new URL(process.ready.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${Buffer.byteLength(body)}\r\nAuthorization: Bearer ${process.ready.tokens.authority}\r\n\r\n${body}`,
    );
    return socket;
  };

  test('an upload waits for a client that sends everything before it reads, and returns every result', async () => {
    for (const path of [DECLARATIONS, DECISIONS]) {
      const socket = upload(path, '{}\n'.repeat(MANY_LINES));
      await until(async () => (await measure('landfall_unread_results_bytes')) > MIB / 2);
      assert.equal(await countResults(socket), MANY_LINES);
      assert.equal(await measure('landfall_unread_results_bytes'), 0);
      socket.destroy();
    }
  });

  test('an upload whose results are not read keeps what it has registered, and stops no other', async () => {
    const entry = { mrn: MRN, ...declaration([house('UNREAD-1')]) };
    const socket = upload(
      DECLARATIONS,
      `${JSON.stringify(entry)}\n${'{}\n'.repeat(10 * MANY_LINES)}`,
    );
    await until(async () => (await measure('landfall_unread_results_bytes')) > MIB / 2);
    const held: number[] = [];
    for (let number = 0; number < 20; number++) {
      held.push(await measure('landfall_unread_results_bytes'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert(Math.max(...held) <= MIB, `${held} bytes`);

    // All space is taken. Who reads needs none.
    const other = upload(DECISIONS, '{}\n'.repeat(5000));
    assert.equal(await countResults(other), 5000);
    other.destroy();

    socket.destroy();
    await until(async () => (await measure('landfall_unread_results_bytes')) === 0);
    const registered = await fetch(`${process.ready.baseUrl}${DECLARATIONS}/${MRN}`, {
      headers: { authorization: `Bearer ${process.ready.tokens.authority}` },
    });
    assert.equal(registered.status, 200);
    assert.deepEqual(process.internalErrors, []);
  });
});
