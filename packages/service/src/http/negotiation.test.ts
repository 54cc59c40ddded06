// Methods, media types, charsets and encodings as HTTP defines them and as other clients use them.
import assert from 'node:assert/strict';
import { request as sendRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Problem } from '@landfall/contract';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';
import { makeNegotiation } from './media-type.js';

const STATUS = '/api/movement/presentation/v1/validation-status';
const RECEPTACLE = '/api/movement/presentation/v1/receptacle';
const TEST_AUTH = '/api/movement/road/v2/test-auth';

describe('negotiation', () => {
  let playground: TestPlayground;
  before(async () => {
    playground = await TestPlayground.start(await openInMemory());
  });
  after(() => playground.close());

  test('parameters of a media range other than its weight are ignored', async () => {
    for (const accept of ['application/json;charset=utf-8', 'application/json; v="a,b;c"; q=0.3']) {
      const { status, headers } = await playground.get(STATUS, 'carrier', { accept });
      assert.equal(status, 200, accept);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
    }
    const preferred = makeNegotiation(['application/json', 'text/event-stream']);
    assert.equal(
      preferred('application/json;x=1;q=0.1, text/event-stream;q=0.2'),
      'text/event-stream',
    );
    assert.equal(preferred('application/json;q=0'), undefined);
    assert.equal(preferred('application/xml;charset=utf-8'), undefined);
  });

  test('test-auth ignores Accept', async () => {
    for (const accept of ['application/json', 'application/xml;q=0.1', 'nonsense']) {
      const { status } = await playground.get(TEST_AUTH, 'carrier', { accept });
      assert.equal(status, 200, accept);
    }
  });

  /** Sends methods that `fetch` refuses to send. */
  const send = (method: string, path: string) =>
    new Promise<{ status: number | undefined; allow: string | undefined }>((resolve, reject) => {
      const url = new URL(path, playground.playground.baseUrl);
      sendRequest(url, { method }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, allow: response.headers.allow });
      })
        .on('error', reject)
        .end();
    });

  for (const method of ['OPTIONS', 'TRACE', 'PATCH']) {
    test(`${method} is 405, and the response says what is allowed`, async () => {
      assert.deepEqual(await send(method, RECEPTACLE), { status: 405, allow: 'POST' });
      assert.deepEqual(await send(method, '/livez'), { status: 405, allow: 'GET, HEAD' });
    });
  }

  test('HEAD is 405 where there is no GET', async () => {
    assert.deepEqual(await send('HEAD', RECEPTACLE), { status: 405, allow: 'POST' });
  });

  test('an unknown method is refused and causes no internal error', async () => {
    const { status } = await send('QUERY', '/livez');
    assert(status !== undefined && status >= 400 && status < 500, String(status));
  });

  const body = JSON.stringify({ requestId: 'x' });
  const refused: [string, Record<string, string>, Uint8Array<ArrayBuffer> | string][] = [
    ['compressed', { 'content-encoding': 'gzip' }, new Uint8Array(gzipSync(body))],
    ['in another charset', { 'content-type': 'application/json; charset=iso-8859-1' }, body],
    ['in UTF-16', { 'content-type': 'application/json;charset="utf-16"' }, body],
  ];
  for (const [what, headers, raw] of refused) {
    test(`a body ${what} is 415`, async () => {
      const { status, body: problem } = await playground.call(RECEPTACLE, {
        as: 'carrier',
        method: 'POST',
        raw,
        headers: { 'content-type': 'application/json', ...headers },
      });
      assert.equal(status, 415);
      assert.match((problem as Problem).detail, /charset|Content-Encoding/);
    });
  }

  test('a body with the charset UTF-8 is read', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
      const { status } = await playground.call(RECEPTACLE, {
        as: 'carrier',
        method: 'POST',
        raw: body,
        headers: { 'content-type': type, 'content-encoding': 'identity' },
      });
      assert.equal(status, 400);
    }
  });
});
