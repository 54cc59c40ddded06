// Internal details of an error are logged in one line and never sent to a client.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '@landfall/contract';
import { generateKeyPair, SignJWT } from 'jose';
import { openPostgresql } from '../database/postgresql.js';
import { testDatabases } from '../testing/databases.js';
import { startFreezingProxy } from '../testing/freezing-proxy.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import {
  exchange,
  goodGrant,
  sendGrant,
  signGrant,
  startAccess,
} from '../testing/running-access.js';
import { makeServer } from './server.js';

type Line = { level: number; id?: string; reason?: string; msg: string; err?: { stack?: string } };

/** The access module with its log. */
async function startLogged(context: TestContext, settings: Parameters<typeof startAccess>[0]) {
  const running = await startAccess(settings);
  context.after(() => running.close());
  const linesOf = (id: string): Line[] =>
    running.log.map((line) => JSON.parse(line) as Line).filter((line) => line.id === id);
  return { ...running, linesOf };
}

/** The problem has none of the internal details, and one line of the log has all of them. */
function assertUnavailable(
  problem: Problem,
  details: readonly RegExp[],
  lines: readonly Line[],
): void {
  assert.equal(problem.status, 503);
  for (const detail of details) assert.doesNotMatch(JSON.stringify(problem), detail);
  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.level, 40);
  for (const detail of details) assert.match(String(lines[0]?.reason), detail);
  assert.doesNotMatch(JSON.stringify(lines), /\\n\s+at /);
}

const idOf = ({ instance }: Problem) => instance.replace('urn:uuid:', '');

test('only the log has the address of an unreachable identity provider', async (context) => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const issuer = 'https://idp.example';
  const running = await startLogged(context, {
    identityProvider: {
      issuer,
      jwksUrl: `http://127.0.0.1:${port}/internal/keys?secret=abc`,
    },
  });
  const { privateKey } = await generateKeyPair('RS256');
  const token = await new SignJWT({
    client_id: 'x',
    scope: 'customs:movement/entry',
    consumer: { authority: 'iso6523-actorid-upis', ID: '0192:310000019' },
  })
    .setProtectedHeader({ alg: 'RS256', kid: '1' })
    .setIssuer(issuer)
    .setIssuedAt()
    .setExpirationTime('2m')
    .sign(privateKey);
  const { body } = await exchange(running, token);
  // The cast is true because every endpoint responds with a problem when it is unavailable.
  const problem = body as unknown as Problem;
  assertUnavailable(problem, [/internal\/keys/], running.linesOf(idOf(problem)));
});

const postgresql = (await testDatabases()).find(({ name }) => name === 'PostgreSQL');
test('only the log has the address of a lost database', {
  skip: postgresql?.skip ?? false,
}, async (context) => {
  const { url, drop } = await createMigratedPostgresql();
  const proxy = await startFreezingProxy(url);
  const database = openPostgresql(proxy.url);
  const running = await startLogged(context, { database });
  context.after(async () => {
    await database.close();
    await drop();
  });
  const credentials = running.credentials('carrier');
  const before = await fetch(`${running.baseUrl}/api/access/jwks`);
  assert.equal(before.status, 200);
  await proxy.close();
  await delay(200);
  const { body } = await sendGrant(running, await signGrant(goodGrant(credentials)));
  // The cast is true because every endpoint responds with a problem when it is unavailable.
  const problem = body as unknown as Problem;
  const lines = running.linesOf(idOf(problem));
  assertUnavailable(
    problem,
    [new RegExp(`ECONNREFUSED 127\\.0\\.0\\.1:${new URL(proxy.url).port}`)],
    lines,
  );
});

test('an unexpected error is logged with its stack, and the response has no details', async () => {
  const log: string[] = [];
  const { app } = await makeServer({
    logLevel: 'warn',
    logTo: { write: (line) => log.push(line) },
  });
  app.get('/', async () => {
    throw new Error('the secret is 4711');
  });
  const response = await app.inject('/');
  assert.equal(response.statusCode, 500);
  assert.doesNotMatch(response.body, /4711/);
  assert.match(response.json().detail, /^Internal error/);
  const line = JSON.parse(log.join('')) as Line;
  assert.equal(`urn:uuid:${line.id}`, response.json().instance);
  assert.match(String(line.err?.stack), /4711/);
  await app.close();
});

test('an aborted body is logged in one line at the level info, without a stack', async () => {
  const log: string[] = [];
  const { app } = await makeServer({
    logLevel: 'info',
    logTo: { write: (line) => log.push(line) },
  });
  app.post('/', async () => 'never');
  await app.listen({ host: '127.0.0.1', port: 0 });
  log.length = 0;
  // The cast is true because the server listens on a port, not on a pipe.
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const type = 'Content-Type: application/json\r\nContent-Length: 100';
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\n{"a"`);
  await delay(100);
  socket.resetAndDestroy();
  await delay(100);
  await app.close();
  assert.equal(log.length, 1, log.join(''));
  const line = JSON.parse(log.join('')) as Line;
  assert.equal(line.level, 30);
  assert.equal(line.msg, 'request aborted by client');
  assert.equal(line.err, undefined);
});

test('401, 403 and 429 are warnings with the id of the request; other refusals are not', async (context) => {
  const running = await startLogged(context, {});
  const refused = await fetch(`${running.baseUrl}/api/movement/road/v2/test-auth`);
  const problem = (await refused.json()) as Problem;
  const [line] = running.linesOf(idOf(problem));
  assert.equal(line?.level, 40);
  assert.equal(line?.msg, 'refused');
  assert.match(String(line?.reason), /Authorization/);
  const nowhere = (await (await fetch(`${running.baseUrl}/nowhere`)).json()) as Problem;
  assert.deepEqual(
    running.linesOf(idOf(nowhere)).map(({ level }) => level),
    [30],
  );
});
