// What requests with bodies count as: at every operation, with and without a length; and how much of a server one
// organisation gets with bodies that take long to read. The operations come from the contract's table; a run of all tests draws
// some.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_MAX_BODY_BYTES, type Operation, operations } from '@landfall/contract';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { freshIds } from '../testing/changed-json.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, sampleBody, samplePath } from '../testing/request-samples.js';
import { MULTIPART } from './media-type.js';
import { NDJSON } from './ndjson.js';

/** Requests a second: more than the tokens of the playground need, and few bodies of maximum size. */
const RATE = 20;

/** The same of the server whose processor time is measured. */
const ATTACKED_RATE = 100;

/** Requests with such bodies that are sent at once, and what each of them counts as. */
const [BATCH, BODY_BYTES, BODY_REQUESTS] = [20, DEFAULT_MAX_BODY_BYTES, 16];

/** JSON that takes longest to parse and to inspect for its length. */
function wide(bytes: number): string {
  const text = `[${'[],'.repeat(Math.floor((bytes - 4) / 3))}[]]`;
  return text + ' '.repeat(bytes - text.length);
}

/** A body of the maximum size by default. Its content is refused, if it is read at all. */
function largeBody(mediaType: string): string {
  return mediaType === 'application/json' ? wide(BODY_BYTES) : 'a'.repeat(BODY_BYTES);
}

const table: Operation[] = Object.values(operations);

/** The operations whose requests may have a body, in each of its media types: Node.js reads one where none is expected, too. */
const requests = table
  .filter(({ method }) => method !== 'GET')
  .flatMap((operation) =>
    Object.keys(operation.body ?? { 'application/json': {} }).map((mediaType) => ({
      operation,
      mediaType,
    })),
  );
const isUpload = ({ mediaType }: { mediaType: string }) =>
  mediaType === NDJSON || mediaType === MULTIPART;
const counted = requests.filter((request) => !isUpload(request));
const uploads = requests.filter(isUpload);

type Sent = {
  operation: Operation;
  mediaType: string;
  body: string;
  as?: string;
  /** Parts in which the body is sent without its length; default: with it. */
  chunkBytes?: number;
};

type Received = { status: number; text: string; retryAfter: number };

const agent = new Agent({ keepAlive: true, maxSockets: 300 });
after(() => agent.destroy());

async function send(
  server: PlaygroundProcess,
  { operation, mediaType, body, as, chunkBytes }: Sent,
): Promise<Received> {
  const token = server.ready.tokens[as ?? identityFor(operation) ?? ''];
  const sent = request(new URL(samplePath(operation), server.ready.baseUrl), {
    method: operation.method,
    agent,
    headers: {
      'content-type': mediaType,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(chunkBytes === undefined
        ? { 'content-length': Buffer.byteLength(body) }
        : { 'transfer-encoding': 'chunked' }),
    },
  });
  const received = new Promise<Received>((resolve, reject) => {
    let begun = false;
    sent.on('response', (response) => {
      begun = true;
      const { statusCode: status = 0, headers } = response;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({ status, text, retryAfter: Number(headers['retry-after'] ?? 0) }),
      );
    });
    // A connection may be closed once there is a response.
    sent.on('error', (error) => {
      if (!begun) reject(error);
    });
  });
  for (let at = 0; at < body.length; at += chunkBytes ?? body.length) {
    sent.write(body.slice(at, at + (chunkBytes ?? body.length)));
  }
  sent.end();
  return received;
}

describe('a request with a body counts by its length', () => {
  let server: PlaygroundProcess;
  before(async () => {
    server = await PlaygroundProcess.start(undefined, { rateLimit: RATE });
  });
  after(() => server.close());

  /** Waits until a request of the caller is not refused any more. */
  async function waitForRate(operation: Operation): Promise<void> {
    const small = { operation, mediaType: 'text/plain', body: 'x' };
    for (;;) {
      const { status, retryAfter } = await send(server, small);
      if (status !== 429) return;
      await delay(1000 * retryAfter);
    }
  }

  /** Sends many such requests at once, each of which counts as `BODY_REQUESTS`. */
  async function sendTooMany(sent: Sent): Promise<void> {
    await waitForRate(sent.operation);
    const begin = performance.now();
    const received = await Promise.all(Array.from({ length: BATCH }, () => send(server, sent)));
    const seconds = Math.ceil((performance.now() - begin) / 1000) + 1;
    const refused = received.filter(({ status }) => status === 429);
    const admitted = BATCH - refused.length;
    const most = Math.ceil((RATE * seconds) / BODY_REQUESTS) + 1;
    assert(admitted > 0);
    assert(admitted <= most, `${admitted} instead of ${most} in ${seconds} s`);
    for (const { text, retryAfter } of refused) {
      assert.match(text, /20 requests a second; one with a body counts as one for each 4 KiB/);
      assert(retryAfter >= 1 && retryAfter <= 2, String(retryAfter));
    }
  }

  for (const { operation, mediaType } of drawCases('bodies that count', counted, 8)) {
    const sent = { operation, mediaType, body: largeBody(mediaType) };
    const name = `${operation.operationId}, ${mediaType}`;
    test(`${name} with a length`, () => sendTooMany(sent));
    test(`${name} in chunks`, () => sendTooMany({ ...sent, chunkBytes: 8 * 1024 }));
  }

  test('chunks of one byte count as 256 bytes', () =>
    sendTooMany({
      operation: operations.presentHouseConsignment,
      mediaType: 'application/json',
      body: wide(BODY_BYTES / 256),
      chunkBytes: 1,
    }));

  for (const { operation, mediaType } of drawCases('uploads that count', uploads, 2)) {
    test(`${operation.operationId}: it is read in turns, and an upload is one request`, async () => {
      await waitForRate(operation);
      // Until what the last requests have used of this second is over, too.
      await delay(1000);
      const body = 'x'.repeat(BODY_BYTES);
      const received = await Promise.all(
        Array.from({ length: RATE / 2 }, () => send(server, { operation, mediaType, body })),
      );
      for (const { status } of received) assert.notEqual(status, 429);
    });
  }

  test('a body that costs more than a second has is accepted, and the next requests wait for it', async () => {
    const operation: Operation = operations.putEntrySummaryDeclaration;
    const mediaType = 'application/json';
    const schema = operation.body?.[mediaType] ?? {};
    const sample = JSON.stringify(sampleBody(operation, schema));
    const body = sample + ' '.repeat(4 * 4096 * RATE - sample.length);
    for (const chunkBytes of [undefined, 16 * 1024]) {
      await waitForRate(operation);
      const { status, text } = await send(server, {
        operation,
        mediaType,
        body,
        ...(chunkBytes && { chunkBytes }),
      });
      assert(status === 200 || status === 201 || status === 204, text);
      const next = await send(server, { operation, mediaType, body: sample });
      assert.equal(next.status, 429);
      assert(next.retryAfter >= 1 && next.retryAfter <= 5, String(next.retryAfter));
    }
  });
});

describe('an organisation with bodies that take long to read', () => {
  let server: PlaygroundProcess;
  before(async () => {
    server = await PlaygroundProcess.start(undefined, { rateLimit: ATTACKED_RATE });
  });
  after(() => server.close());

  const operation: Operation = operations.presentHouseConsignment;
  const mediaType = 'application/json';
  const schema = operation.body?.[mediaType] ?? {};

  /** What so many requests at once take of the server's main thread, in milliseconds, and in how many seconds they fell. */
  async function measure(count: number, make: () => Omit<Sent, 'operation' | 'mediaType'>) {
    const begin = performance.now();
    const used = await server.readProcessorTime();
    await Promise.all(
      Array.from({ length: count }, () => send(server, { operation, mediaType, ...make() })),
    );
    return {
      processorTime: (await server.readProcessorTime()) - used,
      seconds: Math.ceil((performance.now() - begin) / 1000) + 1,
    };
  }

  const worst = [
    { name: 'wide JSON', count: 200, body: wide(BODY_BYTES) },
    { name: 'wide JSON in chunks', count: 200, body: wide(BODY_BYTES), chunkBytes: 8 * 1024 },
  ];
  for (const { name, count, ...sent } of worst) {
    test(`${name}: gets as much processor time as with ordinary requests`, async () => {
      const ordinary = async () =>
        measure(200, () => ({
          body: JSON.stringify(freshIds(sampleBody(operation, schema))),
          as: 'forwarder',
        }));
      // What runs for the first time takes longer.
      await ordinary();
      const usual = (await ordinary()).processorTime / 200;
      const { processorTime, seconds } = await measure(count, () => sent);
      const most = 2 * usual * (ATTACKED_RATE * seconds + count);
      assert(processorTime <= most, `${processorTime} ms instead of ${most} ms in ${seconds} s`);
    });
  }
});
