// Signs the grant (client assertion) that the identity provider exchanges for an access token.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PlaygroundCredentials } from '@landfall/contract';
import { SignJWT } from 'jose';
import { CredentialsError } from './credentials.js';

/** The lifetime of a grant, in seconds; the identity provider accepts at most 120. */
export const GRANT_LIFETIME = 60;

/** A signed grant and its signature algorithm. */
export type SignedGrant = { assertion: string; algorithm: string };

/**
 * Signs a grant. Specification, section 5, step 1.
 *
 * @param credentials the key that signs and its certificate chain
 * @param options the scopes, separated by spaces; the time in milliseconds; an unused id
 * @throws CredentialsError when the key cannot be read or has an unsupported type
 */
export async function signGrant(
  credentials: PlaygroundCredentials,
  { scope, now, jti }: { scope: string; now: number; jti: string },
): Promise<SignedGrant> {
  const key = readKey(credentials);
  const algorithm = algorithmOf(key);
  const issuedAt = Math.floor(now / 1000);
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: algorithm, x5c: credentials.x5c })
    .setAudience(credentials.idp_url)
    .setIssuer(credentials.client_id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + GRANT_LIFETIME)
    .setJti(jti)
    .sign(key);
  return { assertion, algorithm };
}

function readKey({ name, private_key }: PlaygroundCredentials): KeyObject {
  try {
    return createPrivateKey(private_key);
  } catch {
    throw new CredentialsError(`the private key of "${name}" cannot be read`);
  }
}

const algorithmOfCurve: Record<string, string> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** The smallest RSA key that the identity provider accepts, in bits. */
const MIN_RSA_BITS = 2048;

/** The signature algorithm for a key. */
function algorithmOf(key: KeyObject): string {
  const { namedCurve: curve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const algorithm =
    curve === undefined ? algorithmOfType[key.asymmetricKeyType ?? ''] : algorithmOfCurve[curve];
  if (key.asymmetricKeyType === 'rsa' && modulusLength < MIN_RSA_BITS) {
    throw new CredentialsError(
      `an RSA key of ${modulusLength} bits cannot sign grants: it needs at least ${MIN_RSA_BITS} bits`,
    );
  }
  if (algorithm === undefined) {
    throw new CredentialsError(
      `a key of type ${[key.asymmetricKeyType, curve].join(' ').trim()} cannot sign grants`,
    );
  }
  return algorithm;
}

/** Without `rsa-pss`: the identity provider accepts only RSA keys that are not bound to one scheme. */
const algorithmOfType: Record<string, string> = {
  rsa: 'RS256',
  ed25519: 'EdDSA',
};
