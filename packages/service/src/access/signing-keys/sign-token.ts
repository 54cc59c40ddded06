// Signs a token: a JWS in compact form with ES256 (RFC 7515; RFC 7518, section 3.4).
import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** With a callback, Node.js computes the signature in its thread pool. */
const signInPool = promisify(sign);

/** Encodes a header or claims. */
export function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * Signs claims.
 *
 * @param header encoded; names the algorithm
 * @param key P-256
 */
export async function signToken(header: string, claims: object, key: KeyObject): Promise<string> {
  const text = `${header}.${encodePart(claims)}`;
  const signature = await signInPool('sha256', Buffer.from(text), {
    key,
    dsaEncoding: 'ieee-p1363',
  });
  return `${text}.${signature.toString('base64url')}`;
}
