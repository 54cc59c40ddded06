// Issues tokens to the clients of a trial provider, for grants as those of the playground.
import type { OAuthError } from '@landfall/contract';
import type { KeyRing } from '@landfall/service/assembly';
import {
  exchangeAudiences,
  OAuthRefusalError,
  readPemCertificate,
  TRIAL_CLAIM,
} from '@landfall/service/tokens';
import type { GrantUse } from '../identity-provider/queries.js';
import {
  type IdentityProviderRules,
  requestAccessToken,
} from '../identity-provider/request-access-token.js';
import { TRIAL_SENTENCE } from './sentence.js';
import { findInCredentials, type prepareTrialIdentities } from './trial-identities.js';

/** The response to a request for a token. */
export type TokenResponse = { status: number; body: object };

type Settings = Pick<
  Awaited<ReturnType<typeof prepareTrialIdentities>>,
  'credentials' | 'trustedIssuers'
> & { issuer: string; serviceUrl: string; scopePrefix: string; keys: KeyRing };

/** Makes the function that responds to requests for tokens. */
export function makeTokenRequests({
  issuer,
  serviceUrl,
  scopePrefix,
  keys,
  credentials,
  trustedIssuers,
}: Settings): (form: Readonly<Record<string, string>>, id: string) => Promise<TokenResponse> {
  /** The grants that were used, with the time at which each has ended, in milliseconds since 1970. */
  const used = new Map<string, number>();
  const consume = async ({ clientId, jti, usedAt, endsAt }: GrantUse) => {
    for (const [key, end] of used) if (end < usedAt.getTime()) used.delete(key);
    const key = JSON.stringify([clientId, jti]);
    if (used.has(key)) return false;
    used.set(key, endsAt.getTime());
    return true;
  };
  const rules: IdentityProviderRules = {
    issuer,
    issuers: [issuer],
    audience: serviceUrl,
    audiences: exchangeAudiences(serviceUrl),
    scopePrefix,
    trustedIssuers: trustedIssuers.map(readPemCertificate),
    ...findInCredentials(credentials, scopePrefix),
    isConsumed: async ({ clientId, jti }) => used.has(JSON.stringify([clientId, jti])),
    consume,
    keys,
    grantTime: (_assertion, now) => now,
    fault: () => ({}),
    furtherClaims: { [TRIAL_CLAIM]: TRIAL_SENTENCE },
  };
  return async (form, id) => {
    try {
      const issued = await requestAccessToken(form, rules, () => undefined, new Date(), id);
      return { status: 200, body: issued.response };
    } catch (error) {
      if (!(error instanceof OAuthRefusalError)) throw error;
      const body: OAuthError = { error: error.error, error_description: error.message };
      return { status: error.error === 'invalid_client' ? 401 : 400, body };
    }
  };
}
