// Each of the identity provider's codes, by a grant that breaks its rule and no other.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  type IdentityProviderErrorCode,
  identityProviderErrors,
  JWT_BEARER_GRANT,
} from '@landfall/contract';
import { base64url, SignJWT } from 'jose';
import {
  goodGrant,
  postForm,
  type Running,
  readResponse,
  sendGrant,
  signGrant,
  startAccess,
  type TokenResponse,
  type UnsignedGrant,
} from '../../access/running-access.test.part.js';
import { openIdentityProvider } from './identity-provider.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

function grantOf(name: string): UnsignedGrant {
  return goodGrant(running.credentials(name));
}

function assertRefused(
  { status, body, headers }: TokenResponse,
  code: IdentityProviderErrorCode,
  error: string = identityProviderErrors[code].error,
): void {
  const description = String(body.error_description);
  assert.equal(description.slice(0, 6), code, description);
  assert.equal(body.error, error);
  assert.equal(status, error === 'invalid_client' ? 401 : 400);
  // RFC 6749, section 5.2: the characters that a description may have.
  assert.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  const challenge = `Bearer error="${error}", error_description="${description}"`;
  assert.equal(headers.get('www-authenticate'), status === 401 ? challenge : null);
  const id = /\(correlation id: ([0-9a-f-]{36})\)$/.exec(description)?.[1];
  assert.ok(id, description);
  assert.ok(running.log.some((line) => line.includes(id) && line.includes(code)));
}

test('a grant whose header names an extension that must be understood', async () => {
  const { header, claims, key } = grantOf('carrier');
  const assertion = await new SignJWT(claims)
    .setProtectedHeader({ ...header, crit: ['urn:example:more'], 'urn:example:more': 1 })
    .sign(key, { crit: { 'urn:example:more': true } });
  assertRefused(await sendGrant(running, assertion), 'MP-011');
});

test('a grant whose signature is not base64url', async () => {
  const assertion = await signGrant(grantOf('carrier'));
  assertRefused(await sendGrant(running, `${assertion}!`), 'MP-124');
});

/** What is changed in a good grant of `carrier`, and the code of its refusal. */
const changes: [string, IdentityProviderErrorCode, (grant: UnsignedGrant) => void][] = [
  ['without iss', 'MP-011', ({ claims }) => delete claims.iss],
  ['without aud', 'MP-011', ({ claims }) => delete claims.aud],
  ['without scope', 'MP-011', ({ claims }) => delete claims.scope],
  ['with a blank scope', 'MP-011', ({ claims }) => (claims.scope = ' ')],
  ['without iat', 'MP-011', ({ claims }) => delete claims.iat],
  ['without exp', 'MP-011', ({ claims }) => delete claims.exp],
  ['with a jti that is a number', 'MP-011', ({ claims }) => (claims.jti = 7)],
  ['with a NUL in iss', 'MP-011', ({ claims }) => (claims.iss = 'a\0b')],
  ['with a NUL in jti', 'MP-011', ({ claims }) => (claims.jti = 'a\0b')],
  ['with a jti of 300 characters', 'MP-011', ({ claims }) => (claims.jti = 'x'.repeat(300))],
  ['with neither x5c nor kid', 'MP-011', ({ header }) => delete header.x5c],
  ['of a client that is not registered', 'MP-100', ({ claims }) => (claims.iss = 'nobody')],
  ['for another audience', 'MP-110', ({ claims }) => (claims.aud = 'https://idp.example')],
  [
    'for several other audiences',
    'MP-110',
    ({ claims }) => (claims.aud = ['https://idp.example', running.baseUrl]),
  ],
  ['whose x5c is no certificate', 'MP-120', ({ header }) => (header.x5c = ['AAAA'])],
  [
    'in the name of another client',
    'MP-122',
    ({ claims }) => (claims.iss = 'playground-forwarder'),
  ],
  ['whose x5c is empty', 'MP-123', ({ header }) => (header.x5c = [])],
  [
    'signed with another key',
    'MP-124',
    (grant) => (grant.key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  ],
  [
    'signed with a kind of key that the certificate does not have',
    'MP-124',
    (grant) => {
      grant.key = generateKeyPairSync('ed25519').privateKey;
      grant.header.alg = 'EdDSA';
    },
  ],
  [
    'signed with a secret',
    'MP-124',
    (grant) => {
      grant.key = new Uint8Array(32);
      grant.header.alg = 'HS256';
    },
  ],
  [
    'with a kid that is not registered',
    'MP-124',
    ({ header }) => {
      delete header.x5c;
      header.kid = 'unknown';
    },
  ],
  [
    'for a scope that there is not',
    'MP-200',
    ({ claims }) => (claims.scope = 'customs:everything'),
  ],
  [
    'for a scope of another prefix',
    'MP-200',
    ({ claims }) => (claims.scope = 'toll:movement/entry'),
  ],
  [
    'for a scope that the client is not registered with',
    'MP-200',
    ({ claims }) => (claims.scope = 'customs:movement/entry customs:declaration.feed'),
  ],
  [
    'for a foreign scope, by a domestic client',
    'MP-200',
    ({ claims }) => (claims.scope = 'customs:eu/movement/entry'),
  ],
  [
    'for the test scope, by a domestic client',
    'MP-200',
    ({ claims }) => (claims.scope = 'customs:eu/test'),
  ],
];

for (const [what, code, change] of changes) {
  test(`a grant ${what} is refused with ${code}`, async () => {
    const grant = grantOf('carrier');
    change(grant);
    assertRefused(await sendGrant(running, grant), code);
  });
}

test('a grant whose x5c is a text is refused with MP-123', async () => {
  const [, claims, signature] = (await signGrant(grantOf('carrier'))).split('.');
  const header = base64url.encode(JSON.stringify({ alg: 'ES256', x5c: 'AAAA' }));
  assertRefused(await sendGrant(running, `${header}.${claims}.${signature}`), 'MP-123');
});

test('a grant without a signature is refused with MP-124', async () => {
  const grant = grantOf('carrier');
  const header = base64url.encode(JSON.stringify({ ...grant.header, alg: 'none' }));
  const claims = base64url.encode(JSON.stringify(grant.claims));
  assertRefused(await sendGrant(running, `${header}.${claims}.`), 'MP-124');
});

test('what is not a JWT is refused with MP-011', async () => {
  for (const assertion of ['x', 'a.b.c', '..', 'eyJhbGciOiJFUzI1NiJ9.AAAA.AAAA']) {
    assertRefused(await sendGrant(running, assertion), 'MP-011');
  }
});

test('a form that lacks a parameter, or has one twice, is refused with MP-011', async () => {
  const url = `${running.idpUrl}/token`;
  const assertion = await signGrant(grantOf('carrier'));
  assertRefused(await postForm(url, {}), 'MP-011');
  assertRefused(await postForm(url, { assertion }), 'MP-011');
  assertRefused(await postForm(url, { grant_type: JWT_BEARER_GRANT }), 'MP-011');
  assertRefused(
    await postForm(url, `grant_type=${JWT_BEARER_GRANT}&assertion=${assertion}&assertion=x`),
    'MP-011',
  );
});

test('another grant type is refused as such', async () => {
  assertRefused(
    await postForm(`${running.idpUrl}/token`, { grant_type: 'client_credentials' }),
    'MP-011',
    'unsupported_grant_type',
  );
});

test('a body that is not a form, or is too large, is refused in the form of OAuth', async () => {
  const send = async (body: string, type: string) =>
    readResponse(
      await fetch(`${running.idpUrl}/token`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      }),
    );
  const form = 'application/x-www-form-urlencoded';
  assertRefused(await send('{}', 'application/json'), 'MP-011');
  assertRefused(await send('{', 'application/json'), 'MP-011');
  assertRefused(await send('x', 'text/plain'), 'MP-011');
  assertRefused(await send('x', 'image/png'), 'MP-011');
  assertRefused(await send(`assertion=${'x'.repeat(100_000)}`, form), 'MP-011');
});

test('times outside the rule are refused with MP-130, and those at its edge are taken', async () => {
  const now = Math.floor(Date.now() / 1000);
  const send = (iat: number, exp: number, more: Record<string, number> = {}) => {
    const grant = grantOf('carrier');
    Object.assign(grant.claims, { iat, exp, ...more });
    return sendGrant(running, grant);
  };
  assertRefused(await send(now, now + 121), 'MP-130');
  assertRefused(await send(now - 60, now - 12), 'MP-130');
  assertRefused(await send(now + 15, now + 60), 'MP-130');
  assertRefused(await send(now, now - 5), 'MP-130');
  assertRefused(await send(now, now + 60, { nbf: now + 20 }), 'MP-130');
  assert.equal((await send(now, now + 120)).status, 200);
  assert.equal((await send(now - 60, now - 5)).status, 200);
  assert.equal((await send(now + 8, now + 100)).status, 200);
});

test('aud may have a slash at its end, and names one audience only', async () => {
  const send = (aud: unknown) => {
    const grant = grantOf('carrier');
    grant.claims.aud = aud;
    return sendGrant(running, grant);
  };
  for (const aud of [`${running.idpUrl}/`, [running.idpUrl]]) {
    assert.equal((await send(aud)).status, 200);
  }
  assertRefused(await send(['https://x.example', `${running.idpUrl}/`]), 'MP-110');
  assertRefused(await send([running.idpUrl, running.idpUrl]), 'MP-110');
  assertRefused(await send([]), 'MP-011');
});

test('a grant that requests to act for another organisation is refused, and one that names its own is accepted', async () => {
  const send = (name: string, claims: Record<string, unknown>) => {
    const grant = grantOf(name);
    Object.assign(grant.claims, claims);
    return sendGrant(running, grant);
  };
  const other = { authority: 'iso6523-actorid-upis', ID: '0192:310000027' };
  const own = { authority: 'iso6523-actorid-upis', ID: '0192:310000019' };
  const systemUser = (org: unknown) => [{ type: 'urn:altinn:systemuser', systemuser_org: org }];
  for (const claims of [
    { consumer_org: '310000027' },
    { consumerOrg: '0192:310000027' },
    { consumer_org: '' },
    { consumer_org: null },
    { consumer: other },
    { supplier: other },
    { authorization_details: systemUser(other) },
    { authorization_details: [...systemUser(own), ...systemUser(other)] },
    { authorization_details: [{ type: 'urn:altinn:systemuser' }] },
    { authorization_details: [] },
    { authorization_details: 'all' },
    { act: { sub: 'playground-forwarder' } },
    { act: { sub: 'playground-carrier', act: { sub: 'playground-forwarder' } } },
    { may_act: { sub: 'playground-forwarder' } },
    { on_behalf_of: '0192:310000027' },
    { delegation: true },
    { delegation_source: 'https://altinn.example' },
    { sub: 'playground-forwarder' },
  ]) {
    const refused = await send('carrier', claims);
    assertRefused(refused, 'MP-250', 'invalid_grant');
    const [name = ''] = Object.keys(claims);
    assert.ok(String(refused.body.error_description).includes(`'${name}' is `));
  }
  for (const claims of [
    { consumer_org: '310000019' },
    { consumer_org: '0192:310000019' },
    { consumer: own },
    { authorization_details: systemUser(own) },
    { act: { sub: 'playground-carrier' } },
    { sub: 'playground-carrier' },
    { sub: '0192:310000019' },
  ]) {
    const { status, body } = await send('carrier', claims);
    assert.equal(status, 200, String(body.error_description));
  }
  assertRefused(await send('express', { consumer_org: '310000019' }), 'MP-250', 'invalid_grant');
  const iss = 'NTRDE-OTHER';
  assertRefused(await send('express', { iss, consumer_org: iss }), 'MP-250', 'invalid_grant');
  assert.equal((await send('express', { iss, sub: iss })).status, 200);
  const { organisation } = running.credentials('express');
  assert.equal((await send('express', { consumer_org: organisation })).status, 200);
});

test('a jti is taken once, whichever server it comes to, and a refused grant does not use it up', async () => {
  const grant = grantOf('carrier');
  const { scope } = grant.claims;
  grant.claims.scope = 'customs:declaration.feed';
  assertRefused(await sendGrant(running, grant), 'MP-200');
  grant.claims.scope = scope;
  assert.equal((await sendGrant(running, grant)).status, 200);
  assertRefused(await sendGrant(running, grant), 'MP-012');

  const { database, baseUrl, idpUrl, dataFolder } = running;
  const other = await openIdentityProvider({
    database,
    issuer: idpUrl,
    audience: baseUrl,
    scopePrefix: 'customs:',
    keys: { folder: `${dataFolder}/keys` },
    trustedIssuers: [],
  });
  const form = { grant_type: JWT_BEARER_GRANT, assertion: await signGrant(grant) };
  await assert.rejects(async () => other.requestAccessToken(form, randomUUID(), () => undefined), {
    code: 'MP-012',
  });
  other.close();
});

test('a grant may name this service as its resource, and no other', async () => {
  for (const resource of [running.baseUrl, [`${running.baseUrl}/`]]) {
    const grant = grantOf('carrier');
    grant.claims.resource = resource;
    assert.equal((await sendGrant(running, grant)).status, 200);
  }
  for (const resource of ['https://other.example', [running.baseUrl, 'https://other.example']]) {
    const grant = grantOf('carrier');
    grant.claims.resource = resource;
    const refused = await sendGrant(running, grant);
    assertRefused(refused, 'MP-011', 'invalid_target');
    assert.match(String(refused.body.error_description), /resource is 'https:\/\/other\.example'/);
  }
  const grant = grantOf('carrier');
  grant.claims.resource = 5;
  assertRefused(await sendGrant(running, grant), 'MP-011');
});

test('of many that send the same grant at once, one gets a token', async () => {
  const assertion = await signGrant(grantOf('carrier'));
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => sendGrant(running, assertion)),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
});

test('a grant without a jti may be sent again', async () => {
  const grant = grantOf('carrier');
  delete grant.claims.jti;
  assert.equal((await sendGrant(running, grant)).status, 200);
  assert.equal((await sendGrant(running, grant)).status, 200);
});

test('an eSeal is known by its certificate, whatever iss says', async () => {
  const grant = grantOf('express');
  grant.claims.iss = 'playground-carrier';
  assert.equal((await sendGrant(running, grant)).status, 200);
});

test('an eSeal may have the test scope, and no plain one', async () => {
  const grant = grantOf('express');
  grant.claims.scope = 'customs:eu/test';
  assert.equal((await sendGrant(running, grant)).status, 200);
  const plain = grantOf('express');
  plain.claims.scope = 'customs:movement/entry';
  assertRefused(await sendGrant(running, plain), 'MP-200');
});

test('an eSeal whose organisation is not granted the scope is refused with MP-250', async () => {
  const grant = grantOf('express');
  grant.claims.scope = 'customs:eu/movement/air';
  assertRefused(await sendGrant(running, grant), 'MP-250');
});

test('the leaf of a registered certificate is enough for a domestic client, and not for an eSeal', async () => {
  const domestic = grantOf('carrier');
  domestic.header.x5c = domestic.header.x5c?.slice(0, 1) ?? [];
  assert.equal((await sendGrant(running, domestic)).status, 200);
  const foreign = grantOf('express');
  foreign.header.x5c = foreign.header.x5c?.slice(0, 1) ?? [];
  assertRefused(await sendGrant(running, foreign), 'MP-120');
});

test('a certificate that is not registered is taken with its chain, when it is the organisation of the client', async () => {
  const id = '0192:310000019';
  const existing = await running.access.getOrganisation(id);
  assert.ok(existing);
  const clients = existing.clients.map((client) => ({ ...client, certificates: [] }));
  await running.access.putOrganisation(id, { ...existing, clients });
  assert.equal((await sendGrant(running, grantOf('carrier'))).status, 200);
  const alone = grantOf('carrier');
  alone.header.x5c = alone.header.x5c?.slice(0, 1) ?? [];
  assertRefused(await sendGrant(running, alone), 'MP-120');
  await running.access.putOrganisation(id, existing);
});
