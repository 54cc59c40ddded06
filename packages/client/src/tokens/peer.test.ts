// A token endpoint with a clock of its own, and one that does not respond.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { TokenError } from '../errors/token-error.js';
import { Landfall } from '../landfall.js';
import { GrantTokens } from './grant-tokens.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** What the identity provider does with the time at which a grant was issued, in seconds since 1970. */
let respond: (issuedAt: number, response: ServerResponse) => void;
let grants = 0;
/** What the exchange responds, and the service. */
let exchanged = '{"access_token":"token","expires_in":900}';
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const assertion = new URLSearchParams(body).get('assertion');
  if (request.method === 'GET') return response.end('OK');
  if (assertion === null) return response.end(exchanged);
  grants += 1;
  const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
  respond(claims.iat, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
// The cast is true because the server listens on a port, not on a pipe.
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const makeTokens = (scopes?: string[]) =>
  new GrantTokens({
    baseUrl,
    credentials: {
      kind: 'domestic',
      clientId: 'c',
      keyId: 'k',
      key,
      identityProvider: { url: baseUrl },
      ...(scopes && { scopes }),
    },
  });

/** Accepts only what was issued within a minute by a clock that is so much ahead. */
function providerAhead(seconds: number) {
  return (issuedAt: number, response: ServerResponse) => {
    const now = Date.now() + seconds * 1000;
    response.setHeader('Date', new Date(now).toUTCString());
    const isValid = Math.abs(issuedAt - now / 1000) < 60;
    response.statusCode = isValid ? 200 : 400;
    response.end(isValid ? '{"access_token":"a"}' : '{"error":"invalid_grant"}');
  };
}

test('a grant that is refused because the clock of this machine is wrong is issued by that of the provider', async () => {
  for (const seconds of [-86_400, -300, 300, 86_400]) {
    respond = providerAhead(seconds);
    const tokens = makeTokens();
    grants = 0;
    assert.equal(await tokens.getToken(['movement/entry']), 'token');
    assert.equal(grants, 2);
    // What was learned is used for every later grant.
    tokens.discard('token');
    assert.equal(await tokens.getToken(['movement/entry']), 'token');
    assert.equal(grants, 3);
    // The clock of this machine is set right.
    respond = providerAhead(0);
    tokens.discard('token');
    assert.equal(await tokens.getToken(['movement/entry']), 'token');
    assert.equal(grants, 5);
  }
});

test('no grant is signed for a time that is far away', async () => {
  for (const seconds of [-200_000, 200_000, 86_400 * 365]) {
    respond = providerAhead(seconds);
    grants = 0;
    await assert.rejects(makeTokens().getToken(['movement/entry']), TokenError);
    assert.equal(grants, 1);
  }
});

test('a refusal for another reason is not repeated, whatever its Date says', async () => {
  for (const [date, expected] of [
    [new Date().toUTCString(), 1],
    ['yesterday', 1],
    // It is tried once, because the provider may not say that time is the reason.
    [new Date(Date.now() + 3_600_000).toUTCString(), 2],
  ] as const) {
    grants = 0;
    respond = (_, response) => response.writeHead(400, { date }).end('{"error":"invalid_grant"}');
    await assert.rejects(makeTokens().getToken(['movement/entry']), TokenError);
    assert.equal(grants, expected, date);
  }
});

/** What is before an identity provider responds while nobody is signed in, or while it restarts. */
const strangers: Record<string, (response: ServerResponse) => void> = {
  'a page of HTML': (response) => response.end('<html>'),
  'a page of HTML that forbids': (response) => response.writeHead(403).end('<html>'),
  'a page that does not exist': (response) => response.writeHead(404).end('<html>'),
  'a redirect': (response) => response.writeHead(302, { location: 'https://idp.example/' }).end(),
  'JSON of another kind': (response) => response.end('{"status":"starting"}'),
  'no JSON': (response) => response.end(),
};
for (const [name, give] of Object.entries(strangers)) {
  test(`${name} in the place of a token passes`, async () => {
    const landfall = new Landfall({
      baseUrl,
      tokens: makeTokens(['customs:movement/entry']),
      retry: { baseDelayMs: 1 },
    });
    grants = 0;
    respond = (_, response) => (grants < 3 ? give(response) : response.end('{"access_token":"a"}'));
    assert.equal(await landfall.testAuth(), 'OK');
    assert.equal(grants, 3);
    // For ever, it is an error that says what came.
    respond = (_, response) => give(response);
    const tokens = makeTokens();
    await assert.rejects(
      tokens.getToken(['movement/entry']),
      (error) =>
        error instanceof TokenError && error.error === undefined && error.status !== undefined,
    );
  });
}

test('a token that does not say how long it is valid is kept for a while', async (t) => {
  respond = (_, response) => response.end('{"access_token":"a"}');
  t.after(() => {
    exchanged = '{"access_token":"token","expires_in":900}';
  });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  for (const expires_in of [undefined, null, 0, -5, 'soon', {}]) {
    exchanged = JSON.stringify({ access_token: 'token', expires_in });
    const tokens = makeTokens();
    grants = 0;
    for (let call = 0; call < 5; call++) await tokens.getToken(['movement/entry']);
    assert.equal(grants, 1, String(expires_in));
    t.mock.timers.tick(61_000);
    await tokens.getToken(['movement/entry']);
    assert.equal(grants, 2, String(expires_in));
  }
});

test('a token that has expired is not used, although its renewal has just failed', async (t) => {
  respond = (_, response) => response.end('{"access_token":"a"}');
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const tokens = makeTokens();
  await tokens.getToken(['movement/entry']);
  respond = (_, response) => response.writeHead(503).end();
  t.mock.timers.tick(898_000);
  assert.equal(await tokens.getToken(['movement/entry']), 'token');
  t.mock.timers.tick(3_000);
  await assert.rejects(tokens.getToken(['movement/entry']), TokenError);
});

test('when all who wait for a token are aborted, its request ends, and the next call begins another', async () => {
  const tokens = makeTokens();
  let held: ServerResponse | undefined;
  let arrived = () => {};
  respond = (_, response) => {
    held = response;
    arrived();
  };
  const requested = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const controllers = [new AbortController(), new AbortController()];
  const calls = controllers.map(({ signal }) => tokens.getToken(['movement/entry'], signal));
  await requested;
  assert(held !== undefined);
  const closed = once(held, 'close');
  controllers[0]?.abort(new RangeError('first'));
  await assert.rejects(calls[0] ?? Promise.resolve(), RangeError);
  assert.equal(held.closed, false, 'the other still waits');
  respond = (_, response) => response.end('{"access_token":"a"}');
  controllers[1]?.abort(new RangeError('second'));
  const next = tokens.getToken(['movement/entry']);
  await assert.rejects(calls[1] ?? Promise.resolve(), RangeError);
  await closed;
  assert.equal(await next, 'token');
});
