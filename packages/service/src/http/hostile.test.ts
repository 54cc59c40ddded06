import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { METHODS, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { ValidationStatus } from '@landfall/contract';
import fc from 'fast-check';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';

const PRESENTATION = '/api/movement/presentation/v1';
const STATUS = `${PRESENTATION}/validation-status`;
const levels = [
  'house-consignment',
  'master-consignment',
  'container',
  'receptacle',
  'entry-summary-declaration',
];
const json = { 'content-type': 'application/json' };

describe('hostile requests', () => {
  let playground: TestPlayground;
  before(async () => {
    playground = await TestPlayground.start(await openInMemory());
  });
  after(() => playground.close());

  /** Sends a body to each level and expects a problem. */
  async function refused(
    raw: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = json,
  ): Promise<number> {
    for (const level of levels) {
      const response = await playground.call(`${PRESENTATION}/${level}`, {
        as: 'carrier',
        method: 'POST',
        raw,
        headers,
      });
      assert(
        response.status >= 400 && response.status < 500,
        `${level}: ${response.status} ${response.text}`,
      );
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      if (level === levels.at(-1)) return response.status;
    }
    return 0;
  }

  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const bodies: [string, string | Uint8Array<ArrayBuffer>, number, Record<string, string>?][] = [
    ['malformed JSON', '{"requestId":', 400],
    ['an empty body', '', 400],
    ['a text of 1 MB', JSON.stringify({ requestId: 'x'.repeat(1_000_000) }), 413],
    ['deep nesting', `{"requestId":${deep}}`, 400],
    ['nesting as the body', deep, 400],
    ['a __proto__ key', '{"__proto__":{"requestId":"x"}}', 400],
    ['a constructor key', '{"constructor":{"prototype":{"requestId":"x"}}}', 400],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['null', 'null', 400],
    ['a number', '17', 400],
    ['a text', '"presentation"', 400],
    ['an array', '[]', 400],
    ['XML', '<presentation/>', 415, { 'content-type': 'application/xml' }],
    ['a form', 'requestId=1', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no content type', '{}', 415, { 'content-type': '' }],
    ['an invalid content type', '{}', 415, { 'content-type': 'json' }],
  ];

  for (const [what, raw, status, headers] of bodies) {
    test(`${what} is refused with ${status}`, async () => {
      assert.equal(await refused(raw, headers), status);
      assert.deepEqual((await playground.get(STATUS, 'carrier')).body, []);
    });
  }

  test('no body causes an internal error, and only requests with a readable requestId are stored', async () => {
    const member = fc.constantFrom(
      'requestId',
      'customsOfficeOfPresentation',
      'mrn',
      'containerId',
      'receptacleId',
      'transportDocumentHouseLevel',
      'transportDocumentMasterLevel',
      'documentNumber',
      'type',
      'toString',
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        member,
        fc.oneof(fc.jsonValue(), fc.string(), fc.dictionary(member, fc.jsonValue())),
      ),
      fc.record({
        requestId: fc.uuid(),
        transportDocumentHouseLevel: fc.record({
          documentNumber: fc.string({ unit: 'binary' }),
          type: fc.constant('N740'),
        }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...levels), async (value, level) => {
        const response = await playground.call(`${PRESENTATION}/${level}`, {
          as: 'express',
          method: 'POST',
          raw: JSON.stringify(value),
          headers: json,
        });
        assert.equal(response.status, 400, response.text);
      }),
      { numRuns: 300 },
    );
    const statuses = (await playground.get(STATUS, 'express')).body as ValidationStatus[];
    assert(statuses.every(({ status }) => status === 'FAILURE'));
  });

  test('unknown addresses, methods, media types and tokens get problems', async () => {
    const cases: [
      string,
      { method?: string; headers?: Record<string, string>; as?: string; body?: unknown },
      number,
    ][] = [
      ['/nothing', {}, 404],
      [`${PRESENTATION}/parcel`, { as: 'carrier', method: 'POST', body: {} }, 404],
      [`${PRESENTATION}/%E0%A4%A`, { as: 'carrier' }, 400],
      [`${STATUS}/${'x'.repeat(5000)}`, { as: 'carrier' }, 404],
      [`${STATUS}/${randomUUID()}`, { as: 'carrier' }, 404],
      [`${PRESENTATION}/receptacle`, { as: 'carrier', method: 'GET' }, 405],
      [STATUS, { as: 'carrier', method: 'DELETE' }, 405],
      [STATUS, { as: 'carrier', headers: { accept: 'application/xml' } }, 406],
      [STATUS, {}, 401],
      [STATUS, { headers: { authorization: 'Bearer nonsense' } }, 401],
      [STATUS, { headers: { authorization: 'Basic Y2FycmllcjpjYXJyaWVy' } }, 401],
      [STATUS, { as: 'statistics' }, 403],
    ];
    for (const [address, sent, status] of cases) {
      const response = await playground.call(address, sent);
      assert.equal(response.status, status, `${address}: ${response.text}`);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
    }
    const refused = await playground.call(STATUS, { as: 'statistics' });
    assert.equal(
      refused.headers.get('www-authenticate'),
      'Bearer error="insufficient_scope", scope="customs:movement/entry"',
    );
    const unknown = await playground.call(STATUS);
    assert.equal(unknown.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    const wrongMethod = await playground.call(`${PRESENTATION}/receptacle`, { as: 'carrier' });
    assert.equal(wrongMethod.headers.get('allow'), 'POST');
  });

  test('every method that an address does not have is refused with those that it has', async () => {
    const { port } = new URL(playground.playground.baseUrl);
    const send = async (method: string, path: string) => {
      const sent = request({ port, path, method, agent: false }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      return [response.statusCode, response.headers.allow];
    };
    for (const method of METHODS.filter((name) => !['CONNECT', 'GET', 'HEAD'].includes(name))) {
      const [status, allow] = await send(method, '/livez');
      assert.equal(status, 405, method);
      assert.match(String(allow), /^GET\b/);
      const [unknown] = await send(method, '/nothing');
      assert.ok(unknown === 404 || unknown === 400, `${method} ${unknown}`);
    }
  });

  test('input that is not HTTP gets a problem', async () => {
    const { port } = new URL(playground.playground.baseUrl);
    const response = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.setEncoding('utf8');
      socket.on('data', (part: string) => {
        text += part;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    assert.match(response, /^HTTP\/1\.1 400 .*application\/problem\+json/s);
  });
});

test('an organisation over its rate gets 429 with Retry-After', async () => {
  const playground = await TestPlayground.start(await openInMemory(), { rateLimit: 10 });
  try {
    // The tokens of both take four requests of this address, which has the same rate.
    for (const name of ['carrier', 'forwarder']) await playground.get(STATUS, name);
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => playground.get(STATUS, 'carrier')),
    );
    const refused = responses.find(({ status }) => status === 429);
    assert(refused);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.headers.get('ratelimit-policy'), '"organisation";q=10;w=1');
    assert.equal((await playground.get(STATUS, 'forwarder')).status, 200);
  } finally {
    await playground.close();
  }
});
