// The key and the certificates of an identity in the forms that clients read: PEM, JWK and PKCS#12.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OrganisationClient, PlaygroundCredentials } from '@landfall/contract';
import { calculateJwkThumbprint } from 'jose';
import { writePrivate } from './private-file.js';
import { writePkcs12 } from './write-pkcs12.js';

/** The password of the PKCS#12 files: programs that read them require one. */
export const PKCS12_PASSWORD = 'playground';

/** What the names of the files of an identity end with, after its name and a dot. */
export const CREDENTIAL_FILES = ['json', 'key.pem', 'jwk', 'p12', 'chain.pem'];

type PublicKey = NonNullable<OrganisationClient['keys']>[number];

/** The public key as a client registers it. Its kid is its thumbprint (RFC 7638), so another key has another kid. */
export async function publicJwk(
  privateKey: string,
  algorithm: PlaygroundCredentials['alg'],
): Promise<PublicKey & { kid: string }> {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  // The cast is true because Node.js exports RSA and EC keys with `kty`, by which jose accepts them.
  const kid = await calculateJwkThumbprint(jwk as Parameters<typeof calculateJwkThumbprint>[0]);
  return { ...jwk, kid, alg: algorithm, use: 'sig' };
}

/**
 * Writes `<name>.key.pem`, `<name>.chain.pem`, `<name>.jwk` and `<name>.p12`, unless they exist with this key and
 * certificate.
 */
export async function writeKeyFiles(
  folder: string,
  { name, private_key: privateKey, alg, x5c }: PlaygroundCredentials,
): Promise<void> {
  const file = (extension: string) => join(folder, `${name}.${extension}`);
  const chain = x5c.map(toPem).join('');
  const files = ['key.pem', 'jwk', 'p12', 'chain.pem'].map(file);
  const written = await readFile(file('chain.pem'), 'utf8').catch(() => '');
  const missing = await Promise.all(files.map((path) => access(path))).then(
    () => false,
    () => true,
  );
  if (written === chain && !missing) return;
  const key = createPrivateKey(privateKey);
  const jwk = { ...key.export({ format: 'jwk' }), ...(await publicJwk(privateKey, alg)), x5c };
  await writePrivate(file('key.pem'), privateKey);
  await writePrivate(file('jwk'), `${JSON.stringify(jwk, null, 2)}\n`);
  await writePrivate(file('p12'), writePkcs12(key, x5c, { name, password: PKCS12_PASSWORD }));
  // Last: a start that was interrupted before writes all of them again.
  await writePrivate(file('chain.pem'), chain);
}

/** RFC 7468, section 5: lines of 64 characters. */
function toPem(certificate: string): string {
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
