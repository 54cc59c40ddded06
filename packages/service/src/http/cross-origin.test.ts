// Pages of other origins call the API if the configuration lists them, each operation, and nothing else.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operations } from '@landfall/contract';
import { readConfig } from '../config.js';
import { CompressibleText } from './compressible-text.js';
import { makeServer } from './server.js';

const OWN = 'https://app.example';
const api = Object.values(operations).filter(({ path }) => path.startsWith('/api/'));

async function makeApp(corsOrigins: string) {
  const { app } = await makeServer({ logLevel: 'silent', corsOrigins });
  for (const { method, path } of api) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.route({ method: method.toUpperCase(), url, handler: async () => 'handled' });
  }
  app.get('/console/api/session', async () => 'session');
  app.get('/playground/clock', async () => 'clock');
  await app.ready();
  after(() => app.close());
  return app;
}

const listed = await makeApp(`${OWN},http://localhost:3000`);
const loopback = await makeApp('loopback');
const none = await makeApp('');

for (const { method, path, operationId } of api) {
  test(`${operationId}: listed origins may call it, also with what needs a preflight`, async () => {
    const url = path.replaceAll(/\{\w+\}/g, 'x');
    const preflight = {
      method: 'OPTIONS',
      url,
      headers: { origin: OWN, 'access-control-request-method': method.toUpperCase() },
    } as const;
    const allowed = await listed.inject(preflight);
    assert.equal(allowed.statusCode, 204);
    assert.equal(allowed.headers['access-control-allow-origin'], OWN);
    assert.match(String(allowed.headers['access-control-allow-methods']), new RegExp(method, 'i'));
    assert.match(String(allowed.headers['access-control-allow-headers']), /authorization/);
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined);
    assert.equal((await none.inject(preflight)).statusCode, 405);

    // The cast is true of the methods of the contract.
    const sent = { method: method.toUpperCase() as 'GET', url, headers: { origin: OWN } };
    const { headers } = await listed.inject(sent);
    assert.equal(headers['access-control-allow-origin'], OWN);
    assert.match(String(headers['access-control-expose-headers']), /\bLink\b.*\bRetry-After\b/);
    assert.equal(headers.vary, 'Origin');
    assert.equal((await none.inject(sent)).headers['access-control-allow-origin'], undefined);
  });
}

test('an address of the console is none of the API, whatever the router makes of it', async () => {
  const { app } = await makeServer({
    logLevel: 'silent',
    corsOrigins: OWN,
    rewriteUrl: (url) => url.replace('/console/api/', '/api/'),
  });
  after(() => app.close());
  const path = api.find((each) => !each.path.includes('{'))?.path ?? '';
  app.get(path, async () => 'handled');
  const headers = { origin: OWN };
  const direct = await app.inject({ url: path, headers });
  assert.equal(direct.headers['access-control-allow-origin'], OWN);
  const url = path.replace('/api/', '/console/api/');
  const console = await app.inject({ url, headers });
  assert.equal(console.body, 'handled');
  assert.equal(console.headers['access-control-allow-origin'], undefined);
});

test('a text that may be compressed varies by origin too', async () => {
  const { app } = await makeServer({ logLevel: 'silent', corsOrigins: OWN });
  after(() => app.close());
  const text = new CompressibleText('x'.repeat(10_000));
  app.get('/api/text', (request, reply) => text.send(request, reply));
  const { headers } = await app.inject({ url: '/api/text', headers: { origin: OWN } });
  assert.equal(headers.vary, 'Origin, Accept-Encoding');
});

test('an error can be read too', async () => {
  const { statusCode, headers } = await listed.inject({
    method: 'PATCH',
    url: api[0]?.path ?? '',
    headers: { origin: OWN },
  });
  assert.equal(statusCode, 405);
  assert.equal(headers['access-control-allow-origin'], OWN);
});

test('other origins may not, however much they look like a listed one', async () => {
  const url = (api[0]?.path ?? '').replaceAll(/\{\w+\}/g, 'x');
  const others = ['https://app.example.org', 'http://app.example', 'https://APP.example', 'null'];
  others.push('https://app.example:444', 'http://localhost:3001', '', 'loopback', '*');
  for (const origin of others) {
    for (const app of [listed, loopback]) {
      if (app === loopback && origin.startsWith('http://localhost')) continue;
      const { headers, statusCode } = await app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin },
      });
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
      assert.equal(statusCode, 405);
    }
  }
  for (const origin of ['http://localhost:1', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    const { headers } = await loopback.inject({ method: 'OPTIONS', url, headers: { origin } });
    assert.equal(headers['access-control-allow-origin'], origin);
  }
  for (const origin of [
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://localhost@x',
  ]) {
    const { headers } = await loopback.inject({ method: 'OPTIONS', url, headers: { origin } });
    assert.equal(headers['access-control-allow-origin'], undefined, origin);
  }
});

test('neither the console nor what controls a playground is called by other origins', async () => {
  for (const url of ['/console/api/session', '/playground/clock', '/unknown']) {
    const { headers } = await listed.inject({ url, headers: { origin: OWN } });
    assert.equal(headers['access-control-allow-origin'], undefined, url);
  }
});

test('the option takes origins as browsers send them', () => {
  const read = (value: string) => readConfig({ LANDFALL_CORS_ORIGINS: value }).corsOrigins;
  for (const value of ['', OWN, `${OWN},http://localhost:3000`, 'loopback']) {
    assert.equal(read(value), value);
  }
  for (const value of [
    '*',
    `${OWN}/`,
    'https://APP.example',
    'app.example',
    `${OWN}, ${OWN}`,
    'null',
    'ftp://a',
  ]) {
    assert.throws(() => read(value), /LANDFALL_CORS_ORIGINS must be origins such as/, value);
  }
});
