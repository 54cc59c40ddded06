// Requests that a page of another site makes a browser send: none is carried out, at any address, found from the routes.
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { startPlayground } from '../index.js';

/** Every route of every server of this process. */
const routes: { method: string; url: string }[] = [];
subscribe('fastify.initialization', (message) => {
  // The cast is true because Fastify gives this channel each of its servers.
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push({ method: name, url });
  });
});

const playground = await startPlayground();
after(() => playground.close());

async function send(method: string, path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(playground.baseUrl);
  const sent = request({ host: hostname, port, method, path, headers });
  sent.end(headers['content-type'] && '{"identity":"carrier"}');
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** What such a page makes a browser send, beside the cookies and with whatever else it may have. */
const own = playground.baseUrl;
const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: own },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://example.com' },
  { 'sec-fetch-site': 'something-new' },
  { 'sec-fetch-site': 'same-origin, cross-site', origin: own },
  { origin: 'https://example.com' },
  { origin: 'null' },
  { origin: '' },
];

const known: Record<string, string> = { mode: 'road', version: 'v2', level: 'transport' };
const pathOf = (url: string) => url.replace(/:(\w+)/g, (_, name) => known[name] ?? '0');

/** Sends it in each of these ways, and asserts that it is refused, or that the address does not have the method. */
async function assertRefused(method: string, path: string, ways: Record<string, string>[]) {
  for (const headers of ways) {
    const { status, text } = await send(method, path, headers);
    if (status === 405) return false;
    assert.equal(status, 403, `${method} ${path} ${JSON.stringify(headers)}: ${text}`);
    if (method !== 'HEAD') assert.match(text, /(?:Origin|Sec-Fetch-Site) must be/);
  }
  return true;
}

test('no control address of the playground is used', async () => {
  let refused = 0;
  for (const { method, url } of routes.filter((one) => one.url.startsWith('/playground'))) {
    if (await assertRefused(method, pathOf(url), foreign)) refused++;
  }
  assert(refused > 15, `${refused} addresses`);
});

test('no operation of the console changes anything, with the cookie and the token of the session', async () => {
  const signedIn = await send('POST', '/playground/sign-in', {
    'content-type': 'application/json',
  });
  const [cookie = ''] = signedIn.headers['set-cookie']?.[0]?.split(';') ?? [];
  const { csrfToken } = JSON.parse((await send('GET', '/console/session', { cookie })).text);
  const session = { cookie, 'landfall-csrf-token': csrfToken };
  const ways = [...foreign, {}].map((headers) => ({ ...session, ...headers }));
  let refused = 0;
  for (const { method, url } of routes) {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) continue;
    // Those for tokens take neither a session nor a token.
    if (!/^\/(?:api|console)\//.test(url) || url.includes('/oauth/')) continue;
    const path = url.startsWith('/api/') ? `/console/api${pathOf(url)}` : pathOf(url);
    if (await assertRefused(method, path, ways)) refused++;
  }
  assert(refused > 12, `${refused} addresses`);
  assert.equal((await send('GET', '/console/session', { cookie })).status, 200);
});

test('pages of this machine and programs are admitted', async () => {
  for (const headers of [
    {},
    { origin: own, 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    assert.equal((await send('GET', '/playground/clock', headers)).status, 200);
  }
});
