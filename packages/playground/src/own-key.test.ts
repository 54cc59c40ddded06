// Identities with keys of their own: clients that have the key are granted tokens, and other keys are refused by name.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPlayground } from './index.js';
import { isSameKey } from './own-key.js';
import { clientOf } from './testing/client-case.js';

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const ec = (namedCurve: string, type: 'pkcs8' | 'sec1' = 'pkcs8') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'pem', type }).toString();
const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export(pkcs8).toString();

const identity = {
  name: 'own',
  organisation: '0192:310000086',
  organisationName: 'Own key',
};
const presents = { scopes: ['movement/entry' as const], granted: ['movement/entry' as const] };
const option = (privateKey: string, more: object = {}) => ({
  identities: [{ ...identity, kind: 'domestic' as const, ...presents, privateKey, ...more }],
});
const foreign = { name: 'seal', kind: 'foreign' as const, organisation: 'NTRDE-HRB000009' };

test('clients that have the keys get tokens, from options and datasets, after resets and restarts', async () => {
  const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  const [first, second, third] = [ec('P-256', 'sec1'), rsa(2048), ec('P-256')];
  try {
    for (const key of [first, first, third]) {
      const { identities } = option(key);
      await using playground = await startPlayground({
        data: join(data, 'data'),
        identities: [...identities, ...option(second, foreign).identities],
      });
      for (const [name, own] of [
        ['own', key],
        ['seal', second],
      ] as const) {
        const { credentials } = playground.credentials(name);
        assert.ok(isSameKey(credentials.key, own));
        await clientOf(playground, name).testAuth();
        await playground.reset();
        await clientOf(playground, name).testAuth();
      }
    }
  } finally {
    await rm(data, { recursive: true });
  }
  const header = { dataset: { name: 'own', description: 'a key of its own' } };
  await using playground = await startPlayground({
    dataset: [header, { identity: { ...identity, privateKey: second } }],
  });
  const { credentials } = playground.credentials('own');
  assert.ok(isSameKey(credentials.key, second));
  await clientOf(playground, 'own').testAuth();
});

test('what is no usable key is refused, and the error names the member and never shows the key', async () => {
  const good = ec('P-256');
  const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    ...pkcs8,
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  });
  const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  for (const [wrong, rule] of [
    [option(''), /identities\[0\].*privateKey must be a private key/],
    [option(good.slice(0, 90)), /privateKey must be a private key/],
    [option(encrypted.toString()), /privateKey must be a private key as PEM that is not encrypted/],
    [option(publicKey.export({ type: 'spki', format: 'pem' }).toString()), /privateKey must be a/],
    [option(ec('P-384')), /privateKey must be an EC key of P-256, or an RSA key of 2048/],
    [option(rsa(1024)), /privateKey must be an EC key of P-256, or an RSA key of 2048/],
    [option(good, { algorithm: 'RS256' }), /algorithm must be ES256 for this key/],
  ] as const) {
    await assert.rejects(startPlayground(wrong), (error: Error) => {
      assert.match(error.message, rule);
      assert.doesNotMatch(error.message, /BEGIN|MI[GI]/);
      return true;
    });
  }
  const header = { dataset: { name: 'own', description: 'a wrong key' } };
  await assert.rejects(
    startPlayground({ dataset: [header, { identity: { ...identity, privateKey: rsa(1024) } }] }),
    /privateKey/,
  );
});

test('the key of a PKCS#12 file is used, as OpenSSL and the playground write it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  try {
    const [key, file] = [join(folder, 'key.pem'), join(folder, 'key.p12')];
    const pems = [ec('P-256'), rsa(2048)];
    const write = (pem: string, password: string, options: string[]) => {
      writeFileSync(key, pem);
      const run = (words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
      const certificate = join(folder, 'certificate.pem');
      run(['req', '-x509', '-key', key, '-subj', '/CN=own', '-out', certificate]);
      run([
        ...['pkcs12', '-export', '-inkey', key, '-in', certificate, '-out', file],
        ...['-passout', `pass:${password}`, ...options],
      ]);
      return readFileSync(file).toString('base64');
    };
    const cases = [
      ...pems.map((pem) => [pem, write(pem, 'a pass å', []), 'a pass å'] as const),
      [pems[0], write(pems[0] ?? '', '', []), undefined] as const,
      [pems[1], write(pems[1] ?? '', 'x', ['-keypbe', 'PBE-SHA1-3DES']), 'x'] as const,
      [pems[0], write(pems[0] ?? '', 'x', ['-keypbe', 'NONE']), 'x'] as const,
    ];
    await using playground = await startPlayground();
    for (const [pem = '', pfx, pfxPassword] of cases) {
      const isPlain = pfx === cases.at(-1)?.[1];
      const given = { pfx, ...(pfxPassword !== undefined && { pfxPassword }) };
      const [own] = option('').identities;
      assert(own);
      const { privateKey: _, ...others } = own;
      const put = await playground.putIdentity({ ...others, ...given });
      assert.ok(isSameKey(put.private_key, pem));
      await clientOf(playground, 'own').testAuth();
      for (const wrong of [
        { ...given, pfxPassword: 'another' },
        { ...given, pfx: pfx.slice(0, 400) },
        { ...given, privateKey: pem },
        { pfxPassword: 'x' },
      ]) {
        // A key that is not encrypted has no password.
        if (isPlain && wrong.pfxPassword === 'another') continue;
        await assert.rejects(playground.putIdentity({ ...others, ...wrong }), (error: Error) => {
          assert.match(error.message, /identity\.pfx/);
          assert(!error.message.includes(pfx.slice(0, 40)));
          return true;
        });
      }
    }
    // The file that the playground itself writes.
    const data = join(folder, 'data');
    await using other = await startPlayground({ data });
    const written = readFileSync(join(data, 'credentials', 'carrier.p12')).toString('base64');
    const [own] = option('').identities;
    assert(own);
    const { privateKey: _, ...others } = own;
    const put = await other.putIdentity({ ...others, pfx: written, pfxPassword: 'playground' });
    assert.ok(isSameKey(put.private_key, other.credentials('carrier').credentials.key));
  } finally {
    await rm(folder, { recursive: true });
  }
});
