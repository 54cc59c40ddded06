// Verifies the signature of a JWS in compact form (RFC 7515) with any of the algorithms of a grant (RFC 7518, section 3).
import { constants, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { GRANT_ALGORITHMS } from '@landfall/contract';
import { isCanonicalBase64Url } from './compact-token.js';

/** The signature algorithm of a grant. */
export type GrantAlgorithm = (typeof GRANT_ALGORITHMS)[number];

/** How OpenSSL verifies with an algorithm, and which keys fit it. */
type GrantSigning = {
  /** `null` if the algorithm includes its digest. */
  hash: string | null;
  use: { dsaEncoding?: 'ieee-p1363'; padding?: number; saltLength?: number };
  fits: (key: KeyObject) => boolean;
};

const algorithms: Record<GrantAlgorithm, GrantSigning> = {
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

function rsa(hash: string): GrantSigning {
  return { hash, fits: isRsa, use: { padding: constants.RSA_PKCS1_PADDING } };
}

function rsaPss(hash: string): GrantSigning {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return { hash, fits: isRsa, use: { padding, saltLength } };
}

function ecdsa(hash: string, curve: string): GrantSigning {
  return {
    hash,
    fits: ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === curve,
    use: { dsaEncoding: 'ieee-p1363' },
  };
}

function isRsa({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'rsa';
}

/** Whether a key fits the algorithm. */
export function fitsAlgorithm(key: KeyObject, algorithm: GrantAlgorithm): boolean {
  return algorithms[algorithm].fits(key);
}

/** With a callback, Node.js computes it in its thread pool. */
const verifyInPool = promisify(verify);

/**
 * Whether a JWS was signed with the private part of a key.
 *
 * @param jws three parts; its header names the algorithm and no extension that must be understood (`crit`)
 */
export async function verifySignature(
  jws: string,
  algorithm: GrantAlgorithm,
  key: KeyObject,
): Promise<boolean> {
  const end = jws.lastIndexOf('.');
  const signature = jws.slice(end + 1);
  if (!isCanonicalBase64Url(signature)) return false;
  const { hash, use } = algorithms[algorithm];
  const text = Buffer.from(jws.slice(0, end));
  return verifyInPool(hash, text, { key, ...use }, Buffer.from(signature, 'base64url'));
}
