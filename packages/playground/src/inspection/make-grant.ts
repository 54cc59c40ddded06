// Signs a grant of an identity, as its client does.
import { createPrivateKey } from 'node:crypto';
import type { PlaygroundCredentials } from '@landfall/contract';
import { SignJWT } from 'jose';

/** The lifetime of the grant, in seconds. */
const LIFETIME = 60;

/** Signs a grant for all scopes of an identity. */
export async function makeGrant(
  identity: PlaygroundCredentials,
  now: Date,
  jti: string,
): Promise<string> {
  const { alg, kid, x5c, client_id: clientId, idp_url: audience, scopes } = identity;
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({
    aud: audience,
    iss: clientId,
    scope: scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + LIFETIME,
    jti,
  })
    .setProtectedHeader({ alg, typ: 'JWT', ...(kid === undefined ? { x5c } : { kid }) })
    .sign(createPrivateKey(identity.private_key));
}
