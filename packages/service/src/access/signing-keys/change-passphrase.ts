// Encrypts the signing keys of a folder with another passphrase. Running servers read both again.
import { codeOf } from '../../native-error.js';
import { encryptAnew, type KeyLocation, keyFile, type Replacement } from './key-file.js';
import { checkPassphrase } from './key-passphrase.js';
import type { KeyPurpose } from './signing-key.js';

/** The keys of a purpose, and whether their file was replaced: it was not if it has the next passphrase already. */
export type EncryptedKeys = { purpose: KeyPurpose; isChanged: boolean };

/**
 * Encrypts the keys with another passphrase. All files are opened, and written anew beside, before the first one is replaced:
 * what cannot be opened leaves all as they were. After an interruption it is repeated with both passphrases.
 *
 * @param options where the keys are, with their passphrase until now, and the `next` one
 * @returns the purposes that the folder has keys for
 * @throws KeyPassphraseError, UnreadableKeyFileError, or KeysChangedError if the keys were rotated meanwhile
 */
export async function changeKeyPassphrase({
  purposes,
  next,
  ...location
}: KeyLocation & { purposes: readonly KeyPurpose[]; next: string }): Promise<EncryptedKeys[]> {
  const passphrase = checkPassphrase(next, 'the new passphrase of the signing keys');
  const opened: { purpose: KeyPurpose; replacement: Replacement | undefined }[] = [];
  try {
    for (const purpose of purposes) {
      try {
        const replacement = await encryptAnew(keyFile(location, purpose), passphrase);
        opened.push({ purpose, replacement });
      } catch (error) {
        // A server with an external identity provider has no identity provider keys.
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    }
    for (const { replacement } of opened) await replacement?.replace();
  } finally {
    for (const { replacement } of opened) await replacement?.discard();
  }
  return opened.map(({ purpose, replacement }) => ({
    purpose,
    isChanged: replacement !== undefined,
  }));
}
