// Verifies the signature of a JWS in compact form (RFC 7515) with any of the algorithms of a grant (RFC 7518, section 3).
import { constants, type KeyObject, verify } from 'node:crypto';
import type { GrantAlgorithm } from './read-grant.js';

/** How OpenSSL is told of an algorithm: which hash, and how a key must be and is used. */
type Signing = {
  /** `null`: the algorithm has its own. */
  hash: string | null;
  fits: (key: KeyObject) => boolean;
  use: { dsaEncoding?: 'ieee-p1363'; padding?: number; saltLength?: number };
};

const algorithms: Record<GrantAlgorithm, Signing> = {
  RS256: rsa('sha256'),
  RS384: rsa('sha384'),
  RS512: rsa('sha512'),
  PS256: rsaPss('sha256'),
  PS384: rsaPss('sha384'),
  PS512: rsaPss('sha512'),
  ES256: ecdsa('sha256', 'prime256v1'),
  ES384: ecdsa('sha384', 'secp384r1'),
  ES512: ecdsa('sha512', 'secp521r1'),
  EdDSA: { hash: null, fits: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519', use: {} },
};

function rsa(hash: string): Signing {
  return { hash, fits: isRsa, use: { padding: constants.RSA_PKCS1_PADDING } };
}

function rsaPss(hash: string): Signing {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return { hash, fits: isRsa, use: { padding, saltLength } };
}

function ecdsa(hash: string, curve: string): Signing {
  return {
    hash,
    fits: ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === curve,
    use: { dsaEncoding: 'ieee-p1363' },
  };
}

function isRsa({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'rsa';
}

/** A key signs in one way alone, whatever the header says. */
export function fitsAlgorithm(key: KeyObject, algorithm: GrantAlgorithm): boolean {
  return algorithms[algorithm].fits(key);
}

const base64url = /^[\w-]+$/;

/**
 * Tells whether a JWS was signed by the owner of a key. By OpenSSL directly, in another thread: by way of WebCrypto,
 * as the JOSE library goes, it takes half as much again.
 *
 * @param jws three parts; its header names the algorithm and no extension that must be understood (`crit`)
 */
export function verifySignature(
  jws: string,
  algorithm: GrantAlgorithm,
  key: KeyObject,
): Promise<boolean> {
  const end = jws.lastIndexOf('.');
  const signature = jws.slice(end + 1);
  if (!base64url.test(signature)) return Promise.resolve(false);
  const { hash, use } = algorithms[algorithm];
  const signed = Buffer.from(jws.slice(0, end));
  return new Promise((resolve, reject) => {
    verify(hash, signed, { key, ...use }, Buffer.from(signature, 'base64url'), (error, holds) => {
      if (error === null) resolve(holds);
      else reject(error);
    });
  });
}
