// Each of the identity provider's error codes, by a grant that breaks one rule.
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type IdentityProviderErrorCode, JWT_BEARER_GRANT } from '@landfall/contract';
import { base64url, SignJWT } from 'jose';
import { assertRefused } from '../../../service/dist/testing/refused-grant.js';
import {
  goodGrant,
  postForm,
  type Running,
  readResponse,
  sendGrant,
  signGrant,
  startAccess,
  type UnsignedGrant,
} from '../../../service/dist/testing/running-access.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

function grantOf(name: string): UnsignedGrant {
  return goodGrant(running.credentials(name));
}

test('a grant whose header names a critical extension is refused with MP-011', async () => {
  const { header, claims, key } = grantOf('carrier');
  const assertion = await new SignJWT(claims)
    .setProtectedHeader({ ...header, crit: ['urn:example:more'], 'urn:example:more': 1 })
    .sign(key, { crit: { 'urn:example:more': true } });
  assertRefused(running, await sendGrant(running, assertion), 'MP-011');
});

test('a grant whose signature is not base64url is refused with MP-124', async () => {
  const assertion = await signGrant(grantOf('carrier'));
  assertRefused(running, await sendGrant(running, `${assertion}!`), 'MP-124');
});

/** A change of a valid grant of `carrier`, and the code of its refusal. */
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
  [
    'nested very deeply',
    'MP-011',
    ({ claims }) => (claims.act = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)),
  ],
  ['with neither x5c nor kid', 'MP-011', ({ header }) => delete header.x5c],
  ['of a client that is not registered', 'MP-100', ({ claims }) => (claims.iss = 'nobody')],
  ['for another audience', 'MP-110', ({ claims }) => (claims.aud = 'https://idp.example')],
  [
    'for several other audiences',
    'MP-110',
    ({ claims }) => (claims.aud = ['https://idp.example', running.baseUrl]),
  ],
  ['whose x5c is not a certificate', 'MP-120', ({ header }) => (header.x5c = ['AAAA'])],
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
    'for a scope that does not exist',
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
    assertRefused(running, await sendGrant(running, grant), code);
  });
}

test('a grant whose x5c is a text is refused with MP-123', async () => {
  const [, claims, signature] = (await signGrant(grantOf('carrier'))).split('.');
  const header = base64url.encode(JSON.stringify({ alg: 'ES256', x5c: 'AAAA' }));
  assertRefused(running, await sendGrant(running, `${header}.${claims}.${signature}`), 'MP-123');
});

test('a grant without a signature is refused with MP-124', async () => {
  const grant = grantOf('carrier');
  const header = base64url.encode(JSON.stringify({ ...grant.header, alg: 'none' }));
  const claims = base64url.encode(JSON.stringify(grant.claims));
  assertRefused(running, await sendGrant(running, `${header}.${claims}.`), 'MP-124');
});

test('a text that is not a JWT is refused with MP-011', async () => {
  for (const assertion of ['x', 'a.b.c', '..', 'eyJhbGciOiJFUzI1NiJ9.AAAA.AAAA']) {
    assertRefused(running, await sendGrant(running, assertion), 'MP-011');
  }
});

test('a form with a missing or repeated parameter is refused with MP-011', async () => {
  const url = `${running.idpUrl}/token`;
  const assertion = await signGrant(grantOf('carrier'));
  assertRefused(running, await postForm(url, {}), 'MP-011');
  assertRefused(running, await postForm(url, { assertion }), 'MP-011');
  assertRefused(running, await postForm(url, { grant_type: JWT_BEARER_GRANT }), 'MP-011');
  assertRefused(
    running,
    await postForm(url, `grant_type=${JWT_BEARER_GRANT}&assertion=${assertion}&assertion=x`),
    'MP-011',
  );
});

test('another grant type is refused as unsupported_grant_type', async () => {
  assertRefused(
    running,
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
  assertRefused(running, await send('{}', 'application/json'), 'MP-011');
  assertRefused(running, await send('{', 'application/json'), 'MP-011');
  assertRefused(running, await send('x', 'text/plain'), 'MP-011');
  assertRefused(running, await send('x', 'image/png'), 'MP-011');
  assertRefused(running, await send(`assertion=${'x'.repeat(100_000)}`, form), 'MP-011');
});
