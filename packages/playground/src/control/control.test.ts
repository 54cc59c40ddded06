// The control addresses: what they accept, and from whom.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { Landfall } from '../../../client/dist/index.js';
import { startPlayground } from '../index.js';

const playground = await startPlayground({ host: '0.0.0.0' });
after(() => playground.close());
const port = Number(new URL(playground.baseUrl).port);

/** Requests a control address with headers that fetch does not set. */
async function send(
  path: string,
  { host = '127.0.0.1', ...headers }: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const sent = request({ host, port, path, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text) };
}

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${playground.baseUrl}/playground${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('programs of this machine are admitted, with and without Origin', async () => {
  assert.equal((await send('/playground/clock')).status, 200);
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1']) {
    assert.equal((await send('/playground/clock', { origin })).status, 200);
  }
});

test('web pages of other sites are refused: by Origin, and by Host after DNS rebinding', async () => {
  const refused: Record<string, string>[] = [
    { origin: 'https://example.com' },
    { origin: 'null' },
    { origin: 'http://localhost.example.com' },
    { Host: 'rebound.example.com' },
    { Host: `localhost.example.com:${port}` },
  ];
  for (const headers of refused) {
    const { status, body } = await send('/playground/clock', headers);
    assert.equal(status, 403, JSON.stringify(headers));
    assert.match(String(body.detail), /^(?:Origin|Host) must be/);
  }
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

test('callers from another address are refused, whatever Host says', {
  skip: outside === undefined && 'this machine has only a loopback address',
}, async () => {
  const { status, body } = await send('/playground/clock', {
    host: outside ?? '',
    Host: 'localhost',
    'X-Forwarded-For': '127.0.0.1',
  });
  assert.equal(status, 403);
  assert.match(String(body.detail), /on the machine/);
});

test('the clock is read, stopped, set and advanced; invalid changes change nothing', async () => {
  const stopped = await call('PUT', '/clock', { time: '2026-12-01T00:00:00Z', running: false });
  assert.deepEqual(stopped.body, { time: '2026-12-01T00:00:00.000Z', running: false });
  const invalid: [unknown, string][] = [
    [{ advance: -1 }, 'advance'],
    [{ advance: 1, time: '2026-12-01T00:00:00Z' }, 'advance'],
    [{ time: 'tomorrow' }, 'time'],
    [{ frozen: true }, 'frozen'],
    [[], ''],
    // Of each member, alone and beside one that would have an effect.
    ...['time', 'advance', 'running'].flatMap((member): [unknown, string][] => [
      [{ [member]: null }, member],
      [{ ...(member === 'advance' ? { running: true } : { advance: 60 }), [member]: null }, member],
    ]),
  ];
  for (const [change, field] of invalid) {
    const { status, body } = await call('PUT', '/clock', change);
    assert.equal(status, 400, JSON.stringify(change));
    assert.equal(body.validationErrors[0].field, field);
  }
  assert.equal((await call('GET', '/clock')).body.time, '2026-12-01T00:00:00.000Z');
  assert.equal(
    (await call('PUT', '/clock', { advance: 60 })).body.time,
    '2026-12-01T00:01:00.000Z',
  );
  assert.equal((await call('POST', '/reset')).status, 204);
  assert.equal((await call('GET', '/clock')).body.running, true);
});

test('exchanges are recorded with headers and bodies, and without secrets', async () => {
  await call('DELETE', '/requests');
  const carrier = new Landfall(playground.credentials('carrier'));
  await carrier.presentHouseConsignment({
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber: 'HC003', type: 'N714' },
  });
  await fetch(`${playground.baseUrl}/nowhere?token=1`);
  const { body } = await call('GET', '/requests');
  const paths = body.requests.map(({ url }: { url: string }) => url);
  assert.deepEqual(paths, [
    '/idp/token',
    '/api/access/external/oauth/token',
    '/api/movement/presentation/v1/house-consignment',
    '/nowhere?token=1',
  ]);
  const [granted, , presented, missing] = body.requests;
  assert.match(granted.request.body.text, /&assertion=\*\*\*|assertion=\*\*\*&/);
  assert.equal(JSON.parse(granted.response.body.text).access_token, '***');
  assert.equal(JSON.parse(presented.request.body.text).transportDocumentHouseLevel.type, 'N714');
  assert.equal(presented.response.status, 202);
  const authorization = presented.request.headers.find(
    ({ name }: { name: string }) => name.toLowerCase() === 'authorization',
  );
  assert.equal(authorization.value, 'Bearer ***');
  assert.equal(missing.response.status, 404);
  const namesOf = (message: { headers: { name: string }[] }) =>
    message.headers.map(({ name }) => name.toLowerCase());
  for (const name of ['content-type', 'date', 'location']) {
    assert(namesOf(presented.response).includes(name), `the response has no header ${name}`);
  }
  assert(namesOf(missing.response).includes('content-type'));
  assert(!JSON.stringify(body).includes('eyJ'), 'a token is recorded');
});

test('exchanges are exported as HAR, by query and by Accept, and cleared', async () => {
  await fetch(`${playground.baseUrl}/livez?a=1&a=2`);
  const byQuery = await call('GET', '/requests?format=har');
  const response = await fetch(`${playground.baseUrl}/playground/requests`, {
    headers: { accept: 'application/har+json' },
  });
  assert.match(response.headers.get('content-type') ?? '', /^application\/har\+json/);
  assert.deepEqual(await response.json(), byQuery.body);
  const { version, entries } = byQuery.body.log;
  assert.equal(version, '1.2');
  const last = entries.at(-1);
  assert.equal(last.request.url, `${playground.baseUrl}/livez?a=1&a=2`);
  assert.deepEqual(last.request.queryString, [
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
  ]);
  assert.equal(last.response.status, 400);
  assert.equal((await call('GET', '/requests?format=xml')).status, 400);
  await call('DELETE', '/requests');
  assert.deepEqual((await call('GET', '/requests')).body, { requests: [], dropped: 0 });
});

test('the record is bounded: long bodies are cut, and the oldest exchanges are dropped', async () => {
  await call('DELETE', '/requests');
  await send('/openapi.json');
  const [long] = (await call('GET', '/requests')).body.requests;
  assert.equal(long.response.body.text.length, 64 * 1024);
  assert.equal(long.response.body.truncated, true);
  for (let sent = 0; sent < 520; sent += 20) {
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${playground.baseUrl}/livez`)));
  }
  const response = await fetch(`${playground.baseUrl}/playground/requests`);
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  const { requests } = (await response.json()) as { requests: { url: string }[] };
  assert.equal(requests.length, 500);
  assert(requests.every(({ url }) => url === '/livez'));
});

test('the kinds of scenarios are listed with what they do and the schema of their members', async () => {
  const { status, body } = await call('GET', '/scenario-kinds');
  assert.equal(status, 200);
  const refusal = body.kinds.find(({ kind }: { kind: string }) => kind === 'refusal');
  assert(refusal.effect.length > 0 && refusal.client.length > 0);
  assert.deepEqual(refusal.schema.required, ['kind', 'code']);
  assert(refusal.schema.properties.code.enum.includes('REFERENCE_NOT_FOUND'));
});
