// Advice for each rule that is broken or open: what `landfall token doctor` and the console's page for tokens say.
import type { Finding, TokenKind } from '@landfall/service';

const forGrants: Record<string, string> = {
  form: 'Send a signed JWT in compact form: header, claims and signature in base64url, separated by dots, on one line.',
  algorithm:
    'Sign with RS256/384/512, PS256/384/512, ES256/384/512 or EdDSA, never with none or a shared secret.',
  x5c: 'Make x5c an array of certificates in base64 DER (not base64url, not PEM), leaf first.',
  claims:
    'Set iss, aud and scope to strings, iat and exp to whole seconds since 1970, and kid or x5c in the header.',
  certificates:
    'Put each certificate into x5c as base64 DER, without the PEM header and footer lines.',
  client: 'Set iss to a client_id that is registered with the identity provider and not blocked.',
  key: 'Set kid to a registered, unexpired key of the client, or send x5c.',
  organisation:
    "Sign with the certificate of the client's own organisation; an eSeal must have an organizationIdentifier.",
  'entire-chain': 'Add the certificates above the eSeal to x5c: the eSeal alone is not enough.',
  leaf: 'Put the certificate of the signing key first in x5c; it must allow signatures and must not be a CA certificate.',
  trust:
    'Complete x5c up to an issuer that the identity provider trusts, or get a certificate from one.',
  link: 'Order the certificates: each one followed by its issuer.',
  business: 'Ask the authority why the business is blocked.',
  validity:
    'Renew the certificate that is expired or not yet valid, or set the clock of this machine.',
  signature:
    'Sign with the private key of the first certificate in x5c and an alg that matches its type.',
  aud: "Set aud to exactly one value, the identity provider's address, with or without a trailing slash.",
  resource: 'Leave resource out, or set it to the address of the service: tokens are for it alone.',
  representation:
    'Remove the claims that request to act for another organisation: a grant is only for its own.',
  begun: 'Set iat to the current time and check the clock: at most 10 s in the future is accepted.',
  'not-over': 'Sign a new grant just before you send it.',
  lifetime: 'Set exp to at most 120 s after iat.',
  scope:
    'Request scopes of the scope table: plain ones as a domestic business, eu/ ones with an eSeal.',
  granted:
    'Register the scope with the client, or have the authority grant it to the organisation.',
  jti: 'Give each grant its own jti, such as a UUID.',
};

const forTokens: Record<string, string> = {
  form: 'Use the token unchanged, as it was issued: three parts in base64url, separated by dots, on one line.',
  algorithm: 'Use the token unchanged, as it was issued.',
  type: "Send a customs token to the API and the identity provider's access token to the exchange, not an ID or logout token.",
  signature:
    'Get a new token: the signing key has expired, or the token was changed or belongs to another service.',
  iss: 'Get a token from this service: this one was issued by another.',
  aud: 'Get a token for this service: its base address must be the one in the token.',
  lifetime: 'Have the identity provider issue tokens that are valid for a day at most.',
  'not-over': 'Get a new token: this one has expired.',
  claims: 'Use the token unchanged, as it was issued; the identity provider sets these claims.',
  client_id: 'Use the token unchanged: the identity provider sets client_id.',
  consumer: 'Use the token unchanged: the identity provider sets consumer to an organisation.',
  'other-parties': 'Use the token unchanged: the identity provider names other organisations.',
  trial: 'Get a token of the provider that the service uses: this one is for trials.',
  scope: 'Request scopes of the scope table; the test scope cannot be exchanged.',
};

const forOpen: Record<string, string> = {
  client: forGrants.client ?? '',
  business: 'Ask the authority whether the business is registered and which scopes it has.',
  granted: forGrants.granted ?? '',
  jti: forGrants.jti ?? '',
};

/**
 * The advice for a finding.
 *
 * @returns `null` if the rule holds, depends on another rule, or needs a value that the caller did not have. The links
 *   of a chain share one advice.
 */
export function adviceFor(kind: TokenKind, { rule, holds, code }: Finding): string | null {
  if (holds) return null;
  if (holds === null) return code === null && rule !== 'jti' ? null : (forOpen[rule] ?? null);
  const table = kind === 'grant' ? forGrants : forTokens;
  return table[rule.replace(/-\d+$/, '')] ?? 'Get a new token.';
}
