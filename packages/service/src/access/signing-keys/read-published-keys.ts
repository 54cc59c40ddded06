// The public keys of a key file, as a server that has it publishes them.
import { type KeyLocation, keyFile, readKeys } from './key-file.js';
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
  ...location
}: KeyLocation & { purpose: KeyPurpose; now: Date }): Promise<PublishedKey[]> {
  return publishedKeys(await readKeys(keyFile(location, purpose)), now).map(publish);
}
