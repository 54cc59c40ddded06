// Detects the kind of a JWT by its header and claims: a grant, a token of the identity provider or a customs token.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { TOKEN_TYPE } from './signing-keys/key-ring.js';

/** A grant for the identity provider, its token, or the customs token that this was exchanged for. */
export type TokenKind = 'grant' | 'access-token' | 'customs-token';

/** The kind of a token, which is not verified. An unreadable token counts as a grant. */
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
