// What a report never contains, whatever a request or a response has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankSecrets, showExchange } from './exchange.js';

const token = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from('{"sub":"x"}').toString('base64url')}.c2lnbmF0dXJl`;

test('tokens and keys are blanked, whole or cut, in headers, forms and JSON', () => {
  const shown = showExchange({
    request: {
      method: 'POST',
      url: 'http://localhost/token',
      headers: { authorization: `Bearer ${token}`, 'x-copy': token },
      body: new URLSearchParams({ assertion: token, grant_type: 'x' }).toString(),
    },
    response: {
      status: 200,
      headers: new Headers(),
      text: JSON.stringify({
        access_token: 'opaque-secret',
        other: token,
        cut: token.slice(0, 30),
      }),
    },
    durationMs: 1.4,
  });
  const text = `${shown.request}\n${shown.response}`;
  assert.doesNotMatch(text, /eyJ|c2lnbmF0dXJl|opaque-secret/);
  assert.match(text, /authorization: \[blanked\]/);
  assert.match(text, /grant_type=x/);
});

test('private keys are blanked', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----';
  assert.equal(blankSecrets(`a ${pem} b`), 'a [blanked] b');
});
