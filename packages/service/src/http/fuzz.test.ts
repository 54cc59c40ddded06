// Sends modified requests to every operation of a real server. Each must get a response in time, none may cause an
// internal error, and the server must stay available. `FUZZ_RUNS` and `FUZZ_SEED` set the number and the seed.
import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { drawnDatabases } from '../testing/databases.js';
import { type FuzzedRequest, fuzzedRequests, singleChanges } from '../testing/fuzzed-requests.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { PlaygroundProcess } from '../testing/playground-process.js';

/** Requests to each kind of database, and the seed that they are made from. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);
const SEED = Number(process.env.FUZZ_SEED ?? 13);

/** There are 11 values, so that each member gets others than the one before it. */
const EMBEDDED_EVERY = 4;

/** How long a response may take to begin, in milliseconds. A request may ask for a wait of a second. */
const MAX_RESPONSE_MS = 20_000;

const stackPattern = /\n\s+at .+:\d+|node_modules|\/dist\/|\.ts:\d+/;

for (const { name, skip } of await drawnDatabases(import.meta.url)) {
  describe(`modified requests on ${name}`, { skip }, () => {
    let server: PlaygroundProcess;
    let drop: (() => Promise<void>) | undefined;
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    before(async () => {
      const postgresql = name === 'PostgreSQL' ? await createMigratedPostgresql() : undefined;
      drop = postgresql?.drop;
      server = await PlaygroundProcess.start(postgresql?.url);
    });
    after(async () => {
      agent.destroy();
      await server.close();
      await drop?.();
    });

    test('every member and parameter is accepted or refused, whatever its value', async () => {
      const { ready } = server;
      const failures: string[] = [];
      // Each on PostgreSQL; the embedded database is PostgreSQL too, and each member gets some of the values there.
      const every = name === 'PostgreSQL' ? 1 : EMBEDDED_EVERY;
      const changes = [...singleChanges()].filter((_, at) => at % every === 0);
      assert.ok(changes.length > 1000 / every, String(changes.length));
      for (const made of drawCases(`changes on ${name}`, changes, 1000 / every)) {
        const { status, text } = await send(ready.baseUrl, ready.tokens, made, agent);
        if (status < 500 && !stackPattern.test(text)) continue;
        const { method, path, body = '' } = made;
        failures.push(`${status} for ${method} ${path} ${body.slice(0, 1000)}`);
      }
      assert.deepEqual(failures, []);
      assert.deepEqual(server.internalErrors, []);
    });

    test(`${RUNS} requests of seed ${SEED} get responses without an internal error`, async () => {
      const { ready } = server;
      await fc.assert(
        fc.asyncProperty(fuzzedRequests(ready.credentials), async (made) => {
          const { status, text } = await send(ready.baseUrl, ready.tokens, made, agent);
          assert.ok(status < 500 || status === 501, `${status} ${text}`);
          assert.doesNotMatch(text, stackPattern);
        }),
        { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
      );
      assert.ok(server.isAlive);
      const alive = await fetch(`${ready.baseUrl}/livez`);
      assert.equal(alive.status, 200);
      assert.deepEqual(server.internalErrors, []);
    });
  });
}

/** Sends a request. Of an endless response, the first part is returned. */
function send(
  baseUrl: string,
  tokens: Readonly<Record<string, string>>,
  { method, path, identity, headers, body }: FuzzedRequest,
  agent: Agent,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(baseUrl);
  const token = identity === undefined ? undefined : tokens[identity];
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        agent,
        timeout: MAX_RESPONSE_MS,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          // Without it, Node.js sends the body of some methods as if it were the next request.
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        read(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no response in time')));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // After refusing a request, the server closes the connection instead of reading the rest of the body.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve({ status: 400, text: '' });
      else reject(error);
    });
    sent.end(body);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const endless = response.headers['content-type']?.startsWith('text/event-stream') === true;
  let text = '';
  try {
    for await (const part of response) {
      text += String(part);
      if (endless) break;
    }
  } catch {
    // The connection was closed early: the received part is returned.
  }
  return text;
}
