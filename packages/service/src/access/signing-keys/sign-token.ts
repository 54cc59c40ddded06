// Signs a token: a JWS in compact form with ES256 (RFC 7515; RFC 7518, section 3.4).
import type { KeyObject } from 'node:crypto';
import { signText } from '../signature-thread/signature-thread.js';

/** A header or claims, as they are encoded. */
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
  return `${text}.${await signText({ hash: 'sha256', use: { dsaEncoding: 'ieee-p1363' }, key, text })}`;
}
