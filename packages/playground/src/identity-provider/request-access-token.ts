// Issues a token of the playground's identity provider for a signed grant (RFC 7523).
import { type AccessToken, CLOCK_SKEW, JWT_BEARER_GRANT } from '@landfall/contract';
import type { KeyRing } from '@landfall/service/assembly';
import { quoteValue } from '@landfall/service/tokens';
import type { JWTPayload } from 'jose';
import { ACCESS_TOKEN_LIFETIME } from './access-token-lifetime.js';
import { type AcceptedGrant, checkGrant } from './examine-grant.js';
import type { GrantKnowledge } from './grant-context.js';
import { GrantRefusedError } from './grant-errors.js';
import type { Grantor } from './grantor.js';
import type { GrantUse } from './queries.js';
import { signWithUnpublishedKey } from './unpublished-key.js';

/** The identity provider's configuration, keys and registrations. */
export type IdentityProviderRules = Required<GrantKnowledge> & {
  /** The service that tokens are for. */
  audience: string;
  keys: Pick<KeyRing, 'sign'>;
  /** The time at which a grant is checked. */
  grantTime: (assertion: string, now: Date) => Date;
  /** How the next token differs from a correct one. */
  fault: () => TokenFault;
  /** Further claims of each token; default: none. */
  furtherClaims?: JWTPayload;
  /** Whether a grant was not consumed before; then it is now, on all servers and across restarts. */
  consume: (use: GrantUse) => Promise<boolean>;
};

/** What is wrong with a token, for tests of clients. */
export type TokenFault = {
  /** Another audience. */
  audience?: string;
  /** How far its times are ahead, in seconds. */
  skew?: number;
  /** It is signed with a key that is not in the key set. */
  unpublishedKey?: boolean;
};

/** The response, and the values that are logged. */
export type Issued = { response: AccessToken; organisation: string; clientId: string };

/**
 * Issues a token for a grant.
 *
 * @param form the parsed form
 * @param admitClient counts the request of a client that is verified; throws when it makes too many
 * @param tokenId the id of the token
 * @throws GrantRefusedError any of the identity provider's codes
 */
export async function requestAccessToken(
  form: Readonly<Record<string, unknown>>,
  rules: IdentityProviderRules,
  admitClient: (clientId: string) => void,
  now: Date,
  tokenId: string,
): Promise<Issued> {
  const assertion = readForm(form);
  const grantTime = rules.grantTime(assertion, now);
  const grant = await checkGrant(assertion, rules, grantTime);
  const { grantor } = grant;
  admitClient(grantor.clientId);
  const scope = grant.scopes.join(' ');
  const { audience = rules.audience, skew = 0, unpublishedKey = false } = rules.fault();
  const sign = unpublishedKey ? signWithUnpublishedKey : rules.keys.sign;
  const issuedAt = Math.floor(now.getTime() / 1000) + skew;
  const accessToken = await sign({
    ...rules.furtherClaims,
    ...describe(grantor),
    iss: rules.issuer,
    aud: audience,
    sub: grantor.clientId,
    scope,
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_LIFETIME,
    jti: tokenId,
  });
  // Last, so that a grant that failed for another reason can be sent again.
  await consume(grant, rules, grantTime);
  return {
    organisation: grantor.organisation,
    clientId: grantor.clientId,
    response: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_LIFETIME,
      scope,
    },
  };
}

function readForm(form: Readonly<Record<string, unknown>>): string {
  const grantType = readParameter(form, 'grant_type');
  if (grantType !== JWT_BEARER_GRANT) {
    throw new GrantRefusedError(
      'MP-011',
      `grant_type is ${quoteValue(grantType)} and must be '${JWT_BEARER_GRANT}'`,
      'unsupported_grant_type',
    );
  }
  return readParameter(form, 'assertion');
}

function readParameter(form: Readonly<Record<string, unknown>>, name: string): string {
  const value = form[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new GrantRefusedError(
    'MP-011',
    Array.isArray(value) ? `${name} is given more than once` : `${name} is missing`,
  );
}

/** Consumes a grant with a jti. Throws GrantRefusedError MP-012. */
async function consume(
  { jti, expiresAt, grantor: { clientId } }: AcceptedGrant,
  rules: IdentityProviderRules,
  usedAt: Date,
): Promise<void> {
  if (jti === undefined) return;
  const endsAt = new Date((expiresAt + CLOCK_SKEW) * 1000);
  if (await rules.consume({ clientId, jti, usedAt, endsAt })) return;
  throw new GrantRefusedError('MP-012', `jti is ${quoteValue(jti)}`);
}

/** The claims about the grantor. */
function describe({ kind, clientId, organisation, seal }: Grantor): JWTPayload {
  if (kind === 'domestic') {
    return {
      client_id: clientId,
      consumer: { authority: 'iso6523-actorid-upis', ID: organisation },
    };
  }
  return {
    client_id: clientId,
    client_amr: 'CForESeal',
    consumer: { authority: 'etsi-en-319-412', ID: organisation, ...seal },
  };
}
