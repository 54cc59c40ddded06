// With a control secret, whoever sends it controls the playground from any address, and nobody else; found from the routes.
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { findPort } from '../find-port.js';
import { startPlayground } from '../index.js';

/** Every control address of every server of this process. */
const routes = new Map<string, { method: string; path: string }>();
subscribe('fastify.initialization', (message) => {
  // The cast is true because Fastify gives this channel each of its servers.
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/playground')) return;
    for (const name of [method].flat()) {
      if (name !== 'HEAD') routes.set(`${name} ${url}`, { method: name, path: url });
    }
  });
});

const controlSecret = 'control/secret+of~this.test==';
const port = await findPort('0.0.0.0', 0);
const playground = await startPlayground({
  host: '0.0.0.0',
  port,
  controlSecret,
  publicUrl: 'http://playground.test:8080',
});
after(() => playground.close());

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
/** The addresses of this machine at which it listens: one that is not loopback is as another machine's. */
const hosts = ['127.0.0.1', ...(outside === undefined ? [] : [outside])];

async function send(
  host: string,
  headers: Record<string, string>,
  method = 'GET',
  path = '/playground/clock',
) {
  const sent = request({ host, port, method, path, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

const bearer = { authorization: `Bearer ${controlSecret}` };
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

test('no control address answers without the secret, from this machine and from another', async () => {
  assert(routes.size > 15, `${routes.size} addresses`);
  for (const { method, path } of routes.values()) {
    for (const host of hosts) {
      for (const wrong of [{}, { authorization: `Bearer ${controlSecret}x` }]) {
        const { status, headers, text } = await send(
          host,
          wrong,
          method,
          path.replace(/:\w+/, 'x'),
        );
        assert.equal(status, 401, `${method} ${path} at ${host}: ${text}`);
        assert.match(headers['www-authenticate'] ?? '', /^Basic /);
        assert.match(text, /Authorization: Bearer <secret>/);
        assert.match(text, /--control-secret-file/);
        assert(!text.includes(controlSecret));
      }
    }
  }
});

test('the secret is accepted as a bearer token and as a password, from both, whatever Host is', async () => {
  for (const host of hosts) {
    for (const headers of [bearer, basic('', controlSecret), basic('me', controlSecret)]) {
      assert.equal((await send(host, headers)).status, 200, JSON.stringify(headers));
      assert.equal((await send(host, { ...headers, Host: 'playground.test:8080' })).status, 200);
    }
  }
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    `bearer${controlSecret}`,
    `Token ${controlSecret}`,
    controlSecret,
    `Bearer ${controlSecret.slice(0, -1)}`,
    `Bearer ${controlSecret} x`,
    `Basic ${controlSecret}`,
    `Bearer ${'x'.repeat(5000)}`,
    basic(controlSecret, '').authorization,
  ]) {
    assert.equal((await send('127.0.0.1', { authorization })).status, 401, authorization);
  }
});

test('pages of other sites are refused although a browser sends the password, and its own pages are not', async () => {
  for (const origin of ['https://example.com', 'null', 'http://playground.test:8081', '']) {
    const { status } = await send('127.0.0.1', { ...bearer, origin });
    assert.equal(status, 403, origin);
  }
  const crossSite = { ...bearer, 'sec-fetch-site': 'cross-site' };
  assert.equal((await send('127.0.0.1', crossSite)).status, 403);
  for (const headers of [
    { origin: 'http://playground.test:8080' },
    { origin: 'http://10.0.0.7:8080', Host: '10.0.0.7:8080' },
    { origin: 'http://localhost:5173' },
  ]) {
    assert.equal((await send('127.0.0.1', { ...bearer, ...headers })).status, 200);
  }
});

test('a page of this machine that posts a form does not use the password that a browser keeps', async () => {
  const kept = basic('me', controlSecret);
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:1', 'http://[::1]:8080']) {
    const headers = { ...kept, origin, 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await send('127.0.0.1', headers, 'POST', '/playground/scenarios');
    assert.equal(status, 403, origin);
  }
  const own = { ...kept, origin: 'http://playground.test:8080' };
  assert.equal((await send('127.0.0.1', own)).status, 200);
});

test('in a space too, and nothing that is recorded has the secret', async () => {
  const space = await playground.space('secret');
  const path = '/spaces/secret/playground/clock';
  assert.equal((await send('127.0.0.1', {}, 'GET', path)).status, 401);
  assert.equal((await send('127.0.0.1', bearer, 'GET', path)).status, 200);
  // Sent by mistake to the service.
  await send('127.0.0.1', bearer, 'GET', '/api/movement/routing/v1/house-consignment');
  for (const parts of [space, playground]) {
    assert(!JSON.stringify(parts.requests()).includes(controlSecret.slice(8, 20)));
  }
  await space.close();
});
