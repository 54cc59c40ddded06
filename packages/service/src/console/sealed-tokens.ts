// The provider's tokens of a session as they are stored: encrypted with a key that follows from the session's id, which
// only the browser's cookie has. Whoever reads the database or a backup cannot use them.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { ProviderTokens } from './sessions.js';

const ALGORITHM = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** @param id the session's id, which is 256 random bits as text */
export function sealTokens(id: string, tokens: ProviderTokens): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(id), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The tokens; throws if they were sealed with another id or changed. */
export function openTokens(id: string, stored: Buffer): ProviderTokens {
  const decipher = createDecipheriv(ALGORITHM, keyOf(id), stored.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([
    decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
  // The cast is true because only `sealTokens` has made it.
  return JSON.parse(text.toString()) as ProviderTokens;
}

function keyOf(id: string): Buffer {
  return Buffer.from(hkdfSync('sha256', id, '', 'tokens of a console session', 32));
}
