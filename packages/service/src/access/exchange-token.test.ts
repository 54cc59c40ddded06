// The token exchange: its result, its parameters, and the scopes that it grants.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { assertRefused, forge } from '../testing/forged-tokens.js';
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
} from '../testing/running-access.js';
import { keyFile, readKeys, writeKeys } from './signing-keys/key-file.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

test('a customs token verifies with the published keys and names its organisation', async () => {
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

test('the names of RFC 8693 are accepted as well as the short ones', async () => {
  const { status, body } = await postForm(`${running.baseUrl}/api/access/external/oauth/token`, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: await getAccessToken(running, 'carrier'),
  });
  assert.equal(status, 200);
  assert.equal(body.issued_token_type, 'urn:ietf:params:oauth:token-type:access_token');
});

test('a customs token stays valid after the end of the token that it was exchanged for', async () => {
  const other = await startAccess({ tokenLifetime: () => 600 });
  const { body } = await exchange(other, await getAccessToken(other, 'carrier'));
  assert.equal(body.expires_in, 600);
  other.clock.moveOn(595);
  assert.equal((await call(other, String(body.access_token))).status, 200);
  other.clock.moveOn(10);
  assert.equal((await call(other, String(body.access_token))).status, 401);
  await other.close();
});

test('a form with a missing or repeated parameter or another grant type is refused', async () => {
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

const url = () => `${running.baseUrl}/api/access/external/oauth/token`;
const scope = 'customs:movement/entry customs:movement/air';

async function exchangeWith(parameters: Record<string, string> | string): Promise<TokenResponse> {
  const form = new URLSearchParams({
    grant_type: 'token-exchange',
    subject_token_type: 'access_token',
    subject_token: await forge(running, { scope }),
  });
  return postForm(url(), `${form}&${new URLSearchParams(parameters)}`);
}

test('the scope parameter narrows a customs token and never widens it', async () => {
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

test('every other parameter of RFC 8693 takes effect or is refused', async () => {
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

const notGranted: [string, string, JWTPayload][] = [
  ['that the organisation does not have', 'customs:declaration.feed', {}],
  ['that does not exist', 'customs:everything', {}],
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
    const { status, body } = await exchange(running, await forge(running, { scope, ...claims }));
    assert.equal(status, 400);
    assert.deepEqual(body, {
      error: 'invalid_scope',
      error_description: `not authorized to request scope ${scope}`,
    });
  });
}

test('one scope that is not granted makes the whole request fail', async () => {
  const scope = 'customs:movement/entry customs:declaration.feed';
  assertRefused(
    await exchange(running, await forge(running, { scope })),
    'invalid_scope',
    /declaration\.feed$/,
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

test('a configured prefix replaces that of the scopes', async () => {
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
