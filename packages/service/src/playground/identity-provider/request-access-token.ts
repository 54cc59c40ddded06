// The playground's identity provider: a token for a signed grant (RFC 7523). Wire contract, section 6.
import { type AccessToken, CLOCK_SKEW, JWT_BEARER_GRANT } from '@landfall/contract';
import type { JWTPayload } from 'jose';
import { tellValue } from '../../access/oauth-refusal.js';
import type { KeyRing } from '../../access/signing-keys/key-ring.js';
import { OverloadedError } from '../../database/errors.js';
import { ACCESS_TOKEN_LIFETIME } from './access-token-lifetime.js';
import { type ClientLookup, ClientOfGrant } from './client-lookup.js';
import type { ConsumeGrant } from './consume-grant.js';
import { type AcceptedGrant, checkGrant } from './examine-grant.js';
import type { GrantKnowledge } from './grant-context.js';
import { GrantRefusedError } from './grant-refusal.js';
import type { Grantor } from './grantor.js';

/** What the identity provider needs to know. */
export type IdentityProviderRules = Required<Omit<GrantKnowledge, 'findClient'>> & {
  clients: Pick<ClientLookup, 'remembered' | 'current'>;
  /** Whom tokens are for. */
  audience: string;
  keys: Pick<KeyRing, 'sign'>;
  consumeGrant: ConsumeGrant;
};

/** The response, and what the log may contain. */
export type Issued = { response: AccessToken; organisation: string; clientId: string };

/** How often a grant is checked anew because its client was changed meanwhile. */
const MOST_CHECKS = 5;

/**
 * Gives a token for a grant.
 *
 * @param form the form as it came
 * @param admitClient counts the request of a client that is verified; throws when it makes too many
 * @param tokenId the id that the token is given
 * @throws GrantRefusedError any of the identity provider's codes
 * @throws OverloadedError when the client is changed all the time
 */
export async function requestAccessToken(
  form: Readonly<Record<string, unknown>>,
  rules: IdentityProviderRules,
  admitClient: (clientId: string) => void,
  now: Date,
  tokenId: string,
): Promise<Issued> {
  const assertion = readForm(form);
  for (let check = 1; check <= MOST_CHECKS; check++) {
    const client = new ClientOfGrant(rules.clients, check === 1);
    try {
      const issued = await giveToken(assertion, rules, admitClient, client, now, tokenId);
      if (issued !== undefined) return issued;
    } catch (error) {
      // What is remembered may be out of date: nobody is refused by it.
      if (!(client.remembered && error instanceof GrantRefusedError)) throw error;
    }
  }
  throw new OverloadedError('the client of the grant is changed all the time');
}

/** Gives a token, unless the client no longer stands as it was found. Throws GrantRefusedError. */
async function giveToken(
  assertion: string,
  rules: IdentityProviderRules,
  admitClient: (clientId: string) => void,
  client: ClientOfGrant,
  now: Date,
  tokenId: string,
): Promise<Issued | undefined> {
  const grant = await checkGrant(assertion, { ...rules, findClient: client.find }, now);
  const { grantor } = grant;
  admitClient(grantor.clientId);
  const scope = grant.scopes.join(' ');
  const issuedAt = Math.floor(now.getTime() / 1000);
  const [accessToken, given] = await Promise.all([
    rules.keys.sign({
      ...describe(grantor),
      iss: rules.issuer,
      aud: rules.audience,
      sub: grantor.clientId,
      scope,
      iat: issuedAt,
      exp: issuedAt + ACCESS_TOKEN_LIFETIME,
      jti: tokenId,
    }),
    // Last, so that a grant that is refused for another reason can be put right and sent again; what is signed
    // meanwhile is given to nobody unless the grant was taken.
    spend(grant, client, rules.consumeGrant, now),
  ]);
  if (!given) return undefined;
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

/** Uses the grant up; false when its client no longer stands as it was found. Throws GrantRefusedError MP-012. */
async function spend(
  { jti, expiresAt, grantor }: AcceptedGrant,
  client: ClientOfGrant,
  consumeGrant: ConsumeGrant,
  now: Date,
): Promise<boolean> {
  // Without a jti nothing is used up, and so nothing looks whether what was remembered still holds.
  if (jti === undefined) return !client.remembered;
  const endsAt = new Date((expiresAt + CLOCK_SKEW) * 1000);
  const { clientId } = grantor;
  const outcome = await consumeGrant({ clientId, jti, endsAt, state: client.found?.state }, now);
  if (outcome === 'used before') throw new GrantRefusedError('MP-012', `jti is ${tellValue(jti)}`);
  return outcome === 'taken';
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
