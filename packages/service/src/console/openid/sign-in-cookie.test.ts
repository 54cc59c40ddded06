// What the cookie of a sign-in has, also that of a server of the previous release.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealText } from '../sealed-text.js';
import { deriveSignInKey } from './settings.js';
import { MAX_AGE_S, makeSignInCookie } from './sign-in-cookie.js';

const secrets = { subjectKey: 'a key of the pseudonyms', clientSecret: 'a secret' };
const started = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/console/' };
const cookie = makeSignInCookie('http://localhost', secrets);

test('a cookie is read as it was written', () => {
  const written = { ...started, before: 'another', begunAt: 1234 };
  const [pair] = cookie.write(written).split(';');
  assert.deepEqual(cookie.read(pair), written);
  assert.equal(cookie.read(`${pair}x`), undefined);
});

test('over https no other host can set the cookie, and it is removed as it was set', () => {
  const written = { ...started, begunAt: 1234 };
  const secure = makeSignInCookie('https://customs.example', secrets);
  const insecure = makeSignInCookie('http://localhost:8080', secrets);
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';
  const [pair = '', age, ...rest] = secure.write(written).split('; ');
  assert.match(pair, /^__Host-landfall-sign-in=[\w-]+$/);
  assert.equal(age, `Max-Age=${MAX_AGE_S}`);
  assert.equal(rest.join('; '), attributes);
  assert.equal(secure.remove(), `__Host-landfall-sign-in=; Max-Age=0; ${attributes}`);
  assert.deepEqual(secure.read(pair), written);
  // One of the same text that another host of the domain has set.
  assert.equal(secure.read(pair.replace('__Host-', '')), undefined);
  assert.match(
    insecure.write(written),
    /^landfall-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

test('a sign-in that a server of the previous release has begun, began when its cookie says', () => {
  const begunAt = Date.now() - 60_000;
  const sealed = sealText(
    deriveSignInKey(secrets),
    JSON.stringify({ ...started, endsAt: begunAt + MAX_AGE_S * 1000 }),
  );
  const read = cookie.read(`landfall-sign-in=${sealed.toString('base64url')}`);
  assert.deepEqual(read, { ...started, begunAt });
});
