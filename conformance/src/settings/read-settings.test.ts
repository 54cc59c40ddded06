// Settings as people write them: identities in files or inline, keys as PEM or JWK, addresses from elsewhere.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { signGrant } from '../http/sign-grant.js';
import { readSettings } from './read-settings.js';

describe('settings', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-conformance-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const identity = {
    kind: 'domestic',
    organisation: '0192:310000019',
    client_id: 'c',
    scopes: ['s'],
  };
  const write = async (name: string, value: unknown) => {
    const file = join(folder, name);
    await writeFile(file, JSON.stringify(value));
    return file;
  };
  const headerOf = async (given: Record<string, unknown>) => {
    const file = await write('settings.json', {
      baseUrl: 'https://customs.example/',
      identityProvider: { url: 'https://idp.example' },
      identities: { presenter: { ...identity, ...given } },
    });
    const { presenter } = (await readSettings(file)).identities;
    assert(presenter);
    return decodeProtectedHeader(await signGrant(presenter, 'a', 's'));
  };

  test('a key is a PEM text with kid or x5c, or a JWK with its own kid; alg changes the algorithm', async () => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'own' };
    assert.deepEqual(await headerOf({ private_key: pem, kid: 'k' }), { alg: 'RS256', kid: 'k' });
    assert.deepEqual(await headerOf({ private_key: jwk }), { alg: 'RS256', kid: 'own' });
    assert.deepEqual(await headerOf({ private_key: pem, x5c: ['AA'], alg: 'PS256' }), {
      alg: 'PS256',
      x5c: ['AA'],
    });
    await assert.rejects(headerOf({ private_key: pem }), /x5c or kid is required/);
    await assert.rejects(headerOf({ private_key: { kty: 'EC' } }), /must be a private key as PEM/);
  });

  test('an identity provider below the service moves with it, and keeps its audience', async () => {
    const file = await write('settings.json', {
      baseUrl: 'http://localhost:8080',
      identityProvider: { url: 'http://localhost:8080/idp/' },
    });
    const { baseUrl, identityProvider } = await readSettings(file, {
      baseUrl: 'http://127.0.0.1:9/',
    });
    assert.equal(baseUrl, 'http://127.0.0.1:9');
    assert.deepEqual(identityProvider, {
      url: 'http://127.0.0.1:9/idp',
      audience: 'http://localhost:8080/idp',
    });
    const elsewhere = { identityProviderUrl: 'https://idp.example' };
    assert.equal((await readSettings(file, elsewhere)).identityProvider.url, 'https://idp.example');
  });

  test('a folder of credentials gives each role that has a file', async () => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const file = await write('carrier.json', {
      ...identity,
      private_key: pem,
      x5c: ['AA'],
      base_url: 'http://localhost:8080',
      idp_url: 'http://localhost:8080/idp',
    });
    await rm(join(folder, 'settings.json'));
    const settings = await readSettings(folder);
    assert.deepEqual(Object.keys(settings.identities), ['presenter']);
    assert.equal(settings.baseUrl, 'http://localhost:8080');
    await rm(file);
    await assert.rejects(
      readSettings(folder),
      /has no files of credentials, such as carrier\.json/,
    );
  });
});
