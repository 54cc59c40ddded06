// Which logout tokens are accepted: each rule of OpenID Connect Back-Channel Logout 1.0, section 2.6.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createLocalJWKSet,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import { verifyLogoutToken } from './logout-token.js';

const [ISSUER, CLIENT] = ['https://login.example', 'landfall-console'];
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let keys: JWTVerifyGetKey;
let privateKey: GenerateKeyPairResult['privateKey'];
before(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] });
});

const now = () => Math.floor(Date.now() / 1000);
const claims = () => ({
  iss: ISSUER,
  aud: CLIENT,
  iat: now(),
  jti: 'token-1',
  sub: 'porter',
  sid: 'session-1',
  events: { [EVENT]: {} },
});

const sign = (
  payload: Record<string, unknown>,
  header: Partial<JWTHeaderParameters> = {},
  key: typeof privateKey | Uint8Array = privateKey,
) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'logout+jwt', ...header })
    .sign(key);
const verify = (token: string) => verifyLogoutToken(token, keys, ISSUER, CLIENT);

test('a token of the provider is accepted with a person, a session or both', async () => {
  const { iat, ...rest } = claims();
  assert.deepEqual(await verify(await sign({ ...rest, iat })), {
    tokenId: 'token-1',
    endsAt: new Date((iat + 361) * 1000),
    issuer: ISSUER,
    sub: 'porter',
    sid: 'session-1',
  });
  for (const part of ['sub', 'sid']) {
    const verified = await verify(await sign({ ...claims(), [part]: undefined }));
    assert.equal(verified[part === 'sub' ? 'sub' : 'sid'], undefined);
  }
  for (const typ of ['JWT', 'LOGOUT+JWT']) await verify(await sign(claims(), { typ }));
  await verify(await sign({ ...claims(), aud: ['other', CLIENT], iat: now() - 200 }));
});

test('every other token is refused', async () => {
  const wrong: Record<string, unknown>[] = [
    { iss: 'https://other.example' },
    { aud: 'another-client' },
    { iat: undefined },
    { iat: now() - 400 },
    { iat: now() + 400 },
    { exp: now() - 100 },
    { jti: undefined },
    { jti: '' },
    { events: undefined },
    { events: {} },
    { events: { [EVENT]: 'yes' } },
    { nonce: 'of an ID token' },
    { sub: undefined, sid: undefined },
    { sid: 7 },
  ];
  for (const change of wrong) {
    const token = await sign({ ...claims(), ...change });
    await assert.rejects(() => verify(token), { code: 'LOGOUT_TOKEN' }, JSON.stringify(change));
  }
  const other = await generateKeyPair('ES256');
  const tokens = [
    await sign(claims(), {}, other.privateKey),
    await sign(claims(), { kid: 'unknown' }),
    await sign(claims(), { typ: 'at+jwt' }),
    await sign(claims(), { alg: 'HS256' }, new Uint8Array(32)),
    `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims()))}.`.replaceAll('=', ''),
    'no token',
    '',
  ];
  for (const token of tokens) {
    await assert.rejects(() => verify(token), { code: 'LOGOUT_TOKEN' }, token);
  }
});

test('keys that cannot be read are no fault of the token', async () => {
  const failing: JWTVerifyGetKey = async () => {
    throw new TypeError('fetch failed');
  };
  const token = await sign(claims());
  await assert.rejects(() => verifyLogoutToken(token, failing, ISSUER, CLIENT), {
    message: 'fetch failed',
  });
});
