// Publishes the keys that verify customs tokens.
import type { KeyRing, KeySet } from './signing-keys/key-ring.js';

/** The keys that are published now. */
export function getCustomsKeys(keys: Pick<KeyRing, 'published'>): KeySet {
  return { keys: keys.published() };
}
