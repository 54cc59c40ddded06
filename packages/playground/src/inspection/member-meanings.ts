// What each member of the header and each claim of a token means to its verifier.
import { GRANT_LIFETIME_LIMIT, SUBJECT_TOKEN_LIFETIME_LIMIT } from '@landfall/contract';
import type { TokenKind } from '@landfall/service/tokens';

/** Whether a member must be there. `unused`: the verifier ignores it; `forbidden`: it refuses a token with it. */
export type Presence = 'required' | 'recommended' | 'optional' | 'unused' | 'forbidden';

/** Whether a member must be there, and what it means. */
export type Meaning = { presence: Presence; meaning: string };

/** The members of the header and the claims of the contract, in the order in which they are listed. */
type Meanings = {
  header: Readonly<Record<string, Meaning>>;
  claims: Readonly<Record<string, Meaning>>;
};

const alg = required('The algorithm of the signature.');
const crit: Meaning = {
  presence: 'forbidden',
  meaning: 'Names extensions that a verifier must support. None is supported.',
};
const nbf = optional('The token is not valid before this time.');
const tokenScope = required('What the token may be used for: scopes, separated by spaces.');

const meaningsOfKind: Readonly<Record<TokenKind, Meanings>> = {
  grant: {
    header: {
      alg,
      typ: unused('The type of the token. The identity provider does not read it.'),
      kid: required(
        'The registered key of the client that signed the grant. A grant with x5c does not need it.',
      ),
      x5c: required(
        'The certificates of the key that signed the grant, from the leaf to the issuer, in base64.',
      ),
      crit,
    },
    claims: {
      iss: required(
        'The client that signed the grant: its client_id. With an eSeal, the certificate names the business instead.',
      ),
      aud: required('The identity provider that the grant is for, and nobody else.'),
      scope: required('The scopes that are requested, separated by spaces.'),
      iat: required('When the grant was issued.'),
      exp: required(`When the grant ends: at most ${GRANT_LIFETIME_LIMIT} s after it was issued.`),
      nbf: optional('The grant is not valid before this time.'),
      jti: recommended(
        'The id of the grant. A grant that has one is accepted once, so a stolen one is useless.',
      ),
      resource: optional('The service that the token is requested for (RFC 8707).'),
    },
  },
  'access-token': {
    header: {
      alg,
      typ: optional('The type of the token: at+jwt or JWT.'),
      kid: required('The key of the identity provider that signed the token.'),
      crit,
    },
    claims: {
      iss: required('The identity provider that issued the token.'),
      aud: optional('The service that the token may be exchanged at.'),
      sub: unused('The client, once more. The exchange reads client_id.'),
      client_id: required('The client that requested the token.'),
      client_amr: unused('How the identity provider recognised the client.'),
      consumer: required('The organisation that the token is for.'),
      supplier: optional(
        'The organisation whose client requested the token. The token is refused if it is blocked.',
      ),
      client_orgno: optional(
        "The number of the client's organisation. The token is refused if it is blocked.",
      ),
      scope: tokenScope,
      iat: optional(
        `When the token was issued. It may be valid for ${SUBJECT_TOKEN_LIFETIME_LIMIT} s at most.`,
      ),
      exp: required('When the token ends.'),
      nbf,
      jti: unused('The id of the token.'),
    },
  },
  'customs-token': {
    header: {
      alg,
      typ: required('The type of the token: at+jwt.'),
      kid: required('The key of the service that signed the token.'),
      crit,
    },
    claims: {
      iss: required('The service that issued the token.'),
      aud: required('The service that the token is for.'),
      sub: required('The organisation that calls.'),
      client_id: required('The client that calls.'),
      other_parties: optional(
        'Other organisations that the token of the identity provider named. The token is refused if one is blocked.',
      ),
      scope: tokenScope,
      iat: optional('When the token was issued.'),
      exp: required('When the token ends.'),
      nbf,
      jti: unused('The id of the token.'),
    },
  },
};

/** The meanings of the members of a header: a grant names its key by `x5c`, else by `kid`. */
export function headerMeanings(
  kind: TokenKind,
  header: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Meaning>> {
  const { header: meanings } = meaningsOfKind[kind];
  if (kind !== 'grant') return meanings;
  const { x5c, kid, ...others } = meanings;
  if (x5c === undefined || kid === undefined) return meanings;
  return header.x5c === undefined
    ? { ...others, kid }
    : { ...others, x5c, kid: { ...kid, presence: 'unused' } };
}

/** The meanings of the claims. */
export function claimMeanings(kind: TokenKind): Readonly<Record<string, Meaning>> {
  return meaningsOfKind[kind].claims;
}

/** The meaning of a claim by which a grant requests to act for an organisation. */
export const REPRESENTATION: Meaning = optional(
  'Requests to act for an organisation. It must be that of the grant itself.',
);

/** The meaning of a member that the contract does not have. */
export const UNKNOWN: Meaning = unused('Not part of the contract. It is ignored.');

function required(meaning: string): Meaning {
  return { presence: 'required', meaning };
}

function recommended(meaning: string): Meaning {
  return { presence: 'recommended', meaning };
}

function optional(meaning: string): Meaning {
  return { presence: 'optional', meaning };
}

function unused(meaning: string): Meaning {
  return { presence: 'unused', meaning };
}
