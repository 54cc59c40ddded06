// Detects which token of the way to a customs token a JWT is, by its header and claims.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { TOKEN_TYPE } from './signing-keys/key-ring.js';

/** A grant for the identity provider, the identity provider's token for it, or the customs token for that. */
export type TokenKind = 'grant' | 'access-token' | 'customs-token';

/** The kind of a token, without verifying it; one that cannot be read counts as a grant. */
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
