// Signs grants (client assertions) for the identity provider.
import { toBase64Url } from '../der/base64.js';
import { readCertificates } from '../der/pem.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import type { Credentials } from './credentials.js';
import { openSigner } from './signing-key.js';

/** The lifetime of a grant, in seconds; an identity provider accepts at most 120. */
const GRANT_LIFETIME = 60;

/**
 * Signs a grant for a scope, or several that are separated by spaces.
 *
 * @param now the time of the identity provider, in milliseconds since 1970; default: that of this machine
 */
export type SignGrant = (scope: string, now?: number) => Promise<string>;

/**
 * Opens the key once, to sign any number of grants.
 *
 * @throws ConfigurationError when the key or the certificates cannot be used
 */
export async function openGrants(credentials: Credentials): Promise<SignGrant> {
  const { clientId, identityProvider, key, algorithm } = credentials;
  const signer = await openSigner(key, algorithm);
  const header = encode({ alg: signer.algorithm, typ: 'JWT', ...identify(credentials) });
  return async (scope, now = Date.now()) => {
    const issuedAt = Math.floor(now / 1000);
    const claims = encode({
      ...identityProvider.claims,
      aud: identityProvider.audience ?? identityProvider.url,
      iss: clientId,
      scope,
      iat: issuedAt,
      exp: issuedAt + GRANT_LIFETIME,
      jti: crypto.randomUUID(),
    });
    const content = `${header}.${claims}`;
    const signature = await signer.sign(new TextEncoder().encode(content));
    return `${content}.${toBase64Url(signature)}`;
  };
}

/** The member of the header by which the identity provider identifies the client. */
function identify(credentials: Credentials): { kid: string } | { x5c: string[] } {
  const { key, certificates } = credentials;
  const ownId = typeof key === 'object' && 'kid' in key ? key.kid : undefined;
  const kid = credentials.kind === 'domestic' ? (credentials.keyId ?? ownId) : undefined;
  if (kid !== undefined) return { kid };
  const x5c = readCertificates(certificates ?? []);
  if (x5c.length > 0) return { x5c };
  throw new ConfigurationError(
    credentials.kind === 'domestic'
      ? 'credentials need the keyId of the key, or certificates'
      : 'credentials need certificates: the eSeal and its chain',
  );
}

function encode(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
