// A client that sends the bodies that take longest to parse must not delay others. The bodies are made from the table
// of operations, so new operations are included; a run of all tests draws some.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { MULTIPART_TYPE } from '../testing/multipart.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, samplePath } from '../testing/request-samples.js';
import { type WorstBody, worstBodies } from '../testing/worst-bodies.js';

/** How long other requests may have to wait, in milliseconds of processor time. */
const MAX_DELAY_MS = 500;

const table: Operation[] = Object.values(operations);
const withBody = table.filter(({ body }) => body !== undefined);

test('there are operations with bodies of each media type', () => {
  const mediaTypes = new Set(withBody.flatMap(worstBodies).map(({ mediaType }) => mediaType));
  assert.deepEqual([...mediaTypes].sort(), [
    'application/json',
    'application/merge-patch+json',
    'application/x-ndjson',
    'application/x-www-form-urlencoded',
    MULTIPART_TYPE,
    'text/csv',
  ]);
});

// On the embedded database alone, because a body is read before any database is used.
describe('the worst bodies', () => {
  let server: PlaygroundProcess;
  before(async () => {
    server = await PlaygroundProcess.start();
  });
  after(() => server.close());

  for (const operation of drawCases('worst bodies', withBody, 10)) {
    test(`${operation.operationId} delays no other request`, async () => {
      for (const worst of worstBodies(operation)) {
        const body = worst.makeBody();
        await server.takeLongestTurn();
        await sendBody(server, operation, worst, body);
        const delay = await server.takeLongestTurn();
        assert.ok(
          delay <= MAX_DELAY_MS,
          `${worst.name} (${body.length} bytes) delays others by ${Math.round(delay)} ms`,
        );
      }
      assert.ok(server.isAlive);
      assert.deepEqual(server.internalErrors, []);
    });
  }
});

async function sendBody(
  { ready }: PlaygroundProcess,
  operation: Operation,
  { mediaType, name }: WorstBody,
  body: Buffer,
): Promise<void> {
  const identity = identityFor(operation);
  const token = identity === undefined ? undefined : ready.tokens[identity];
  const status = await send(new URL(samplePath(operation), ready.baseUrl), {
    method: operation.method,
    headers: {
      'content-type': mediaType,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
  });
  assert.ok(status < 500, `${name}: ${status}`);
}

/** The status of the response, once it is complete. A connection that is closed early counts as 413. */
function send(
  url: URL,
  options: { method: string; headers: Record<string, string>; body: Buffer },
): Promise<number> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    // A connection for each request: one that is kept alive, is closed by the server before the body is sent, and whose response
    // has arrived, emits an error that Node.js 20 lets nobody handle.
    const sent = request(url, { ...rest, agent: false }, (response) => {
      status = response.statusCode ?? 0;
      response.on('error', () => resolve(status ?? 0));
      response.on('close', () => resolve(status ?? 0));
      response.resume();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (status === undefined && isRefused) resolve(413);
      else if (status === undefined) reject(error);
    });
    sent.end(body);
  });
}
