// Headers that are too long are refused by their names, and headers without a limit are not read.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type OAuthError, operations, type Problem } from '@landfall/contract';
import type { FastifyInstance } from 'fastify';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';
import { headerLimits } from './header-limits.js';
import { makeServer } from './server.js';

/** Node.js itself refuses other values of these. */
const OF_NODE = ['Content-Length', 'Host', 'Transfer-Encoding'];

describe('headers', () => {
  let app: FastifyInstance;
  let port: number;
  before(async () => {
    const server = await makeServer({
      logLevel: 'silent',
      furtherHeaders: { 'Further-Header': 20 },
    });
    app = server.app;
    app.get('/headers', async ({ headers }) => headers);
    await app.listen({ host: '127.0.0.1', port: 0 });
    // The cast is true because it listens on a port.
    port = (app.server.address() as AddressInfo).port;
  });
  after(() => app.close());

  const get = (headers: Record<string, string | string[]>) =>
    new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
      request({ port, path: '/headers', headers, agent: false }, async (response) => {
        const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
        resolve({ status: response.statusCode ?? 0, body });
      })
        .on('error', reject)
        .end();
    });

  for (const [field, limit] of Object.entries({ ...headerLimits, 'Further-Header': 20 })) {
    if (OF_NODE.includes(field)) continue;
    test(`${field} may have ${limit} characters and no more`, async () => {
      const longest = 'x'.repeat(limit);
      const read = await get({ [field]: longest });
      assert.deepEqual([read.status, read.body[field.toLowerCase()]], [200, longest]);
      const refused = await get({ [field]: `${longest}x` });
      const error = `must have at most ${limit} characters`;
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.body.validationErrors, [{ field, error, code: 'SIZE' }]);
    });
  }

  test('several headers of one name count together', async () => {
    const half = 'x'.repeat((headerLimits.Prefer ?? 0) / 2);
    const { status } = await get({ Prefer: [half, half] });
    assert.equal(status, 400);
  });

  test('more than 16 KiB in all are refused', async () => {
    const { status, body } = await get({ 'X-Other': 'x'.repeat(17_000) });
    assert.equal(status, 400);
    assert.match(String(body.detail), /at most 16 KiB together/);
  });

  test('a header without a limit is not read, however long it is', async () => {
    const { status, body } = await get({ 'X-Other': 'x'.repeat(10_000), accept: '*/*' });
    assert.equal(status, 200);
    assert.equal(body.accept, '*/*');
    assert.ok(!('x-other' in body));
  });
});

describe('a header that is too long', () => {
  let playground: TestPlayground;
  before(async () => {
    playground = await TestPlayground.start(await openInMemory());
  });
  after(() => playground.close());

  const accept = 'a/b,'.repeat(300);

  test('is refused before the token is verified', async () => {
    const response = await playground.send(operations.listValidationStatuses.path, {
      headers: { accept },
    });
    assert.equal(response.status, 400, response.text);
    assert.equal((response.body as Problem).validationErrors?.[0]?.field, 'Accept');
  });

  test('is refused by an endpoint of tokens in the form of OAuth', async () => {
    const response = await playground.send(operations.exchangeToken.path, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'a=1',
    });
    assert.equal(response.status, 400, response.text);
    const { error, error_description: description } = response.body as OAuthError;
    assert.equal(error, 'invalid_request');
    assert.match(description ?? '', /Accept: must have at most 1024 characters/);
  });
});
