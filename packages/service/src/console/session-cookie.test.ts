// The attributes of the cookie of a session.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSessionCookie } from './session-cookie.js';

test('over https no other host can set the cookie, and over http it is sent to the console alone', () => {
  const secure = makeSessionCookie('https://customs.example');
  assert.equal(
    secure.write('id', 60),
    '__Host-landfall-console=id; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
  assert.equal(secure.read('landfall-console=x; __Host-landfall-console=id'), 'id');
  assert.equal(
    makeSessionCookie('http://localhost:8080').write('id', 60),
    'landfall-console=id; Max-Age=60; Path=/console; HttpOnly; SameSite=Strict',
  );
});
