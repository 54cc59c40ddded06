// Encrypts the signing keys of a purpose with another passphrase. Running servers read both again.
import { changePassphrase, type KeyLocation, keyFile } from './key-file.js';
import { checkPassphrase } from './key-passphrase.js';
import type { KeyPurpose } from './signing-key.js';

/**
 * Encrypts the keys with another passphrase.
 *
 * @param options where the keys are, with their passphrase until now, and the `next` one
 * @returns whether the file was replaced: it was not if it has the next passphrase already
 * @throws KeyPassphraseError, UnreadableKeyFileError, or KeysChangedError if the keys were rotated meanwhile
 */
export function changeKeyPassphrase({
  purpose,
  next,
  ...location
}: KeyLocation & { purpose: KeyPurpose; next: string }): Promise<boolean> {
  return changePassphrase(keyFile(location, purpose), checkPassphrase(next));
}
