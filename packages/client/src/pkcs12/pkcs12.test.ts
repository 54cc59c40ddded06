// PKCS#12 files as openssl writes them, and a grant signed with a key from one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { ConfigurationError } from '../errors/landfall-error.js';
import { startTestPlayground } from '../testing/playground.js';
import { decryptPem } from './decrypt-pem.js';
import { readPkcs12 } from './read-pkcs12.js';

const PASSWORD = 'blåbær 1€';
const folder = mkdtempSync(join(tmpdir(), 'landfall-pkcs12-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const playground = await startTestPlayground();
const { baseUrl, credentials } = await playground.credentials('express');
const [leaf = '', ...issuers] = [credentials.certificates ?? []].flat();
const key = String(credentials.key);

const toPem = (der: string) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`;
writeFileSync(join(folder, 'key.pem'), key);
writeFileSync(join(folder, 'leaf.pem'), toPem(leaf));
// The issuers in the wrong order: a file has them in any order.
writeFileSync(join(folder, 'issuers.pem'), issuers.toReversed().map(toPem).join(''));

/** Writes a file with the options of openssl. */
function exportPkcs12(...options: string[]): Buffer {
  const file = join(folder, 'file.p12');
  const inputs = ['-inkey', 'key.pem', '-in', 'leaf.pem', '-certfile', 'issuers.pem'];
  execFileSync(
    'openssl',
    ['pkcs12', '-export', ...inputs, '-out', file, '-passout', 'env:P12_PASSWORD', ...options],
    { cwd: folder, env: { ...process.env, P12_PASSWORD: PASSWORD }, stdio: 'pipe' },
  );
  return readFileSync(file);
}

const files: Record<string, string[]> = {
  'as openssl writes it': [],
  'AES-128 and SHA-384': ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'sha384'],
  'AES-192 and SHA-512': ['-keypbe', 'AES-192-CBC', '-certpbe', 'AES-192-CBC', '-macalg', 'sha512'],
  'a MAC with SHA-1': ['-macalg', 'sha1'],
  'certificates without encryption': ['-certpbe', 'NONE'],
  'a key without encryption': ['-keypbe', 'NONE'],
};
for (const [name, options] of Object.entries(files)) {
  test(`PKCS#12: ${name}`, async () => {
    const read = await readPkcs12(exportPkcs12(...options), PASSWORD);
    assert.deepEqual(read.certificates, [leaf, ...issuers]);
    const client = await playground.client('express', {
      baseUrl,
      credentials: { ...credentials, ...read },
    });
    assert.equal(await client.testAuth(), 'OK');
  });
}

test('a wrong password is refused', async () => {
  await assert.rejects(readPkcs12(exportPkcs12(), 'wrong'), (error) => {
    assert(error instanceof ConfigurationError);
    assert.match(error.message, /password is wrong/);
    return true;
  });
});

test('a file whose content was changed is refused, although nothing in it is encrypted', async () => {
  const file = exportPkcs12('-keypbe', 'NONE', '-certpbe', 'NONE');
  // The first and the last bytes are the frame of the content and the MAC itself.
  for (let index = 60; index < file.length - 120; index += 37) {
    const changed = new Uint8Array(file);
    changed[index] = (changed[index] ?? 0) ^ 1;
    await assert.rejects(readPkcs12(changed, PASSWORD), /its MAC does not fit/, `byte ${index}`);
  }
});

test('a file that is cut off is refused', async () => {
  const file = exportPkcs12();
  for (const length of [0, 1, 20, 200, file.length - 1]) {
    await assert.rejects(readPkcs12(file.subarray(0, length), PASSWORD), ConfigurationError);
  }
});

test('an old encryption is refused with the commands that replace it', async () => {
  const old = exportPkcs12('-legacy');
  await assert.rejects(readPkcs12(old, PASSWORD), (error) => {
    assert(error instanceof ConfigurationError);
    assert.match(error.message, /RC2 or Triple DES/);
    assert.match(error.message, /openssl pkcs12 -legacy -in/);
    return true;
  });
});

test('an encrypted PEM key is decrypted', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const plain = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const encrypted = privateKey
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: PASSWORD })
    .toString();
  assert.equal(await decryptPem(encrypted, PASSWORD), plain);
  await assert.rejects(decryptPem(encrypted, 'wrong'), ConfigurationError);
});

test('more iterations than take a moment are refused before they begin', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(folder, 'plain.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const words = ['pkcs8', '-topk8', '-in', 'plain.pem', '-iter', '1000000', '-passout', 'pass:x'];
  const pem = execFileSync('openssl', words, { cwd: folder, encoding: 'utf8' });
  const refused = (error: unknown) =>
    error instanceof ConfigurationError && /with 1000000 iterations/.test(error.message);
  await assert.rejects(decryptPem(pem, 'x'), refused);
  for (const options of [
    ['-iter', '1000000'],
    ['-iter', '1000000', '-keypbe', 'NONE', '-certpbe', 'NONE'],
  ]) {
    await assert.rejects(readPkcs12(exportPkcs12(...options), PASSWORD), refused);
  }
  // Those of the MAC are the slow ones.
  await assert.rejects(
    readPkcs12(exportPkcs12('-iter', '150000'), PASSWORD),
    /with 150000 iterations, and 100000 is the maximum/,
  );
  assert.equal((await readPkcs12(exportPkcs12('-iter', '100000'), PASSWORD)).certificates[0], leaf);
});
