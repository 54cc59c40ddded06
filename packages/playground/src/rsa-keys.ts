// The RSA keys of identities. Generating one takes long, so playgrounds of one process share them, and the first one
// begins while its database opens.
import { webcrypto } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { playgroundIdentities } from '@landfall/contract';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
};

const keys = new Map<string, Promise<webcrypto.CryptoKeyPair>>();

/** The key of an identity in this process, generated in the thread pool of Node.js. */
export function rsaKeyOf(identity: string): Promise<webcrypto.CryptoKeyPair> {
  const existing = keys.get(identity);
  if (existing !== undefined) return existing;
  const generated = webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  keys.set(identity, generated);
  return generated;
}

/** Begins to generate the keys that a data folder does not have yet. */
export async function beginRsaKeys(dataFolder: string): Promise<void> {
  const names = playgroundIdentities
    .filter(({ algorithm }) => algorithm === 'RS256')
    .map(({ name }) => name);
  await Promise.all(
    names.map((name) =>
      access(join(dataFolder, 'credentials', `${name}.json`)).catch(async () => {
        await rsaKeyOf(name);
      }),
    ),
  );
}
