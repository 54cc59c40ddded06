// Verifies the signature of a JWS in compact form (RFC 7515) with any of the algorithms of a grant (RFC 7518, section 3).
import { constants, type KeyObject } from 'node:crypto';
import type { GRANT_ALGORITHMS } from '@landfall/contract';
import type { Signing } from './signature-thread/signature-job.js';
import { verifyText } from './signature-thread/signature-thread.js';

/** The signature algorithm of a grant. */
export type GrantAlgorithm = (typeof GRANT_ALGORITHMS)[number];

/** How an algorithm is used, and how a key must be for it. */
type GrantSigning = Signing & { fits: (key: KeyObject) => boolean };

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

/** A key signs in one way alone, whatever the header says. */
export function fitsAlgorithm(key: KeyObject, algorithm: GrantAlgorithm): boolean {
  return algorithms[algorithm].fits(key);
}

const base64url = /^[\w-]+$/;

/**
 * Tells whether a JWS was signed by the owner of a key.
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
  if (!base64url.test(signature)) return false;
  const { hash, use } = algorithms[algorithm];
  return verifyText({ hash, use, key, text: jws.slice(0, end), signature });
}
