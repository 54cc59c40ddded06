// Secrets are replaced wherever they occur, also when the text is cut off within one.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { REDACTED, redactHeader, redactText } from './redact.js';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJjYXJyaWVyIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
const secretOfKey = String(privateKey.export({ format: 'jwk' }).d);

describe('a secret', () => {
  const cases: [what: string, text: string, secret: string, rest: RegExp][] = [
    ['assertion of a form', `grant_type=x&assertion=${jwt}&a=b`, 'eyJhbG', /grant_type=x.*a=b$/],
    ['opaque token of a form', 'subject_token=opaque-secret&a=b', 'opaque', /a=b$/],
    ['token of a response', `{"access_token":"op\\"aque","expires_in":970}`, 'aque', /970/],
    ['token with white space', `{ "access_token" : "opaque" , "a": 1 }`, 'opaque', /"a": 1/],
    ['JWT in another member', `{"note":"Bearer ${jwt}"}`, 'eyJ', /"note":"Bearer /],
    ['JWT in an address', `https://customs.example/a?x=${jwt}`, 'eyJ', /customs\.example/],
    ['private key as JWK', jwk, secretOfKey, /"kty":"EC"/],
    ['private key as PEM', `key: ${pem}after`, pem.slice(40, 60), /^key: .*after$/s],
    ['escaped PEM in JSON', JSON.stringify({ private_key: pem, a: 1 }), pem.slice(40, 60), /"a":1/],
  ];
  for (const [what, text, secret, rest] of cases) {
    it(`is replaced: ${what}`, () => {
      const redacted = redactText(text);
      assert.ok(!redacted.includes(secret), redacted);
      assert.ok(redacted.includes(REDACTED));
      assert.match(redacted, rest);
    });
    it(`is replaced wherever the text is cut off: ${what}`, () => {
      const start = text.indexOf(secret);
      for (let end = start + 12; end < text.length; end++) {
        // Of a JWT in other places, its first characters are not recognised yet.
        assert.ok(!redactText(text.slice(0, end)).includes(text.slice(start, start + 12)));
      }
    });
  }

  it('is replaced in headers', () => {
    for (const name of ['Authorization', 'cookie', 'Set-Cookie', 'proxy-authorization']) {
      assert.equal(redactHeader(name, 'opaque-secret'), REDACTED);
    }
    assert.equal(redactHeader('x-forwarded-token', jwt), REDACTED);
  });
});

it('other texts are unchanged', () => {
  const text = '{"documentNumber":"HC001","code":7,"errors":[{"code2":"FORMAT"}],"x5c":["MIIB"]}';
  assert.equal(redactText(text), text);
  assert.equal(redactHeader('content-type', 'application/json'), 'application/json');
});
