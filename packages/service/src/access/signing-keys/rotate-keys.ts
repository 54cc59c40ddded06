// Adds a signing key that follows the current one, so that issued tokens stay valid.
import {
  changeKeys,
  type KeyFile,
  type KeyLocation,
  keyFile,
  makeKey,
  readOrMakeKeys,
} from './key-file.js';
import { type ListedKey, listOf } from './list-keys.js';
import { addKey, type KeyPurpose, type Overlap, type SigningKey } from './signing-key.js';

/**
 * How long a new key is published before it signs, in seconds. It is longer than our servers take to notice a changed
 * file, and than clients cache a key set.
 */
const KEY_LEAD = 300;

/**
 * Rotates the keys for a purpose. Running servers notice within seconds.
 *
 * @param options where keys are kept; `keep`: the longest life of a token, in seconds; `lead`: how long
 * the new key is published before it signs (default 300). With both 0 the old keys end at once, for use when a
 * key is compromised.
 * @returns the keys after the rotation
 */
export async function rotateKeys({
  purpose,
  now,
  keep,
  lead = KEY_LEAD,
  ...location
}: KeyLocation & {
  purpose: KeyPurpose;
  now: Date;
} & Pick<Overlap, 'keep'> &
  Partial<Pick<Overlap, 'lead'>>): Promise<ListedKey[]> {
  const file = keyFile(location, purpose);
  await openKeys(file, now);
  const key = await makeKey();
  const keys = await changeKeys(file, (earlier) => addKey(earlier, key, { lead, keep }, now));
  return listOf(keys, now);
}

/** The keys of a file. At first start, it is created with a key that signs at once. */
export function openKeys(file: KeyFile, now: Date): Promise<SigningKey[]> {
  return readOrMakeKeys(file, async () => addKey([], await makeKey(), { lead: 0, keep: 0 }, now));
}
