// Signs a token with a key that is not in the key set, as one whose key was rotated.
import { randomUUID } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Signs the claims with a new key. */
export async function signWithUnpublishedKey(claims: JWTPayload): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: randomUUID() })
    .sign(privateKey);
}
