// The grant has the claims that the identity provider requires, and its signature verifies.
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { GRANT_ALGORITHMS, GRANT_LIFETIME_LIMIT } from '@landfall/contract';
import { jwtVerify } from 'jose';
import { makeCredentials } from '../testing/make-credentials.js';
import { CredentialsError } from './credentials.js';
import { signGrant } from './sign-grant.js';

const now = Date.parse('2026-01-01T12:00:00Z');
const request = { scope: 'customs:movement/entry', now, jti: 'a-new-one' };

const keys: [algorithm: string, key: KeyObject][] = [
  ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey],
  ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['EdDSA', generateKeyPairSync('ed25519').privateKey],
];

describe('each kind of key signs with its own algorithm', () => {
  for (const [algorithm, key] of keys) {
    it(algorithm, async () => {
      const grant = await signGrant(makeCredentials(key), request);
      assert.equal(grant.algorithm, algorithm);
      assert.ok(GRANT_ALGORITHMS.some((known) => known === algorithm));
      const { payload, protectedHeader } = await jwtVerify(grant.assertion, createPublicKey(key), {
        currentDate: new Date(now),
      });
      assert.deepEqual(protectedHeader, { alg: algorithm, x5c: ['AAAA'] });
      const { exp = Number.NaN, iat = Number.NaN, ...claims } = payload;
      assert.ok(exp - iat > 0 && exp - iat <= GRANT_LIFETIME_LIMIT);
      assert.deepEqual(claims, {
        aud: 'http://127.0.0.1:8080/idp',
        iss: 'carrier-client',
        jti: 'a-new-one',
        scope: 'customs:movement/entry',
      });
    });
  }
});

it('unsupported keys sign no grant', async () => {
  for (const key of [
    generateKeyPairSync('x25519').privateKey,
    generateKeyPairSync('ed448').privateKey,
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
    generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
    generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey,
  ]) {
    await assert.rejects(signGrant(makeCredentials(key), request), CredentialsError);
  }
});

it('an unreadable key is reported', async () => {
  const credentials = { ...makeCredentials(), private_key: 'not a key' };
  await assert.rejects(signGrant(credentials, request), /private key of "carrier" cannot be read/);
});
