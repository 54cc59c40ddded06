// Signs a token: a JWS in compact form with ES256 (RFC 7515; RFC 7518, section 3.4).
import { type KeyObject, sign } from 'node:crypto';

/** A header or claims, as they are encoded. */
export function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * Signs claims in another thread: where many ask for tokens, this one has enough to do. By OpenSSL directly: by way of
 * WebCrypto, as the JOSE library goes, it takes twice as long.
 *
 * @param header encoded; names the algorithm
 * @param key P-256
 */
export function signToken(header: string, claims: object, key: KeyObject): Promise<string> {
  const text = `${header}.${encodePart(claims)}`;
  return new Promise((resolve, reject) => {
    const how = { key, dsaEncoding: 'ieee-p1363' } as const;
    sign('sha256', Buffer.from(text), how, (error, signature) => {
      if (error === null) resolve(`${text}.${signature.toString('base64url')}`);
      else reject(error);
    });
  });
}
