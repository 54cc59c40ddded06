// Signs grants, valid ones and ones that break a rule.
import { type KeyObject, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Identity } from '../settings/settings.js';

/** Lifetime of a grant, in seconds. */
const GRANT_LIFETIME = 60;

/** Changes of a valid grant; a claim that is `undefined` is left out. */
export type GrantChanges = {
  claims?: Record<string, unknown> | undefined;
  header?: Record<string, unknown> | undefined;
  /** Another key than that of the identity. */
  key?: KeyObject | undefined;
};

/** Signs a grant for an identity, with changes. */
export function signGrant(
  identity: Identity,
  audience: string,
  scope: string,
  { claims = {}, header = {}, key }: GrantChanges = {},
): Promise<string> {
  const signer = key ?? identity.privateKey;
  const now = Math.floor(Date.now() / 1000);
  const { certificates, keyId, clientId } = identity;
  return new SignJWT({
    iss: clientId,
    aud: audience,
    scope,
    iat: now,
    exp: now + GRANT_LIFETIME,
    jti: randomUUID(),
    ...claims,
  })
    .setProtectedHeader({
      alg: key === undefined ? (identity.algorithm ?? algorithmOf(signer)) : algorithmOf(signer),
      ...(keyId === undefined ? { x5c: [...certificates] } : { kid: keyId }),
      ...header,
    })
    .sign(signer);
}

/** The algorithm that a key signs with. */
function algorithmOf({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): string {
  if (type === 'ec') {
    const curves: Record<string, string> = { secp384r1: 'ES384', secp521r1: 'ES512' };
    return curves[details?.namedCurve ?? ''] ?? 'ES256';
  }
  return type === 'rsa' ? 'RS256' : 'EdDSA';
}
