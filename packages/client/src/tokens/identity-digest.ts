// What tells one identity from another: names alone do not, because the `iss` of a foreign business is not evaluated.
import { readCertificates } from '../der/pem.js';
import type { Credentials } from './credentials.js';
import type { TokenAddresses } from './obtain-token.js';
import { describeIdentityOf } from './signing-key.js';

/**
 * A digest of what proves the identity (the certificate, or the key and its id) and of where, and for whom, tokens are
 * requested. Two clients with one digest may share their tokens.
 */
export async function digestIdentity(
  credentials: Credentials,
  addresses: TokenAddresses,
): Promise<string> {
  const { kind, clientId, identityProvider, scopePrefix, certificates } = credentials;
  const [leaf] = readCertificates(certificates ?? []);
  const keyId = kind === 'domestic' ? credentials.keyId : undefined;
  const { audience = identityProvider.url, claims } = identityProvider;
  const key = describeIdentityOf(credentials.key);
  // A key that nothing else names is no other one's.
  const isNamed = key !== undefined || leaf !== undefined || keyId !== undefined;
  const proof = { keyId, leaf, key: isNamed ? key : crypto.randomUUID() };
  const parts = { kind, clientId, ...addresses, audience, claims, scopePrefix, ...proof };
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
