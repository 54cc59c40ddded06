// The provider's tokens of a session as they are stored: encrypted with a key that follows from the session's id, which
// only the browser's cookie has. Whoever reads the database or a backup cannot use them.
import { deriveKey, openText, sealText } from './sealed-text.js';
import type { ProviderTokens } from './sessions.js';

/** @param id the session's id, which is 256 random bits as text */
export function sealTokens(id: string, tokens: ProviderTokens): Buffer {
  return sealText(keyOf(id), JSON.stringify(tokens));
}

/** The tokens; throws if they were sealed with another id or changed. */
export function openTokens(id: string, stored: Buffer): ProviderTokens {
  // The cast is true because only `sealTokens` has made it.
  return JSON.parse(openText(keyOf(id), stored)) as ProviderTokens;
}

function keyOf(id: string): Buffer {
  return deriveKey(id, 'tokens of a console session');
}
