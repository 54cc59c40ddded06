// The console over HTTP, on a playground: its pages, sessions, and the operations by session.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { type Playground, startPlayground } from '../../../playground/dist/index.js';

const SIGNALS = '/api/movement/routing/v1/house-consignment';
const PRESENT = '/api/movement/presentation/v1/house-consignment';

let playground: Playground;
before(async () => {
  playground = await startPlayground();
});
after(() => playground.close());

const send = (path: string, init: RequestInit = {}) =>
  fetch(playground.baseUrl + path, { redirect: 'manual', ...init });

/** Signs in, and returns the headers that a page sends. */
async function signIn(identity: string) {
  const response = await send('/playground/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity }),
  });
  assert.equal(response.status, 204);
  const cookie = response.headers.get('set-cookie') ?? '';
  const headers = { cookie: cookie.split(';', 1)[0] ?? '' };
  // The cast is true because this is what the console reads.
  const session = (await (await send('/console/session', { headers })).json()) as {
    organisation: string;
    scopes: string[];
    csrfToken: string;
  };
  const changing = {
    ...headers,
    origin: playground.baseUrl,
    'landfall-csrf-token': session.csrfToken,
  };
  return { cookie, headers, changing, session };
}

const presentation = (documentNumber: string) => ({
  method: 'POST',
  body: JSON.stringify({
    requestId: randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber, type: 'N750' },
  }),
});

test('every address of the console is its page, with a content policy that admits nothing inline', async () => {
  for (const path of ['/console/', '/console/gate?id=HC001', '/console/no/such/page']) {
    const response = await send(path);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  }
  assert.equal((await send('/console')).headers.get('location'), '/console/');
});

test('the page of an address names its scripts and styles, so that all of them are loaded at once', async () => {
  const linksOf = async (path: string) => {
    const link = (await send(path)).headers.get('link') ?? '';
    return Array.from(
      link.matchAll(/<([^>]+)>; rel=(?:modulepreload|preload; as=style)/g),
      ([, file = '']) => file,
    );
  };
  const gate = await linksOf('/console/gate?id=HC001');
  assert(
    gate.some((file) => /\/gate-page-[^/]+\.js$/.test(file)),
    gate.join(),
  );
  assert(
    gate.some((file) => file.endsWith('.css')),
    gate.join(),
  );
  for (const file of gate) assert.equal((await send(file)).status, 200, file);
  assert.deepEqual(
    await linksOf('/console/consignments/1'),
    await linksOf('/console/consignments/2'),
  );
  assert.deepEqual(await linksOf('/console/no/such/page'), []);
});

test('scripts and styles are compressed and kept for ever, and what does not exist is not found', async () => {
  const page = await (await send('/console/')).text();
  const [, script = ''] = /src="([^"]+)"/.exec(page) ?? [];
  const response = await send(script, { headers: { 'accept-encoding': 'br' } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-encoding'), 'br');
  assert.match(response.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
  for (const path of ['nothing.js', '..%2findex.html', '%00']) {
    const missing = await send(`/console/assets/${path}`);
    assert([400, 403, 404].includes(missing.status), `${path}: ${missing.status}`);
    assert.match(missing.headers.get('content-type') ?? '', /^application\/problem\+json/);
  }
});

test('headers that no file needs cause no error', async () => {
  for (const path of ['/console/', '/console/assets/nothing.js']) {
    for (const headers of [
      { range: 'bytes=9999999-' },
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    ]) {
      const { status } = await send(path, { headers });
      assert.equal(status, path === '/console/' ? 200 : 404, JSON.stringify(headers));
    }
  }
});

test('a browser that opens / comes to the console, and a program gets a problem', async () => {
  const browser = await send('/', { headers: { accept: 'text/html,*/*;q=0.8' } });
  assert.equal(browser.status, 302);
  assert.equal(browser.headers.get('location'), '/console/');
  for (const accept of ['*/*', 'application/json']) {
    const program = await send('/', { headers: { accept } });
    assert.equal(program.status, 404);
    assert.equal(program.headers.get('content-type'), 'application/problem+json');
  }
});

test('scripts cannot read the cookie of a session, and other sites cannot make a browser send it', async () => {
  const { cookie, session } = await signIn('carrier');
  assert.match(cookie, /; HttpOnly/);
  assert.match(cookie, /; SameSite=Strict/);
  assert.match(cookie, /; Path=\/console/);
  assert.deepEqual(session.scopes, [
    'movement/entry',
    'movement/road/v2',
    'movement/air',
    'movement/rail',
    'movement/maritime',
    'movement/transportarrival',
  ]);
  assert.equal(session.organisation, '0192:310000019');
  assert(!JSON.stringify(session).includes(cookie.split(/[=;]/)[1] ?? ''));
});

test('an operation through the console is the operation of the API, for the caller of the session', async () => {
  const carrier = await signIn('carrier');
  const present = await send(`/console/api${PRESENT}`, {
    ...presentation('NO100000001MU'),
    headers: { ...carrier.changing, 'content-type': 'application/json' },
  });
  assert.equal(present.status, 202);
  const signals = await send(`/console/api${SIGNALS}`, { headers: carrier.headers });
  // The cast is true because it is a page of signals.
  const [signal] = (await signals.json()) as [
    { transportDocumentHouseLevel: { documentNumber: string } },
  ];
  assert.equal(signal.transportDocumentHouseLevel.documentNumber, 'NO100000001MU');
  const other = await signIn('express');
  const otherSignals = await send(`/console/api${SIGNALS}`, { headers: other.headers });
  assert.deepEqual(await otherSignals.json(), []);
});

test('the scope of the operation is required', async () => {
  const { headers } = await signIn('carrier');
  const versions = await send('/console/api/api/authority/v1/versions', { headers });
  assert.equal(versions.status, 403);
  const newcomer = await signIn('newcomer');
  assert.deepEqual(newcomer.session.scopes, []);
  const signals = await send(`/console/api${SIGNALS}`, { headers: newcomer.headers });
  assert.equal(signals.status, 403);
});

test('the cookie is no token of the API, and a token is no session of the console', async () => {
  const { headers } = await signIn('carrier');
  assert.equal((await send(SIGNALS, { headers })).status, 401);
  const authorized = await send(`/console/api${SIGNALS}`, {
    headers: { authorization: 'Bearer anything' },
  });
  assert.equal(authorized.status, 401);
});

test('a request that changes data must have the CSRF token and come from a page of the console', async () => {
  const { headers, changing } = await signIn('carrier');
  const other = await signIn('carrier');
  for (const wrong of [
    headers,
    { ...headers, origin: playground.baseUrl },
    { ...changing, origin: 'https://other.example' },
    { ...changing, origin: 'null' },
    { ...headers, 'landfall-csrf-token': changing['landfall-csrf-token'] },
    { ...changing, 'landfall-csrf-token': other.changing['landfall-csrf-token'] },
    { ...changing, 'landfall-csrf-token': '' },
  ]) {
    const response = await send(`/console/api${PRESENT}`, {
      ...presentation('NO100000002MU'),
      headers: { ...wrong, 'content-type': 'application/json' },
    });
    assert.equal(response.status, 403, JSON.stringify(wrong));
    const end = await send('/console/session', { method: 'DELETE', headers: wrong });
    assert.equal(end.status, 403);
  }
  const { port } = new URL(playground.baseUrl);
  const sameHost = `http://127.0.0.1:${port}`;
  const response = await fetch(`${sameHost}/console/session`, {
    method: 'DELETE',
    headers: { ...changing, origin: sameHost },
  });
  assert.equal(response.status, 204);
});

test('after signing out, the session is gone', async () => {
  const { headers, changing } = await signIn('carrier');
  const end = await send('/console/session', { method: 'DELETE', headers: changing });
  assert.equal(end.status, 204);
  assert.match(end.headers.get('set-cookie') ?? '', /Max-Age=0/);
  assert.equal((await send('/console/session', { headers })).status, 204);
  const signals = await send(`/console/api${SIGNALS}`, { headers });
  assert.equal(signals.status, 401);
  assert.equal(signals.headers.get('content-type'), 'application/problem+json');
});

test('signing in again ends the session that the browser had', async () => {
  const before = await signIn('carrier');
  await send('/playground/sign-in', {
    method: 'POST',
    headers: { ...before.headers, 'content-type': 'application/json' },
    body: '{"identity":"express"}',
  });
  assert.equal((await send(`/console/api${SIGNALS}`, { headers: before.headers })).status, 401);
});

test('a stream that is open ends with its session', async () => {
  const { headers, changing } = await signIn('forwarder');
  const stream = request(`${playground.baseUrl}/console/api${SIGNALS}`, {
    headers: { ...headers, accept: 'text/event-stream' },
  }).end();
  const [response] = await once(stream, 'response');
  assert.equal(response.statusCode, 200);
  response.resume();
  await send('/console/session', { method: 'DELETE', headers: changing });
  await once(response, 'end');
});

test('only an identity of the playground can be signed in as', async () => {
  for (const body of [
    '{"identity":"nobody"}',
    '{}',
    '{"identity":1}',
    '[]',
    '{"identity":"carrier","a":1}',
  ]) {
    const response = await send('/playground/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(response.status, 400, body);
    assert.equal(response.headers.get('set-cookie'), null);
  }
  const elsewhere = await send('/playground/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://other.example' },
    body: '{"identity":"carrier"}',
  });
  assert.equal(elsewhere.status, 403);
});

test('only operations are below /console/api', async () => {
  const { headers } = await signIn('carrier');
  for (const path of ['/livez', '/metrics', '/playground/clock', '/console/session', '/docs/']) {
    const response = await send(`/console/api${path}`, { headers });
    assert.equal(response.status, 404, path);
  }
});

test('requests of the console are not recorded as requests of a client', () => {
  assert.deepEqual(
    playground.requests().filter(({ url }) => url.startsWith('/console')),
    [],
  );
});
