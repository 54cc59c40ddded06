// Tells what a JWT is on the way to a customs token, by what it says of itself.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { TOKEN_TYPE } from './signing-keys/key-ring.js';

/** A grant for the identity provider, the identity provider's token for it, or the customs token for that. */
export type TokenKind = 'grant' | 'access-token' | 'customs-token';

/** What it is; what cannot be read is taken for a grant. Nothing of it is believed. */
export function recogniseToken(text: string): TokenKind {
  try {
    const { x5c, typ } = decodeProtectedHeader(text);
    const { consumer, sub, client_id: clientId } = decodeJwt(text);
    if (x5c !== undefined) return 'grant';
    if (consumer !== undefined) return 'access-token';
    return typ === TOKEN_TYPE || (sub !== undefined && clientId !== undefined)
      ? 'customs-token'
      : 'grant';
  } catch {
    return 'grant';
  }
}
