// Files of credentials: of the playground, and of a business with a registered key.
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
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

test('an identity provider below the service moves with its address, and keeps its audience', async () => {
  const moved = await readCredentials(fileOf('carrier'), 'https://customs.example');
  assert.equal(moved.baseUrl, 'https://customs.example');
  assert.equal(moved.credentials.identityProvider.url, 'https://customs.example/idp');
  assert.equal(moved.credentials.identityProvider.audience, playground.idpUrl);
});

test('a file that is missing or of another kind is an error that names it', async () => {
  await assert.rejects(readCredentials(fileOf('nobody')), ConfigurationError);
  await assert.rejects(readCredentials(await write([])), /test\.json has no base_url/);
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
