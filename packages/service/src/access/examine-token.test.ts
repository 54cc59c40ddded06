// What is said of a token agrees with what the exchange does with it, whatever the token has.
import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { examineToken } from './examine-token.js';
import { OAuthRefusalError } from './oauth-refusal.js';
import { makeSubjectTokenVerifier } from './verify-subject-token.js';

const BASE_URL = 'https://customs.example';
const ISSUER = 'https://idp.example';
const NOW = new Date('2026-06-01T12:00:00Z');
const seconds = NOW.getTime() / 1000;

const makeKey = (kid: string, modulusLength: number) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  return { privateKey, jwk };
};
const long = makeKey('long', 2048);
const short = makeKey('short', 1024);
// The cast is true because these are public keys.
const keys = { keys: [long.jwk, short.jwk] } as JSONWebKeySet;

const verify = makeSubjectTokenVerifier({
  issuer: ISSUER,
  findAudiences: () => [BASE_URL],
  findKey: createLocalJWKSet(keys),
});

const valid = {
  iss: ISSUER,
  aud: BASE_URL,
  iat: seconds - 10,
  exp: seconds + 100,
  client_id: 'client',
  scope: 'customs:movement/entry',
  consumer: { authority: 'iso6523-actorid-upis', ID: '0192:310000019' },
};

/** The library of the tests would refuse to sign most of these. */
function sign(claims: string | Buffer, header: object | string, key: KeyObject): string {
  const encode = (part: string | Buffer) => Buffer.from(part).toString('base64url');
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  const input = `${encode(text)}.${encode(claims)}`;
  return `${input}.${createSign('RSA-SHA256').update(input).sign(key, 'base64url')}`;
}

const header = { alg: 'RS256', kid: 'long', typ: 'at+jwt' };

const values: unknown[] = [
  ...[undefined, null, true, false, 0, -1, 1.5, 1e12, seconds, seconds + 50, String(seconds)],
  ...['', 'x', 'constructor', '__proto__', 'toString', ISSUER, `${ISSUER}/`, BASE_URL],
  ...[[], [BASE_URL], [1], {}, { authority: 'constructor', ID: '0192:310000019' }],
  { authority: '__proto__', ID: 'x' },
  { authority: 'iso6523-actorid-upis', ID: '0192:1' },
  { authority: 'etsi-en-319-412', ID: 'NTRDE-HRB000001' },
];

const tokens: [name: string, token: string][] = [
  ...[...Object.keys(valid), 'nbf', 'sub', 'jti', 'landfall_trial'].flatMap((claim) =>
    values.map((value): [string, string] => [
      `${claim} is ${JSON.stringify(value)}`,
      sign(JSON.stringify({ ...valid, [claim]: value }), header, long.privateKey),
    ]),
  ),
  ...['at+jwt', 'JWT', 'application/at+jwt', undefined, null, 1, 'x', ''].map(
    (typ): [string, string] => [
      `typ is ${JSON.stringify(typ)}`,
      sign(JSON.stringify(valid), { ...header, typ }, long.privateKey),
    ],
  ),
  ...['null', '[1]', '"x"', '1', '{', '', Buffer.from([0xff, 0xfe])].map(
    (claims): [string, string] => [`claims are ${claims}`, sign(claims, header, long.privateKey)],
  ),
  ...['null', '[]', '"x"', '{', '{}', '{"alg":"none"}', '{"alg":1}'].map(
    (text): [string, string] => [
      `header is ${text}`,
      sign(JSON.stringify(valid), text, long.privateKey),
    ],
  ),
  [
    'unencoded claims',
    sign(JSON.stringify(valid), { ...header, crit: ['b64'], b64: false }, long.privateKey),
  ],
  ['a short key', sign(JSON.stringify(valid), { ...header, kid: 'short' }, short.privateKey)],
  ['another key', sign(JSON.stringify(valid), header, short.privateKey)],
  [
    'no signature',
    `${sign(JSON.stringify(valid), header, long.privateKey)}`.replace(/\.[^.]*$/, '.'),
  ],
];

test('a token breaks a rule exactly when the exchange refuses it, and neither fails', async () => {
  const accepted: string[] = [];
  for (const [name, token] of tokens) {
    const refusal = await verify(token, NOW).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined) assert(refusal instanceof OAuthRefusalError, `${name}: ${refusal}`);
    const knowledge = { baseUrl: BASE_URL, issuer: ISSUER, keys, scopePrefix: 'customs' };
    const findings = await examineToken(token, 'access-token', knowledge, NOW);
    // Which scopes there are, the exchange says after this.
    const broken = findings.filter(
      ({ rule, holds, detail }) =>
        holds === false && !(rule === 'scope' && /^(?:there is no|consumer is a)/.test(detail)),
    );
    const rules = broken.map(({ rule, detail }) => `${rule}: ${detail}`).join('; ');
    assert.equal(broken.length > 0, refusal !== undefined, `${name}: ${rules} / ${refusal}`);
    if (refusal === undefined) accepted.push(name);
  }
  assert(accepted.length > 20, accepted.join('\n'));
  assert(tokens.length - accepted.length > 100);
});
