// Whoever sends the worst body that an operation takes keeps nobody else waiting. An operation of the contract that is
// added is tried the same day: its bodies are made from the table of operations.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { createPostgresql, testDatabases } from '../testing/databases.js';
import { PlaygroundProcess } from '../testing/playground-process.js';
import { identityFor, samplePath } from '../testing/request-samples.js';
import { type WorstBody, worstBodies } from '../testing/worst-bodies.js';

/** The longest that others may wait for their answer, in milliseconds: far more than is wanted, for a busy machine. */
const MAX_DELAY_MS = 1000;

/** How often a body is tried before it counts: a busy machine is slow once, a body that takes long always. */
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
      const postgresql = name === 'PostgreSQL' ? await createPostgresql() : undefined;
      drop = postgresql?.drop;
      server = await PlaygroundProcess.start(postgresql?.url);
    });
    after(async () => {
      await server.close();
      await drop?.();
    });

    for (const operation of withBody) {
      test(`${operation.operationId} keeps nobody waiting`, async () => {
        for (const worst of worstBodies(operation)) {
          const delays: number[] = [];
          do delays.push(await delayOf(server, operation, worst));
          while (Math.min(...delays) > MAX_DELAY_MS && delays.length < ATTEMPTS);
          assert.ok(
            Math.min(...delays) <= MAX_DELAY_MS,
            `${worst.name} (${worst.body.length} bytes) kept others waiting for ${delays.map(Math.round)} ms`,
          );
        }
        assert.ok(server.isAlive);
        assert.deepEqual(server.faults, []);
      });
    }
  });
}

/** How long others wait at most while a body is sent and answered, in milliseconds. */
async function delayOf(
  { ready }: PlaygroundProcess,
  operation: Operation,
  { mediaType, body, name }: WorstBody,
): Promise<number> {
  const identity = identityFor(operation);
  const token = identity === undefined ? undefined : ready.tokens[identity];
  const agent = new Agent({ keepAlive: true });
  let delay = 0;
  let isAnswered = false;
  const poll = async () => {
    while (!isAnswered) {
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
  isAnswered = true;
  await polling;
  agent.destroy();
  assert.ok(status < 500, `${name}: ${status}`);
  return delay;
}

/** The status of the answer, once all of it has come; a server that closes early has answered too. */
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
    sent.on('timeout', () => sent.destroy(new Error('no answer within two minutes')));
    sent.end(body);
  });
}
