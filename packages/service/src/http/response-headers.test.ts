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
      ['GET', '/docs/api/', 200],
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

  /** Sends bytes, and reads until the server closes the connection. */
  const exchange = async (text: string) => {
    const { port } = new URL(playground.playground.baseUrl);
    const socket = connect(Number(port), 'localhost');
    await once(socket, 'connect');
    socket.write(text);
    let received = '';
    for await (const chunk of socket) received += chunk;
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const [status = '', ...lines] = head.split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
    return { status: Number(status.split(' ')[1]), headers, body };
  };

  test('requests that Node.js would answer itself', async () => {
    const requests = [
      ['what\r\n\r\n', 400],
      ['GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['GET /docs/api/ HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['GET /livez HTTP/1.0\r\n\r\n', 200],
      ['GET /livez HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n', 200],
      ['GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n', 404],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
      ['CONNECT a:1 HTTP/1.1\r\n\r\nfurther bytes', 405],
    ] as const;
    for (const [text, expected] of requests) {
      const { status, headers, body } = await exchange(text);
      assert.equal(status, expected, text);
      checkHeaders(text, headers);
      if (status < 400) continue;
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(JSON.parse(body).status, expected);
    }
  });

  test('a CONNECT whose client is gone, or that follows another request, ends nothing but its connection', async () => {
    const { baseUrl } = playground.playground;
    const { port } = new URL(baseUrl);
    for (const before of ['', 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n']) {
      const socket = connect(Number(port), 'localhost');
      await once(socket, 'connect');
      socket.write(`${before}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
      socket.resetAndDestroy();
    }
    const { status } = await exchange(
      'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    );
    // The response to the request, or none: never that to CONNECT in its place.
    assert([200, Number.NaN].includes(status), `${status}`);
    assert.equal((await fetch(`${baseUrl}/livez`)).status, 200);
  });
});
