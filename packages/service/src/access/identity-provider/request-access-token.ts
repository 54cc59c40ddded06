// The playground's identity provider: a token for a signed grant (RFC 7523). Wire contract, section 6.
import { type AccessToken, CLOCK_SKEW, JWT_BEARER_GRANT } from '@landfall/contract';
import type { JWTPayload } from 'jose';
import { ACCESS_TOKEN_LIFETIME } from '../access-token-lifetime.js';
import { tellValue } from '../oauth-refusal.js';
import type { KeyRing } from '../signing-keys/key-ring.js';
import { type AcceptedGrant, checkGrant } from './examine-grant.js';
import type { GrantKnowledge } from './grant-in-question.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';
import type { UseGrant } from './use-grant.js';

/** What the identity provider needs to know. */
export type IdentityProviderRules = Required<GrantKnowledge> & {
  keys: Pick<KeyRing, 'sign'>;
  useGrant: UseGrant;
};

/** The answer, and what the log may say of it. */
export type Issued = { answer: AccessToken; organisation: string; clientId: string };

/**
 * Gives a token for a grant.
 *
 * @param form the form as it came
 * @param tokenId the id that the token is given
 * @throws GrantRefusedError any of the identity provider's codes
 */
export async function requestAccessToken(
  form: Readonly<Record<string, unknown>>,
  rules: IdentityProviderRules,
  now: Date,
  tokenId: string,
): Promise<Issued> {
  const assertion = readForm(form);
  const grant = await checkGrant(assertion, rules, now);
  const { grantor } = grant;
  const scope = grant.scopes.join(' ');
  const issuedAt = Math.floor(now.getTime() / 1000);
  const [accessToken] = await Promise.all([
    rules.keys.sign({
      ...describe(grantor),
      iss: rules.issuer,
      scope,
      iat: issuedAt,
      exp: issuedAt + ACCESS_TOKEN_LIFETIME,
      jti: tokenId,
    }),
    // Last, so that a grant that is refused for another reason can be put right and sent again; what is signed
    // meanwhile is given to nobody unless the grant was taken.
    spend(grant, rules.useGrant, now),
  ]);
  return {
    organisation: grantor.organisation,
    clientId: grantor.clientId,
    answer: {
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
      `grant_type is ${tellValue(grantType)} and must be '${JWT_BEARER_GRANT}'`,
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

async function spend(
  { jti, expiresAt, grantor }: AcceptedGrant,
  useGrant: UseGrant,
  now: Date,
): Promise<void> {
  if (jti === undefined) return;
  const endsAt = new Date((expiresAt + CLOCK_SKEW) * 1000);
  const taken = await useGrant({ clientId: grantor.clientId, jti, endsAt }, now);
  if (!taken) throw new GrantRefusedError('MP-012', `jti is ${tellValue(jti)}`);
}

/** What a token says of who it was given to. */
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
