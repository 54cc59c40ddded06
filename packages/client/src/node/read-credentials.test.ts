// Files of credentials: of the playground, and of a business with a registered key.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import type { OrganisationClient } from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { Landfall } from '../landfall.js';
import { startTestPlayground } from '../testing/playground.js';
import { readCredentials } from './read-credentials.js';

const playground = await startTestPlayground();
const fileOf = (name: string) => join(playground.dataFolder, 'credentials', `${name}.json`);

const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
await registerOrganisation();

/** A new organisation whose client has two registered keys and no certificate. */
async function registerOrganisation() {
  const authority = await playground.client('authority');
  const keys = [
    { ...elliptic.publicKey.export({ format: 'jwk' }), kid: 'elliptic', alg: 'ES256' },
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'PS256' },
  ];
  await authority.putOrganisation('0192:310000086', {
    name: 'Registered Key',
    kind: 'domestic',
    grantedScopes: ['movement/entry'],
    // The cast is true because public keys in JWK have the members of the contract.
    clients: [
      { client_id: 'registered-key', scopes: ['movement/entry'], keys },
    ] as OrganisationClient[],
  });
}

// The cast is true because the playground writes this member.
const { x5c } = JSON.parse(await readFile(fileOf('carrier'), 'utf8')) as { x5c: string[] };

test('grants stay with the identity provider of the file, except on this machine', async () => {
  for (const [url, provider] of [
    ['http://127.0.0.1:8999', 'http://127.0.0.1:8999/idp'],
    ['https://customs.example', playground.idpUrl],
    ['https://localhost.example', playground.idpUrl],
    ['http://127.0.0.1.example', playground.idpUrl],
    ['http://localhost@customs.example', playground.idpUrl],
  ] as const) {
    const moved = await readCredentials(fileOf('carrier'), url);
    assert.equal(moved.baseUrl, url);
    assert.equal(moved.credentials.identityProvider.url, provider);
    assert.equal(moved.credentials.identityProvider.audience, playground.idpUrl);
  }
  const hosted = await write({
    ...JSON.parse(await readFile(fileOf('carrier'), 'utf8')),
    base_url: 'https://customs.example',
    idp_url: 'https://customs.example/idp',
  });
  for (const url of ['https://elsewhere.example', 'http://localhost:8080']) {
    const { credentials } = await readCredentials(hosted, url);
    assert.equal(credentials.identityProvider.url, 'https://customs.example/idp');
  }
});

test('a file that is missing or of another kind is an error that names it', async () => {
  await assert.rejects(readCredentials(fileOf('nobody')), ConfigurationError);
  await assert.rejects(readCredentials(await write([])), /test\.json has no base_url/);
  const broken = join(playground.dataFolder, 'broken.json');
  await writeFile(broken, '{"private_key":"secret-of-mine"');
  await assert.rejects(readCredentials(broken), (error) => {
    assert.match(String(error), /broken\.json is not valid JSON$/);
    return true;
  });
});

const business = {
  kind: 'domestic',
  client_id: 'registered-key',
  scopes: ['customs:movement/entry'],
  base_url: playground.baseUrl,
  idp_url: playground.idpUrl,
};

/** Writes a file of credentials, and returns its path. */
async function write(content: object): Promise<string> {
  const file = join(playground.dataFolder, 'test.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

function pem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

const jwk = elliptic.privateKey.export({ format: 'jwk' });
const usable: Record<string, object> = {
  'a key as PEM and its kid': { private_key: pem(elliptic.privateKey), kid: 'elliptic' },
  'an RSA key, its kid and its algorithm': {
    private_key: pem(rsa.privateKey),
    kid: 'rsa',
    alg: 'PS256',
  },
  'a JWK with a kid': { private_key: { ...jwk, kid: 'elliptic' } },
  'a JWK, and the kid beside it': { private_key: jwk, kid: 'elliptic' },
  'a kid and certificates, which it goes before': {
    private_key: pem(elliptic.privateKey),
    kid: 'elliptic',
    x5c,
  },
};
for (const [name, members] of Object.entries(usable)) {
  test(`a business presents with ${name}`, async () => {
    const file = await write({ ...business, ...members });
    const landfall = new Landfall(await readCredentials(file));
    const { requestId } = await landfall.presentReceptacle({
      customsOfficeOfPresentation: 'NO351001',
      receptacleId: 'GBASFZMLBKONAUN30001001019999',
    });
    const status = await landfall.getValidationStatus(requestId);
    assert(!Array.isArray(status));
    assert.equal(status.status, 'SUCCESS');
  });
}

const registered = { ...business, private_key: pem(elliptic.privateKey), kid: 'elliptic' };
const unusable: [object, RegExp][] = [
  [{ kid: undefined }, /test\.json has no kid or x5c/],
  [{ kid: 7 }, /kid in .*test\.json is not a text/],
  [{ kid: undefined, x5c: 'MIIB' }, /x5c in .*test\.json is not an array of texts/],
  [{ kind: 'foreign' }, /test\.json has no x5c/],
  [{ kind: 'Domestic' }, /kind in .*test\.json is not domestic or foreign/],
  [{ private_key: undefined }, /test\.json has no private_key/],
  [{ private_key: { d: 'x' } }, /private_key in .*test\.json is not a PEM text or a private JWK/],
  [{ scopes: undefined }, /test\.json has no scopes/],
];
for (const [change, message] of unusable) {
  test(`a file with ${JSON.stringify(change)} is refused: ${message.source}`, async () => {
    const file = await write({ ...registered, ...change });
    await assert.rejects(readCredentials(file), (error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('an algorithm that does not fit the key is refused before anything is sent', async () => {
  const file = await write({ ...registered, alg: 'RS256' });
  const landfall = new Landfall(await readCredentials(file));
  await assert.rejects(landfall.testAuth(), ConfigurationError);
});

/** Writes credentials of the registered client with these members in place of `private_key`. */
async function writeRegistered(members: Record<string, unknown>): Promise<string> {
  const file = join(playground.dataFolder, 'registered.json');
  const base_url = playground.baseUrl;
  const common = {
    kind: 'domestic',
    client_id: 'registered-key',
    base_url,
    idp_url: `${base_url}/idp`,
  };
  const given = { ...common, scopes: ['customs:movement/entry'], kid: 'elliptic', ...members };
  await writeFile(file, JSON.stringify(given));
  return file;
}

const encrypted = elliptic.privateKey
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret word' })
  .toString();
const plain = elliptic.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
await writeFile(join(playground.dataFolder, 'encrypted.pem'), encrypted);
await writeFile(join(playground.dataFolder, 'plain.pem'), plain);
await writeFile(join(playground.dataFolder, 'passphrase'), 'secret word\n');

test('a key is encrypted, in a file of its own, or signs elsewhere', async (t) => {
  process.env.TEST_PASSPHRASE = 'secret word';
  t.after(() => delete process.env.TEST_PASSPHRASE);
  const signing = ['openssl', 'dgst', '-sha256', '-sign', 'plain.pem'];
  for (const members of [
    { private_key: encrypted, passphrase_env: 'TEST_PASSPHRASE' },
    { key_file: 'encrypted.pem', passphrase_file: 'passphrase' },
    { key_file: 'plain.pem' },
    { sign_command: signing, alg: 'ES256' },
  ]) {
    const landfall = new Landfall(await readCredentials(await writeRegistered(members)));
    assert.equal(await landfall.testAuth(), 'OK', JSON.stringify(members));
  }
});

test('a key that everybody can read is warned of once', {
  skip: process.platform === 'win32' && 'has other permissions',
}, async (t) => {
  const warnings: string[] = [];
  t.mock.method(process, 'emitWarning', (message: string) => warnings.push(message));
  const path = join(playground.dataFolder, 'readable.pem');
  for (const mode of [0o600, 0o640, 0o644, 0o644]) {
    await writeFile(path, plain);
    await chmod(path, mode);
    await readCredentials(
      await write({ ...registered, private_key: undefined, key_file: 'readable.pem' }),
    );
  }
  assert.deepEqual(warnings, [`every user can read the key in ${path}: chmod 600 ${path}`]);
});

test('a PKCS#12 file has the key and the certificates', async () => {
  const { credentials } = await readCredentials(fileOf('express'));
  const folder = playground.dataFolder;
  const toPem = (der: string) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`;
  await writeFile(join(folder, 'e.pem'), String(credentials.key));
  await writeFile(
    join(folder, 'e.crt'),
    [credentials.certificates ?? []].flat().map(toPem).join(''),
  );
  const words = 'pkcs12 -export -inkey e.pem -in e.crt -out e.p12 -passout file:passphrase';
  execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'pipe' });
  const { private_key, x5c: _, ...others } = JSON.parse(await readFile(fileOf('express'), 'utf8'));
  const file = join(folder, 'express-p12.json');
  const members = { ...others, key_file: 'e.p12', passphrase_file: 'passphrase' };
  await writeFile(file, JSON.stringify(members));
  assert.equal(await new Landfall(await readCredentials(file)).testAuth(), 'OK');
  assert(private_key);
});

test('a key that cannot be read or does not sign says why', async () => {
  for (const [members, reason] of [
    [{}, /has no private_key, key_file or sign_command/],
    [{ private_key: plain, key_file: 'plain.pem' }, /has private_key and key_file: give one/],
    [{ key_file: 'missing.pem' }, /cannot read .*missing\.pem, the key_file of/],
    [{ key_file: 'encrypted.pem' }, /LANDFALL_KEY_PASSPHRASE is not set/],
    [{ key_file: 'encrypted.pem', passphrase_file: 'plain.pem' }, /password is wrong/],
    [{ sign_command: ['openssl'] }, /has no alg/],
    [{ sign_command: [], alg: 'ES256' }, /is not a program/],
  ] as const) {
    await assert.rejects(readCredentials(await writeRegistered(members)), (error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, reason);
      return true;
    });
  }
  for (const [command, reason] of [
    [['false'], /ended with 1/],
    [['no-such-program'], /ENOENT/],
    [['sh', '-c', 'echo the card is locked >&2; exit 3'], /ended with 3: the card is locked/],
  ] as const) {
    const file = await writeRegistered({ sign_command: command, alg: 'ES256' });
    await assert.rejects(new Landfall(await readCredentials(file)).testAuth(), reason);
  }
});
