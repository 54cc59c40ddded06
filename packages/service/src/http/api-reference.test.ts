// The API reference in a real browser: it shows every operation and sends requests to this server only.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { noBrowser, openBrowser } from '../testing/browser.js';
import { wideLimits } from '../testing/wide-limits.js';
import { addApiReference } from './api-reference.js';
import { makeServer } from './server.js';

/** Serves only the reference; returns its base address. */
async function serveReference(scopePrefix = 'customs:', identityProvider = true): Promise<string> {
  const { app } = await makeServer({ logLevel: 'silent' });
  // The port is not known yet; no request of these tests goes to the base address.
  await addApiReference(app, {
    findBaseUrl: () => 'http://localhost:8080',
    scopePrefix,
    identityProvider,
    unread: wideLimits().unread,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  after(() => app.close());
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

test('the OpenAPI document names this server and its scopes', async () => {
  const response = await fetch(`${await serveReference('toll:')}/openapi.json`);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const text = await response.text();
  assert.match(text, /"servers":\[{"url":"http:\/\/localhost:8080"/);
  assert.match(text, /toll:movement\/entry/);
});

test('the AsyncAPI document names this server and its scopes', async () => {
  const response = await fetch(`${await serveReference('toll:')}/asyncapi.json`);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const text = await response.text();
  assert.match(text, /"host":"localhost:8080"/);
  assert.match(text, /toll:declaration\.feed/);
});

test('with an external identity provider, the OpenAPI document has none of its addresses', async () => {
  const read = async (identityProvider: boolean) =>
    (await fetch(`${await serveReference('customs:', identityProvider)}/openapi.json`)).text();
  assert.match(await read(true), /"\/idp\/token"/);
  assert.doesNotMatch(await read(false), /"\/idp\//);
});

test('/docs/api redirects to /docs/api/, which allows only GET', async () => {
  const base = await serveReference();
  const response = await fetch(`${base}/docs/api`, { redirect: 'manual' });
  assert.equal(response.status, 301);
  assert.equal(response.headers.get('location'), '/docs/api/');
  assert.equal((await fetch(`${base}/docs/api/`, { method: 'POST' })).status, 405);
});

test('the OpenAPI document is not below the pages, and a Host that is none is refused', async () => {
  const base = await serveReference();
  for (const name of ['openapi.json', 'openapi.yaml']) {
    const response = await fetch(`${base}/docs/api/${name}`);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.match(await response.text(), /is at http:\/\/localhost:8080\/openapi.json/);
  }
  for (const path of ['/docs/api', '/docs/api/']) {
    const { port } = new URL(base);
    const [response] = await once(get({ port, path, headers: { host: 'a b' } }), 'response');
    response.resume();
    assert.equal(response.statusCode, 400);
  }
});

test('the content policy admits the scripts of the page, and no other', async () => {
  const base = await serveReference();
  for (const path of ['/docs/api/', '/docs/api', '/docs/api/js/scalar.js', '/docs/api/none']) {
    const response = await fetch(base + path, { redirect: 'manual' });
    const policy = response.headers.get('content-security-policy') ?? '';
    const [scripts = ''] = /script-src [^;]*/.exec(policy) ?? [];
    assert.match(scripts, /^script-src 'self'(?: 'sha256-[\w+/]{43}=')*$/, path);
    assert.equal(scripts.includes('sha256'), path === '/docs/api/', path);
  }
});

test('a browser shows every operation and sends requests to no other host', {
  skip: noBrowser,
}, async () => {
  const base = await serveReference();
  const browser = await openBrowser();
  const page = await browser.newPage();
  // A busy machine takes longer than the default of 30 s.
  page.setDefaultTimeout(180_000);
  const elsewhere: string[] = [];
  const browserErrors: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== base) elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  await page.goto(`${base}/docs/api/`);
  await page.getByRole('heading', { name: 'Landfall' }).first().waitFor();
  const table: Operation[] = Object.values(operations);
  for (const { summary } of table) {
    const title = page.getByText(summary, { exact: true }).first();
    await title.waitFor({ state: 'attached' });
  }
  // Fonts or a proxy would be requested after the page has loaded.
  await page.waitForTimeout(1000);
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(browserErrors, []);
  // What an attacker puts into the page does not run.
  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
  }`);
  assert.equal(await page.evaluate('window.injected'), undefined);
  if (process.env.TEST_SCREENSHOT) await page.screenshot({ path: process.env.TEST_SCREENSHOT });
});
