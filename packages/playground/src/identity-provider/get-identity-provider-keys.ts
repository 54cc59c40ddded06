// Publishes the keys that verify tokens of the playground's identity provider.
import type { KeyRing, KeySet } from '@landfall/service/assembly';

/** The keys that are published now. */
export function getIdentityProviderKeys(keys: Pick<KeyRing, 'published'>): KeySet {
  return { keys: keys.published() };
}
