// Every algorithm and every form of a key, against the identity provider of the playground.
import assert from 'node:assert/strict';
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  sign,
} from 'node:crypto';
import test from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { Landfall } from '../landfall.js';
import { startTestPlayground } from '../testing/playground.js';
import { type GrantAlgorithm, toWebCrypto } from './algorithms.js';
import type { Credentials } from './credentials.js';
import type { PlatformKey } from './platform-keys.js';
import type { PrivateJwk } from './private-jwk.js';
import type { SigningKey } from './signing-key.js';

const playground = await startTestPlayground();

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys: Record<GrantAlgorithm, KeyPairKeyObjectResult> = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: generateKeyPairSync('ed25519'),
};
// The cast is true because the keys of the record are the algorithms.
const algorithms = Object.keys(keys) as GrantAlgorithm[];

await registerKeys();

/** Adds a client to the carrier's organisation, with a registered key for each algorithm. */
async function registerKeys() {
  const authority = await playground.client('authority');
  const { id, clients } = await authority.getOrganisation('0192:310000019');
  const registered = algorithms.map((alg) => ({
    ...keys[alg].publicKey.export({ format: 'jwk' }),
    kid: alg,
    alg,
  }));
  // The cast is true because a public key in JWK has the members of the contract.
  const client = { client_id: 'key-tests', keys: registered } as (typeof clients)[number];
  await authority.patchOrganisation(id, { clients: [...clients, client] });
}

async function connect(key: SigningKey, change: Partial<Credentials> = {}): Promise<Landfall> {
  const credentials: Credentials = {
    kind: 'domestic',
    clientId: 'key-tests',
    key,
    scopes: ['customs:movement/entry'],
    identityProvider: { url: playground.idpUrl },
    ...change,
    // The cast is true because the changes of the tests are members of domestic credentials.
  } as Credentials;
  return new Landfall({ baseUrl: playground.baseUrl, credentials });
}

function pem(key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1'): string {
  // The cast is true because the formats are those of private keys; the types of Node.js have one for each kind.
  return key.export({ format: 'pem', type: type as 'pkcs8' }).toString();
}

/** A CryptoKey that cannot be exported. */
async function importPlatformKey(algorithm: GrantAlgorithm, key: KeyObject): Promise<PlatformKey> {
  const kind = key.asymmetricKeyType === 'rsa' ? 'RSA' : String(key.export({ format: 'jwk' }).crv);
  const { key: parameters } = toWebCrypto(algorithm, kind);
  const der = key.export({ format: 'der', type: 'pkcs8' });
  return crypto.subtle.importKey('pkcs8', new Uint8Array(der), parameters, false, ['sign']);
}

async function publicPlatformKey(): Promise<PlatformKey> {
  const der = rsa.publicKey.export({ format: 'der', type: 'spki' });
  const parameters = { name: 'RSA-PSS', hash: 'SHA-256' };
  return crypto.subtle.importKey('spki', new Uint8Array(der), parameters, false, ['verify']);
}

for (const algorithm of algorithms) {
  const { privateKey } = keys[algorithm];
  const isRsa = privateKey.asymmetricKeyType === 'rsa';
  const forms: Record<string, SigningKey> = {
    'PKCS#8': pem(privateKey, 'pkcs8'),
    ...(isRsa && { 'PKCS#1': pem(privateKey, 'pkcs1') }),
    ...(privateKey.asymmetricKeyType === 'ec' && { 'SEC 1': pem(privateKey, 'sec1') }),
    // The cast is true because every private key has a kty.
    bytes: Buffer.from(pem(privateKey, 'pkcs8')),
    'PEM in one line': pem(privateKey, 'pkcs8').replaceAll('\n', '\\n'),
    KeyObject: privateKey,
    CryptoKey: await importPlatformKey(algorithm, privateKey),
    JWK: { ...privateKey.export({ format: 'jwk' }), use: 'sig', key_ops: ['sign'] } as PrivateJwk,
  };
  for (const [form, key] of Object.entries(forms)) {
    test(`${algorithm}: a registered key as ${form}`, async () => {
      const client = await connect(key, {
        keyId: algorithm,
        ...(isRsa && { algorithm }),
      } as Partial<Credentials>);
      assert.equal(await client.testAuth(), 'OK');
    });
  }
}

test('a JWK names its key id and its algorithm', async () => {
  const key = { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'PS384', alg: 'PS384' };
  // The cast is true because every private key has a kty.
  assert.equal(await (await connect(key as PrivateJwk)).testAuth(), 'OK');
});

test('a signer signs elsewhere, with ECDSA in either form', async () => {
  for (const algorithm of ['ES256', 'ES384', 'ES512'] as const) {
    for (const dsaEncoding of ['der', 'ieee-p1363'] as const) {
      const client = await connect(
        {
          algorithm,
          sign: async (data) =>
            sign(`sha${algorithm.slice(2)}`, data, {
              key: keys[algorithm].privateKey,
              dsaEncoding,
            }),
        },
        { keyId: algorithm } as Partial<Credentials>,
      );
      assert.equal(await client.testAuth(), 'OK', `${algorithm} ${dsaEncoding}`);
    }
  }
});

test('certificates are PEM or base64 DER', async () => {
  const { credentials } = await playground.credentials('express');
  const [leaf = '', ...issuers] = [credentials.certificates ?? []].flat();
  const toPem = (der: string) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`;
  const lists = [
    [leaf, ...issuers],
    [toPem(leaf), ...issuers.map(toPem)],
    [leaf, ...issuers].map(toPem).join(''),
  ];
  for (const certificates of lists) {
    const client = await playground.client('express', {
      credentials: { ...credentials, certificates },
    });
    assert.equal(await client.testAuth(), 'OK');
  }
});

const unusable: [name: string, key: SigningKey, message: RegExp][] = [
  ['no key', 'hello', /no private key/],
  ['a public key', pem2(rsa.publicKey), /no private key/],
  ['a short RSA key', shortKey(), /1024 bits/],
  ['another curve', curve('secp256k1'), /P-256, P-384, P-521 or Ed25519/],
  ['a public JWK', { kty: 'RSA' }, /not a private key/],
  ['a key that is not whole', pem(rsa.privateKey, 'pkcs8').replace(/\n.{64}\n/, '\n'), /./],
  ['an encrypted key', encrypted(), /decryptPem/],
  [
    'bytes of DER',
    rsa.privateKey.export({ format: 'der', type: 'pkcs8' }),
    /no PEM text.*readPkcs12/,
  ],
  ['a public KeyObject', rsa.publicKey, /the KeyObject is a public key/],
  ['a CryptoKey for another algorithm', await importPlatformKey('PS384', rsa.privateKey), /PS384/],
  ['a CryptoKey that verifies', await publicPlatformKey(), /usage "sign"/],
  // The casts are what a program without types gives.
  ...[undefined, null, 7, [], {}, new Date()].map((key): [string, SigningKey, RegExp] => [
    `${JSON.stringify(key)} as a key`,
    key as unknown as SigningKey,
    /^key must be a PEM text.*, not (undefined|null|number|an array|another object)$/,
  ]),
];
for (const [name, key, message] of unusable) {
  test(`${name} is refused before anything is sent`, async () => {
    const client = await connect(key, {
      keyId: 'RS256',
      ...(name.includes('another algorithm') && { algorithm: 'RS256' }),
    } as Partial<Credentials>);
    await assert.rejects(client.testAuth(), (error) => {
      assert(error instanceof ConfigurationError, String(error));
      assert.match(error.message, message);
      return true;
    });
  });
}

test('an algorithm that does not fit the key is refused', async () => {
  const client = await connect(pem(keys.ES256.privateKey, 'pkcs8'), {
    keyId: 'ES256',
    algorithm: 'RS256',
  } as Partial<Credentials>);
  await assert.rejects(client.testAuth(), /P-256 cannot sign with RS256/);
});

function pem2(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'spki' }).toString();
}

function shortKey(): string {
  return pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, 'pkcs8');
}

function curve(namedCurve: string): string {
  return pem(generateKeyPairSync('ec', { namedCurve }).privateKey, 'pkcs8');
}

function encrypted(): string {
  return createPrivateKey(pem(rsa.privateKey, 'pkcs8'))
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
}
