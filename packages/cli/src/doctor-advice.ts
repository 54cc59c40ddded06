// What to do about a rule that is broken or open: one sentence each.
import type { Finding, TokenKind } from '@landfall/service';

const forGrants: Record<string, string> = {
  form: 'Send a signed JWT in compact form: header, claims and signature in base64url, joined by dots, on one line.',
  algorithm:
    'Sign with RS256/384/512, PS256/384/512, ES256/384/512 or EdDSA, never with none or a shared secret.',
  x5c: 'Make x5c an array of certificates in base64 DER (not base64url, not PEM), leaf first.',
  claims:
    'Give iss, aud and scope as texts, iat and exp as whole seconds since 1970, and kid or x5c in the header.',
  certificates: 'Put each certificate into x5c as base64 DER, without the lines of PEM around it.',
  client: 'Set iss to the client_id that the identity provider has registered and not blocked.',
  key: 'Set kid to a key that is registered with the client and has not ended, or give x5c.',
  organisation:
    "Sign with the certificate of the client's own organisation; an eSeal must have an organizationIdentifier.",
  'entire-chain': 'Add the certificates above the eSeal to x5c: the eSeal alone is not enough.',
  leaf: 'Put the certificate whose key signs first in x5c: one for signatures, which issues no others.',
  trust:
    'Complete x5c up to an issuer that the identity provider trusts, or get a certificate below one.',
  link: 'Put the certificates in order: each one followed by the one that issued it.',
  business: 'Ask the authority why the business is blocked.',
  validity: 'Renew the certificate that is outside its time, or set the clock of this machine.',
  signature:
    'Sign with the private key of the first certificate in x5c, with the alg that fits it.',
  aud: "Set aud to the identity provider's own address: alone, with or without a slash at the end.",
  representation:
    'Leave out the claims that ask to act for another organisation: a grant is for its own alone.',
  begun: 'Set iat to the present time and check the clock: at most 10 s ahead are taken.',
  'not-over': 'Sign a new grant just before you send it.',
  lifetime: 'Set exp to at most 120 s after iat.',
  scope:
    'Ask for scopes of the scope table: plain ones as a domestic business, eu/ ones with an eSeal.',
  granted:
    'Have the scope registered with the client, or granted to the organisation by the authority.',
};

const forTokens: Record<string, string> = {
  algorithm: 'Use the token as it was given; one that was made or changed elsewhere is not taken.',
  type: "Send a customs token to the API and the identity provider's access token to the exchange: no ID or logout token.",
  signature:
    'Get a new token: the key may have ended, or the token was changed or is of another service.',
  iss: 'Get a token by way of this service: this one was issued for another.',
  aud: 'Get a token for this service: its base address must be the one in the token.',
  lifetime: 'Have the identity provider issue tokens that are valid for a day at most.',
  'not-over': 'Get a new token: keep it for its lifetime and no longer.',
  claims: "Use the token as it was given; these claims are the identity provider's to fill in.",
  scope: 'Ask for scopes of the scope table; the test scope cannot be exchanged.',
};

const forOpen: Record<string, string> = {
  client: forGrants.client ?? '',
  business: 'Ask the authority whether it knows the business and what it has granted.',
  trust: 'Name the issuers that the identity provider trusts with --trust.',
  signature: 'Name the keys of whoever signed it with --jwks.',
  iss: 'Name the service with --aud, or the folder of its playground with --data.',
  aud: 'Name whom it must be for with --aud, or the folder of its playground with --data.',
  granted: forGrants.granted ?? '',
  jti: 'Give each grant a jti of its own, such as a UUID.',
};

/**
 * What to do about a finding; nothing where the rule holds, or rests on another that does not. The links of a
 * chain have one advice together.
 */
export function adviceFor(kind: TokenKind, { rule, holds, code }: Finding): string | null {
  if (holds) return null;
  if (holds === null) return code === null && rule !== 'jti' ? null : (forOpen[rule] ?? null);
  const table = kind === 'grant' ? forGrants : forTokens;
  return table[rule.replace(/-\d+$/, '')] ?? 'Get a new one.';
}
