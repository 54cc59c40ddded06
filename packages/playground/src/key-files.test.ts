// The keys of identities beside their credentials: private files that openssl and the client library read, and keys with
// which the identity provider issues tokens.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openEmbedded } from '@landfall/service';
import { Landfall } from '../../client/dist/index.js';
import { readCredentials } from '../../client/dist/node/index.js';
import { readPkcs12 } from '../../client/dist/pkcs12/index.js';
import { TestPlayground } from '../../service/dist/testing/playground-client.js';
import { PKCS12_PASSWORD, writeKeyFiles } from './key-files.js';

let data: string;
let playground: TestPlayground;
before(async () => {
  data = await mkdtemp(join(tmpdir(), 'landfall-keys-'));
  playground = await TestPlayground.start(await openEmbedded(data), { dataFolder: data });
});
after(async () => {
  await playground.close();
  await rm(data, { recursive: true });
});

const fileOf = (name: string, extension: string) =>
  join(data, 'credentials', `${name}.${extension}`);
const publicOf = (pem: string) => createPrivateKey(pem).export({ format: 'jwk' });

test('each identity has the same key and chain in each form, which only its owner may read', async () => {
  for (const { name, private_key: key, x5c, alg, kid } of playground.playground.identities) {
    for (const extension of ['key.pem', 'chain.pem', 'jwk', 'p12']) {
      assert.equal((await stat(fileOf(name, extension))).mode & 0o777, 0o600);
    }
    assert.equal(await readFile(fileOf(name, 'key.pem'), 'utf8'), key);
    const chain = (await readFile(fileOf(name, 'chain.pem'), 'utf8')).match(
      /-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g,
    );
    assert.deepEqual(
      chain?.map((pem) => new X509Certificate(pem).raw.toString('base64')),
      x5c,
    );
    const jwk = JSON.parse(await readFile(fileOf(name, 'jwk'), 'utf8'));
    assert.equal(jwk.alg, alg);
    assert.equal(jwk.kty, alg === 'RS256' ? 'RSA' : 'EC');
    if (kid !== undefined) assert.equal(jwk.kid, kid);
    assert.equal(
      createPrivateKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'pkcs8' }),
      key,
    );
    const read = await readPkcs12(await readFile(fileOf(name, 'p12')), PKCS12_PASSWORD);
    assert.deepEqual(read.certificates, x5c);
    assert.deepEqual(publicOf(read.key), publicOf(key));
    await assert.rejects(readPkcs12(await readFile(fileOf(name, 'p12')), 'wrong'), /password/);
  }
});

test('openssl reads the PKCS#12 files', () => {
  for (const { name, private_key: key, x5c } of playground.playground.identities) {
    const text = execFileSync(
      'openssl',
      ['pkcs12', '-in', fileOf(name, 'p12'), '-passin', `pass:${PKCS12_PASSWORD}`, '-noenc'],
      { encoding: 'utf8', stdio: 'pipe' },
    );
    assert.equal(text.match(/BEGIN CERTIFICATE/g)?.length, x5c.length);
    const [pem = ''] =
      text.match(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/) ?? [];
    assert.deepEqual(publicOf(pem), publicOf(key));
  }
});

test('each form of an RSA key gets a token: a registered key and an eSeal', async () => {
  const { idpUrl, baseUrl } = playground.playground;
  const common = { identityProvider: { url: idpUrl } };
  for (const name of ['broker', 'courier']) {
    const { kind, client_id: clientId, scopes, kid, x5c, alg } = playground.credentials(name);
    assert.equal(alg, 'RS256');
    const key = await readFile(fileOf(name, 'key.pem'), 'utf8');
    const fromFile = await readCredentials(fileOf(name, 'json'));
    const fromPkcs12 = await readPkcs12(await readFile(fileOf(name, 'p12')), PKCS12_PASSWORD);
    const identity = { ...common, clientId, scopes };
    const options =
      kind === 'foreign'
        ? [
            { ...identity, kind, key, certificates: x5c },
            { ...identity, kind, ...fromPkcs12 },
          ]
        : [
            { ...identity, kind, key, keyId: kid },
            { ...identity, kind, key: JSON.parse(await readFile(fileOf(name, 'jwk'), 'utf8')) },
            { ...identity, kind, ...fromPkcs12 },
          ];
    for (const credentials of [fromFile.credentials, ...options]) {
      // A new client has no stored token.
      const client = new Landfall({ baseUrl, credentials });
      const signals = await client.readRoutingSignals();
      assert.deepEqual(signals.entries, []);
    }
  }
});

test('files that are missing are written again, and existing ones are not changed', async () => {
  const credentials = playground.credentials('broker');
  const before = await stat(fileOf('broker', 'p12'));
  const folder = join(data, 'credentials');
  await writeKeyFiles(folder, credentials);
  assert.equal((await stat(fileOf('broker', 'p12'))).mtimeMs, before.mtimeMs);
  await unlink(fileOf('broker', 'jwk'));
  await writeKeyFiles(folder, credentials);
  assert((await readdir(folder)).includes('broker.jwk'));
});

test('the pages are told the data folder, for commands that people copy', async () => {
  const response = await fetch(`${playground.playground.baseUrl}/console/configuration`);
  const configuration: Record<string, unknown> = JSON.parse(await response.text());
  assert.equal(configuration.dataFolder, data);
});
