// The public keys of a key file, as a server that has it publishes them.
import { type KeyPlace, keyFile, readKeys } from './key-file.js';
import { type PublishedKey, publish } from './key-ring.js';
import { type KeyPurpose, publishedKeys } from './signing-key.js';

/**
 * Reads the keys for a purpose that are published now.
 *
 * @throws UnreadableKeyFileError, KeyPassphraseError, or the system's error, such as ENOENT
 */
export async function readPublishedKeys({
  purpose,
  now,
  ...place
}: KeyPlace & { purpose: KeyPurpose; now: Date }): Promise<PublishedKey[]> {
  return publishedKeys(await readKeys(keyFile(place, purpose)), now).map(publish);
}
