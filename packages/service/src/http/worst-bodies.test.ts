// A client that sends the bodies that take longest to parse must not delay others. The bodies are made from the table
// of operations, so new operations are included.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, samplePath } from '../testing/request-samples.js';
import { type WorstBody, worstBodies } from '../testing/worst-bodies.js';

/** Maximum response time of other requests, in milliseconds. It is generous, because the test machine may be busy. */
const MAX_DELAY_MS = 1000;

/** Attempts for each body. A busy machine is slow in some of them, a slow body in all. */
const ATTEMPTS = 8;

const table: Operation[] = Object.values(operations);
const withBody = table.filter(({ body }) => body !== undefined);

test('there are operations with bodies of each media type', () => {
  const mediaTypes = new Set(withBody.flatMap(worstBodies).map(({ mediaType }) => mediaType));
  assert.deepEqual([...mediaTypes].sort(), [
    'application/json',
    'application/x-ndjson',
    'application/x-www-form-urlencoded',
    'text/csv',
  ]);
});

for (const { name, skip } of await testDatabases()) {
  describe(`the worst bodies on ${name}`, { skip }, () => {
    let server: PlaygroundProcess;
    let drop: (() => Promise<void>) | undefined;
    before(async () => {
      const postgresql = name === 'PostgreSQL' ? await createMigratedPostgresql() : undefined;
      drop = postgresql?.drop;
      server = await PlaygroundProcess.start(postgresql?.url);
    });
    after(async () => {
      await server.close();
      await drop?.();
    });

    for (const operation of withBody) {
      test(`${operation.operationId} delays no other request`, async () => {
        for (const worst of worstBodies(operation)) {
          const body = worst.makeBody();
          const delays: number[] = [];
          do delays.push(await delayOf(server, operation, worst, body));
          while (Math.min(...delays) > MAX_DELAY_MS && delays.length < ATTEMPTS);
          assert.ok(
            Math.min(...delays) <= MAX_DELAY_MS,
            `${worst.name} (${body.length} bytes) delayed others by ${delays.map(Math.round)} ms`,
          );
        }
        assert.ok(server.isAlive);
        assert.deepEqual(server.internalErrors, []);
      });
    }
  });
}

/** The maximum response time of other requests while a body is processed, in milliseconds. */
async function delayOf(
  { ready }: PlaygroundProcess,
  operation: Operation,
  { mediaType, name }: WorstBody,
  body: Buffer,
): Promise<number> {
  const identity = identityFor(operation);
  const token = identity === undefined ? undefined : ready.tokens[identity];
  const agent = new Agent({ keepAlive: true });
  let delay = 0;
  let isDone = false;
  const poll = async () => {
    while (!isDone) {
      const started = performance.now();
      await send(new URL('/livez', ready.baseUrl), { agent });
      delay = Math.max(delay, performance.now() - started);
    }
  };
  const polling = poll();
  const status = await send(new URL(samplePath(operation), ready.baseUrl), {
    method: operation.method,
    headers: {
      'content-type': mediaType,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
  });
  isDone = true;
  await polling;
  agent.destroy();
  assert.ok(status < 500, `${name}: ${status}`);
  return delay;
}

/** The status of the response, once it is complete. A connection that is closed early counts as 413. */
function send(
  url: URL,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer; agent?: Agent },
): Promise<number> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    const sent = request(url, { ...rest, timeout: 120_000 }, (response) => {
      status = response.statusCode ?? 0;
      response.on('error', () => resolve(status ?? 0));
      response.on('close', () => resolve(status ?? 0));
      response.resume();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (status === undefined && isRefused && body !== undefined) resolve(413);
      else if (status === undefined) reject(error);
    });
    sent.on('timeout', () => sent.destroy(new Error('no response within two minutes')));
    sent.end(body);
  });
}
