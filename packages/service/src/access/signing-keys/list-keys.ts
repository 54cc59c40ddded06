// Lists the signing keys and their states, without secrets.
import { type KeyLocation, keyFile, readKeys } from './key-file.js';
import { type KeyPurpose, type KeyState, keyState, type SigningKey } from './signing-key.js';

/** A key as it may be shown. */
export type ListedKey = Omit<SigningKey, 'privateKey'> & { state: KeyState };

/** The keys for a purpose, oldest first. Throws as `readKeys` does. */
export async function listKeys({
  purpose,
  now,
  ...location
}: KeyLocation & { purpose: KeyPurpose; now: Date }): Promise<ListedKey[]> {
  return listOf(await readKeys(keyFile(location, purpose)), now);
}

/** Keys as they may be shown. */
export function listOf(keys: readonly SigningKey[], now: Date): ListedKey[] {
  return keys.map((key) => {
    const { privateKey: _, ...shown } = key;
    return { ...shown, state: keyState(key, keys, now) };
  });
}
