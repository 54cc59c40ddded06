// Puts a fresh signing key behind the one in use, so that no token that was given out stops verifying.

import {
  type KeyFile,
  type KeyPlace,
  keyFile,
  makeKey,
  readOrMakeKeys,
  writeKeys,
} from './key-file.js';
import { type ListedKey, listOf } from './list-keys.js';
import { addKey, type KeyPurpose, type Overlap, type SigningKey } from './signing-key.js';

/**
 * How long a fresh key is published before it signs, in seconds: longer than our servers take to notice a
 * changed file and others keep a key set.
 */
const KEY_LEAD = 300;

/**
 * Rotates the keys for a purpose. Running servers notice within seconds.
 *
 * @param options where keys are kept; `keep`: the longest life of a token, in seconds; `lead`: how long
 * the fresh key is published before it signs (default 300). With both 0 the old keys end at once: for a key that
 * others have got hold of.
 * @returns the keys as they now stand
 */
export async function rotateKeys({
  purpose,
  now,
  keep,
  lead = KEY_LEAD,
  ...place
}: KeyPlace & {
  purpose: KeyPurpose;
  now: Date;
} & Pick<Overlap, 'keep'> &
  Partial<Pick<Overlap, 'lead'>>): Promise<ListedKey[]> {
  const file = keyFile(place, purpose);
  const keys = addKey(await openKeys(file, now), await makeKey(), { lead, keep }, now);
  await writeKeys(file, keys);
  return listOf(keys, now);
}

/** The keys of a file; at first start it is made with one key that signs at once. */
export function openKeys(file: KeyFile, now: Date): Promise<SigningKey[]> {
  return readOrMakeKeys(file, async () => addKey([], await makeKey(), { lead: 0, keep: 0 }, now));
}
