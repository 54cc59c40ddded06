// The exchange: what it gives, and each of its refusals.
import assert from 'node:assert/strict';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import {
  call,
  exchange,
  getAccessToken,
  goodGrant,
  makeClock,
  postForm,
  type Running,
  readResponse,
  sendGrant,
  startAccess,
  type TokenResponse,
} from './running-access.test.part.js';
import { keyFile, readKeys, writeKeys } from './signing-keys/key-file.js';
import { openKeyRing } from './signing-keys/key-ring.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

function assertRefused({ status, body }: TokenResponse, error: string, why: RegExp): void {
  assert.equal(status, 400);
  assert.equal(body.error, error);
  assert.match(String(body.error_description), why);
}

const good = () => ({
  iss: running.idpUrl,
  client_id: 'playground-carrier',
  scope: 'customs:movement/entry',
  consumer: { authority: 'iso6523-actorid-upis', ID: '0192:310000019' },
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 60,
  jti: randomUUID(),
});

/** A token as the identity provider might sign it: with its own key, whatever it says. */
async function forge(claims: JWTPayload): Promise<string> {
  const keys = await openKeyRing(
    { folder: join(running.dataFolder, 'keys') },
    'identity-provider',
    running.clock,
  );
  keys.close();
  return keys.sign({ ...good(), ...claims });
}

test('a customs token verifies with the published keys and says for whom it is', async () => {
  const { status, body, headers } = await exchange(
    running,
    await getAccessToken(running, 'carrier'),
  );
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  const { access_token: token, ...rest } = body;
  assert.deepEqual(rest, {
    issued_token_type: 'access_token',
    token_type: 'Bearer',
    expires_in: 970,
  });
  const keys = createRemoteJWKSet(new URL(`${running.baseUrl}/api/access/jwks`));
  const { payload } = await jwtVerify(String(token), keys, {
    issuer: `${running.baseUrl}/api/access`,
    audience: running.baseUrl,
    algorithms: ['ES256'],
  });
  assert.equal(payload.sub, '0192:310000019');
  assert.equal(payload.client_id, 'playground-carrier');
  assert.equal(payload.scope, 'customs:movement/entry');
  assert.equal(Number(payload.exp) - Number(payload.iat), 970);
});

test('the names of RFC 8693 do as well as the short ones', async () => {
  const { status, body } = await postForm(`${running.baseUrl}/api/access/external/oauth/token`, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: await getAccessToken(running, 'carrier'),
  });
  assert.equal(status, 200);
  assert.equal(body.issued_token_type, 'urn:ietf:params:oauth:token-type:access_token');
});

test('a customs token has its whole lifetime, though the token it was exchanged for ended long before', async () => {
  const other = await startAccess({ tokenLifetime: 600 });
  const { body } = await exchange(other, await getAccessToken(other, 'carrier'));
  assert.equal(body.expires_in, 600);
  other.clock.moveOn(595);
  assert.equal((await call(other, String(body.access_token))).status, 200);
  other.clock.moveOn(10);
  assert.equal((await call(other, String(body.access_token))).status, 401);
  await other.close();
});

test('a form that lacks a parameter, has one twice or names another grant is refused', async () => {
  const url = `${running.baseUrl}/api/access/external/oauth/token`;
  const form = {
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: 'x',
  };
  for (const name of Object.keys(form)) {
    assertRefused(
      await postForm(url, { ...form, [name]: '' }),
      'invalid_request',
      new RegExp(`${name} is missing`),
    );
  }
  assertRefused(
    await postForm(url, `${new URLSearchParams(form)}&subject_token=y`),
    'invalid_request',
    /more than once/,
  );
  assertRefused(
    await postForm(url, { ...form, grant_type: 'password' }),
    'unsupported_grant_type',
    /'password'/,
  );
  assertRefused(
    await postForm(url, { ...form, subject_token_type: 'id_token' }),
    'invalid_request',
    /'id_token'/,
  );
  const json = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(form),
    headers: { 'content-type': 'application/json' },
  });
  assertRefused(await readResponse(json), 'invalid_request', /x-www-form-urlencoded/);
});

test('a token that is none, is not signed by the identity provider or has expired is refused', async () => {
  assertRefused(await exchange(running, 'x'), 'invalid_request', /does not verify/);
  const keys = await openKeyRing(
    { folder: join(running.dataFolder, 'other') },
    'identity-provider',
    running.clock,
  );
  keys.close();
  assertRefused(
    await exchange(running, await keys.sign(good())),
    'invalid_request',
    /does not verify/,
  );
  const past = Math.floor(Date.now() / 1000) - 60;
  assertRefused(
    await exchange(running, await forge({ exp: past })),
    'invalid_request',
    /has expired/,
  );
});

/** A token of the identity provider with another header. */
async function forgeTyped(typ: string | undefined, claims: JWTPayload = {}): Promise<string> {
  const file = join(running.dataFolder, 'keys', 'identity-provider.json');
  const [{ kid, privateKey }] = JSON.parse(await readFile(file, 'utf8')).keys;
  return new SignJWT({ ...good(), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid, ...(typ === undefined ? {} : { typ }) })
    .sign(createPrivateKey({ key: privateKey, format: 'jwk' }));
}

test('a token is accepted as at+jwt, as JWT and without a type, and as nothing else', async () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', undefined]) {
    const { status, body } = await exchange(running, await forgeTyped(typ));
    assert.equal(status, 200, `${typ}: ${body.error_description}`);
  }
  for (const typ of ['logout+jwt', 'dpop+jwt', 'id+jwt', 'secevent+jwt', 'JOSE', '']) {
    assertRefused(await exchange(running, await forgeTyped(typ)), 'invalid_request', /typ is/);
  }
});

test('a token is refused from the second of its end on', async () => {
  const clock = makeClock();
  const other = await startAccess({ clock });
  const token = await getAccessToken(other, 'carrier');
  clock.moveOn(110);
  assert.equal((await exchange(other, token)).status, 200);
  clock.moveOn(10);
  assertRefused(await exchange(other, token), 'invalid_request', /has expired/);
  await other.close();
});

test('a token that is valid for more than a day is refused, whatever its iat says', async () => {
  const now = Math.floor(Date.now() / 1000);
  const years = 10 * 365 * 86_400;
  for (const claims of [
    { iat: now, exp: now + years },
    { iat: undefined, exp: now + years },
    { iat: now + years - 60, exp: now + years },
    { iat: now - years, exp: now + 60 },
    { iat: now, exp: now + 86_460 },
  ] as JWTPayload[]) {
    assertRefused(await exchange(running, await forge(claims)), 'invalid_request', /86400 s/);
  }
  assert.equal((await exchange(running, await forge({ iat: now, exp: now + 86_400 }))).status, 200);
});

const url = () => `${running.baseUrl}/api/access/external/oauth/token`;
const scope = 'customs:movement/entry customs:movement/air';

async function exchangeWith(parameters: Record<string, string> | string): Promise<TokenResponse> {
  const form = new URLSearchParams({
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: await forge({ scope }),
  });
  return postForm(url(), `${form}&${new URLSearchParams(parameters)}`);
}

test('scope narrows a customs token and never widens it', async () => {
  const { status, body } = await exchangeWith({ scope: 'customs:movement/air' });
  assert.equal(status, 200);
  assert.equal(decodeJwt(String(body.access_token)).scope, 'customs:movement/air');
  const empty = await exchangeWith({ scope: '' });
  assert.equal(decodeJwt(String(empty.body.access_token)).scope, scope);
  for (const wider of ['customs:movement/road/v2', 'customs:movement/air customs:nothing', ' ']) {
    assertRefused(await exchangeWith({ scope: wider }), 'invalid_scope', /scope/);
  }
  assertRefused(await exchangeWith('scope=a&scope=b'), 'invalid_request', /more than once/);
});

test('every other parameter of RFC 8693 is honoured or refused', async () => {
  const urn = 'urn:ietf:params:oauth:token-type:';
  const { baseUrl } = running;
  for (const parameters of [
    { requested_token_type: 'access_token' },
    { requested_token_type: `${urn}access_token` },
    { audience: baseUrl },
    { resource: `${baseUrl}/` },
    { audience: baseUrl, resource: baseUrl, actor_token: '' },
    `audience=${baseUrl}&audience=${baseUrl}/`,
  ]) {
    const { status, body } = await exchangeWith(parameters);
    assert.equal(status, 200, String(body.error_description));
    assert.equal(body.issued_token_type, 'access_token');
    assert.equal(decodeJwt(String(body.access_token)).aud, baseUrl);
  }
  for (const [parameters, error] of [
    [{ requested_token_type: `${urn}refresh_token` }, 'invalid_request'],
    [{ requested_token_type: `${urn}saml2` }, 'invalid_request'],
    [{ audience: 'https://x.example' }, 'invalid_target'],
    [{ resource: 'https://x.example' }, 'invalid_target'],
    [`audience=${baseUrl}&audience=https://x.example`, 'invalid_target'],
    [{ actor_token: 'x', actor_token_type: `${urn}access_token` }, 'invalid_request'],
    [{ actor_token_type: `${urn}access_token` }, 'invalid_request'],
  ] as const) {
    assertRefused(await exchangeWith(parameters), error, /must be|not accepted/);
  }
});

test('a token of another issuer or for another audience is refused; one for us is taken', async () => {
  assertRefused(
    await exchange(running, await forge({ iss: 'https://x.example' })),
    'invalid_request',
    /iss is/,
  );
  assertRefused(
    await exchange(running, await forge({ aud: 'https://x.example' })),
    'invalid_request',
    /is for/,
  );
  assert.equal((await exchange(running, await forge({ aud: running.baseUrl }))).status, 200);
});

test('a token that names no organisation, client or scope is refused', async () => {
  for (const consumer of [
    null,
    {},
    { authority: 'other', ID: '0192:310000019' },
    { authority: 'iso6523-actorid-upis', ID: 'NTRDE-HRB000001' },
    { authority: 'etsi-en-319-412', ID: '0192:310000019' },
  ]) {
    assertRefused(
      await exchange(running, await forge({ consumer })),
      'invalid_request',
      /consumer|organisation/,
    );
  }
  assertRefused(
    await exchange(running, await forge({ client_id: 7 })),
    'invalid_request',
    /no client/,
  );
  assertRefused(
    await exchange(running, await forge({ scope: ' ' })),
    'invalid_request',
    /no scope/,
  );
});

const notGranted: [string, string, JWTPayload][] = [
  ['that the organisation has not', 'customs:movement/rail', {}],
  ['that there is not', 'customs:everything', {}],
  ['in its foreign form, of a domestic organisation', 'customs:eu/movement/entry', {}],
  [
    'of an organisation that is not registered',
    'customs:movement/entry',
    {
      consumer: { authority: 'iso6523-actorid-upis', ID: '0192:999999999' },
    },
  ],
  [
    'in its plain form, of a foreign organisation',
    'customs:movement/entry',
    {
      consumer: { authority: 'etsi-en-319-412', ID: 'NTRDE-HRB000001' },
    },
  ],
];
for (const [what, scope, claims] of notGranted) {
  test(`a scope ${what} is refused in the words of the specification`, async () => {
    const { status, body } = await exchange(running, await forge({ scope, ...claims }));
    assert.equal(status, 400);
    assert.deepEqual(body, {
      error: 'invalid_scope',
      error_description: `not authorized to request scope ${scope}`,
    });
  });
}

test('one scope that is not granted among others refuses them all', async () => {
  const scope = 'customs:movement/entry customs:movement/rail';
  assertRefused(
    await exchange(running, await forge({ scope })),
    'invalid_scope',
    /movement\/rail$/,
  );
});

test('the test scope is never exchanged', async () => {
  for (const scope of ['customs:eu/test', 'customs:eu/movement/entry customs:eu/test']) {
    const grant = goodGrant(running.credentials('express'));
    grant.claims.scope = scope;
    const { body } = await sendGrant(running, grant);
    assertRefused(
      await exchange(running, String(body.access_token)),
      'invalid_scope',
      /^not authorized to request scope customs:eu\/test$/,
    );
  }
});

test('a blocked organisation gets no token of either kind', async () => {
  const token = await getAccessToken(running, 'forwarder');
  const id = '0192:310000027';
  const existing = await running.access.getOrganisation(id);
  assert.ok(existing);
  await running.access.putOrganisation(id, { ...existing, blocked: true });
  assertRefused(await exchange(running, token), 'invalid_request', /is blocked/);
  const { body } = await sendGrant(running, goodGrant(running.credentials('forwarder')));
  assert.match(String(body.error_description), /^MP-100 .*is blocked/);
  await running.access.putOrganisation(id, existing);
  assert.equal((await exchange(running, token)).status, 200);
});

test('another prefix makes other scopes', async () => {
  const toll = await startAccess({ scopePrefix: 'toll:' });
  const { body } = await exchange(toll, await getAccessToken(toll, 'carrier'));
  assert.equal(decodeJwt(String(body.access_token)).scope, 'toll:movement/entry');
  await toll.close();
});

test('when the last signing key has ended, the exchange is unavailable', async () => {
  const clock = makeClock();
  const other = await startAccess({ clock });
  const token = await getAccessToken(other, 'carrier');
  const file = keyFile({ folder: join(other.dataFolder, 'keys') }, 'customs-token');
  const endsAt = new Date(clock().getTime() + 5000).toISOString();
  await writeKeys(
    file,
    (await readKeys(file)).map((key) => ({ ...key, endsAt })),
  );
  await other.access.reloadKeys();
  clock.moveOn(6);
  const { status, headers, body } = await exchange(other, token);
  assert.equal(status, 503, JSON.stringify(body));
  assert.ok(headers.get('retry-after'));
  await other.close();
});
