// Signs the grant that a client shows to the identity provider: the first link of the chain to a token.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PlaygroundCredentials } from '@landfall/contract';
import { SignJWT } from 'jose';
import { CredentialsError } from './credentials.js';

/** How long a grant is good for, in seconds; 120 is the most that the identity provider takes. */
export const GRANT_LIFETIME = 60;

/** A signed grant and what it was signed with. */
export type SignedGrant = { assertion: string; algorithm: string };

/**
 * Signs a grant. Specification, section 5, step 1.
 *
 * @param credentials whose key signs, and whose certificate chain says who that is
 * @param options the scopes to ask for, separated by spaces; the time in milliseconds; an id never used before
 * @throws CredentialsError when the key is not one that grants are signed with
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

/** Smallest RSA key that the identity provider takes, in bits. */
const MIN_RSA_BITS = 2048;

/** The signature algorithm that a key is made for. */
function algorithmOf(key: KeyObject): string {
  const { namedCurve: curve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const algorithm =
    curve === undefined ? algorithmOfType[key.asymmetricKeyType ?? ''] : algorithmOfCurve[curve];
  if (key.asymmetricKeyType === 'rsa' && modulusLength < MIN_RSA_BITS) {
    throw new CredentialsError(
      `no grant can be signed with an RSA key of ${modulusLength} bits: it must have ${MIN_RSA_BITS} or more`,
    );
  }
  if (algorithm === undefined) {
    throw new CredentialsError(
      `no grant can be signed with a key of type ${key.asymmetricKeyType} ${curve ?? ''}`.trim(),
    );
  }
  return algorithm;
}

/** Not `rsa-pss`: the identity provider takes RSA keys that are not bound to one scheme. */
const algorithmOfType: Record<string, string> = {
  rsa: 'RS256',
  ed25519: 'EdDSA',
};
