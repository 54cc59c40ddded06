// Every response says whether it may be stored, and that its type is not to be guessed: also those that are in no contract.
// Those of the contract are checked by `checkResponse` in every test.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { testDatabases } from '../testing/databases.js';
import { checkHeaders } from '../testing/openapi-responses.js';
import { TestPlayground } from '../testing/playground-client.js';

const [embedded] = await testDatabases();

describe('headers of every response', () => {
  let playground: TestPlayground;
  before(async () => {
    assert(embedded);
    playground = await TestPlayground.start(await embedded.open());
  });
  after(() => playground.close());

  test('pages, probes, documents, other methods, and addresses that are unknown or unreadable', async () => {
    const { baseUrl } = playground.playground;
    const requests = [
      ['GET', '/livez', 200],
      ['GET', '/readyz', 200],
      ['GET', '/openapi.json', 200],
      ['GET', '/docs/', 200],
      ['GET', '/console/', 200],
      ['GET', '/playground/clock', 200],
      ['GET', '/nothing', 404],
      ['GET', '/%zz', 400],
      ['DELETE', '/livez', 405],
    ] as const;
    for (const [method, path, status] of requests) {
      const response = await fetch(`${baseUrl}${path}`, { method });
      await response.arrayBuffer();
      assert.equal(response.status, status, path);
      checkHeaders(path, response.headers);
    }
  });

  test('input that is not readable HTTP', async () => {
    const { port } = new URL(playground.playground.baseUrl);
    const socket = connect(Number(port), 'localhost');
    await once(socket, 'connect');
    socket.end('what\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    const [head = ''] = text.split('\r\n\r\n');
    const lines = head.split('\r\n').slice(1);
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
    assert.match(head, /^HTTP\/1\.1 400 /);
    checkHeaders('unreadable', headers);
  });
});
