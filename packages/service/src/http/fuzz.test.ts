// Requests that are nearly right, to every operation of a real server: whatever is sent, it is answered, in time, never
// with a fault of the server, and the server goes on. `FUZZ_RUNS` and `FUZZ_SEED` make it longer and other.
import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createPostgresql, testDatabases } from '../testing/databases.js';
import { type FuzzedRequest, fuzzedRequests, singleChanges } from '../testing/fuzzed-requests.js';
import { PlaygroundProcess } from '../testing/playground-process.js';

/** Requests to each kind of database, and the seed that they are made from. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1000);
const SEED = Number(process.env.FUZZ_SEED ?? 13);

/** How long an answer may take to begin, in milliseconds: a wait of a second may be asked for. */
const MAX_RESPONSE_MS = 20_000;

const stackPattern = /\n\s+at .+:\d+|node_modules|\/dist\/|\.ts:\d+/;

for (const { name, skip } of await testDatabases()) {
  describe(`changed requests on ${name}`, { skip }, () => {
    let server: PlaygroundProcess;
    let drop: (() => Promise<void>) | undefined;
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    before(async () => {
      const postgresql = name === 'PostgreSQL' ? await createPostgresql() : undefined;
      drop = postgresql?.drop;
      server = await PlaygroundProcess.start(postgresql?.url);
    });
    after(async () => {
      agent.destroy();
      await server.close();
      await drop?.();
    });

    test('every member and parameter is refused or taken, whatever stands there', async () => {
      const { ready } = server;
      const faults: string[] = [];
      let requests = 0;
      for (const made of singleChanges()) {
        requests++;
        const { status, text } = await send(ready.baseUrl, ready.tokens, made, agent);
        if (status < 500 && !stackPattern.test(text)) continue;
        const { method, path, body = '' } = made;
        faults.push(`${status} for ${method} ${path} ${body.slice(0, 1000)}`);
      }
      assert.deepEqual(faults, []);
      assert.ok(requests > 1000, String(requests));
      assert.deepEqual(server.faults, []);
    });

    test(`${RUNS} requests of seed ${SEED} are answered without a fault`, async () => {
      const { ready } = server;
      await fc.assert(
        fc.asyncProperty(fuzzedRequests(ready.credentials), async (made) => {
          const { status, text } = await send(ready.baseUrl, ready.tokens, made, agent);
          assert.ok(status < 500 || status === 501, `${status} ${text}`);
          assert.doesNotMatch(text, stackPattern);
        }),
        { numRuns: RUNS, seed: SEED, includeErrorInReport: true, interruptAfterTimeLimit: 60_000 },
      );
      assert.ok(server.isAlive);
      const alive = await fetch(`${ready.baseUrl}/livez`);
      assert.equal(alive.status, 200);
      assert.deepEqual(server.faults, []);
    });
  });
}

/** Sends a request; of an answer that has no end its beginning is enough. */
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
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A server that does not read the rest of what it has refused closes the connection.
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
    // Closed before its end: what came is looked at.
  }
  return text;
}
