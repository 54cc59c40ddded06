// Signs a token: a JWS in compact form with ES256 (RFC 7515; RFC 7518, section 3.4).
import { type KeyObject, sign } from 'node:crypto';

/** A header or claims, as they are encoded. */
export function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * Signs claims at once: it takes some 40 µs, which is less than to have another thread do it, as the JOSE library does
 * by way of WebCrypto.
 *
 * @param header encoded; names the algorithm
 * @param key P-256
 */
export function signToken(header: string, claims: object, key: KeyObject): string {
  const text = `${header}.${encodePart(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
