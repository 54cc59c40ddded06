// Public keys of clients: a key is read once, however often it is used.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Most keys that are remembered. */
const MOST_REMEMBERED = 10_000;

/** By the whole key: one that is changed is another. The same object each time, which the JOSE library remembers too. */
const known = new LRUCache<string, KeyObject>({ max: MOST_REMEMBERED });

/** The key that a registered JWK (RFC 7517) stands for. Whether it may be used still is for its client to say. */
export function publicKeyOf(jwk: Record<string, unknown>): KeyObject {
  const text = JSON.stringify(jwk);
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  known.set(text, key);
  return key;
}
