// Exchanges the identity provider's token for a customs token (RFC 8693).
import { type CustomsToken, parseScope } from '@landfall/contract';
import { OAuthRefusalError, quoteValue } from './oauth-refusal.js';
import type { OrganisationLookup } from './organisation-lookup.js';
import type { OrganisationRow } from './queries.js';
import { type ExchangeForm, readExchangeForm } from './read-exchange-form.js';
import type { KeyRing } from './signing-keys/key-ring.js';
import type { SubjectToken, VerifySubjectToken } from './verify-subject-token.js';

/** How long a customs token lives unless configured otherwise, in seconds. */
export const TOKEN_LIFETIME = 970;

/** The configuration, keys and registrations of the exchange. */
export type ExchangeRules = {
  issuer: string;
  audience: string;
  /** The names under which a customs token may be requested, the service's own address first. */
  audiences: readonly string[];
  /** How long a customs token lives, in seconds. */
  lifetime: () => number;
  scopePrefix: string;
  keys: Pick<KeyRing, 'sign'>;
  organisations: Pick<OrganisationLookup, 'current'>;
  verifySubjectToken: VerifySubjectToken;
  /** Throws when the client makes too many requests. */
  admitClient: (clientId: string) => void;
};

/** The response, and what the log may contain. */
export type Exchanged = { response: CustomsToken; organisation: string; clientId: string };

/**
 * Exchanges a token.
 *
 * @param tokenId the id of the customs token
 * @throws OAuthRefusalError
 */
export async function exchangeToken(
  form: ExchangeForm,
  rules: ExchangeRules,
  now: Date,
  tokenId: string,
): Promise<Exchanged> {
  const request = readExchangeForm(form, rules.audiences);
  const subject = await rules.verifySubjectToken(request.subjectToken, now);
  rules.admitClient(subject.clientId);
  const organisation = await rules.organisations.current(subject);
  if (organisation?.blocked) {
    throw new OAuthRefusalError(
      'invalid_request',
      `${[subject.organisation, ...subject.others].map(quoteValue).join(' or ')} or the client ${quoteValue(subject.clientId)} is blocked, or the client was removed`,
    );
  }
  const scopes = narrow(subject.scopes, request.scopes);
  checkGranted({ ...subject, scopes }, organisation, rules.scopePrefix);
  const lifetime = rules.lifetime();
  const issuedAt = Math.floor(now.getTime() / 1000);
  const accessToken = await rules.keys.sign({
    iss: rules.issuer,
    aud: rules.audience,
    sub: subject.organisation,
    client_id: subject.clientId,
    ...(subject.others.length > 0 && { other_parties: subject.others }),
    scope: scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + lifetime,
    jti: tokenId,
  });
  return {
    organisation: subject.organisation,
    clientId: subject.clientId,
    response: {
      issued_token_type: request.tokenType,
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: lifetime,
    },
  };
}

/** The requested scopes, all of which the subject token must have; by default all of its scopes. */
function narrow(given: readonly string[], requested: readonly string[] = given): string[] {
  for (const scope of requested) {
    if (!given.includes(scope)) throw notAuthorized(scope);
  }
  return [...requested];
}

/** Each scope must have been granted, in the form that the organisation's kind has. */
function checkGranted(
  { scopes, foreign }: Pick<SubjectToken, 'scopes' | 'foreign'>,
  organisation: OrganisationRow | undefined,
  prefix: string,
): void {
  for (const text of scopes) {
    const scope = parseScope(text, prefix);
    const granted =
      scope !== undefined &&
      scope.foreign === foreign &&
      organisation !== undefined &&
      scope.foreign === (organisation.kind === 'foreign') &&
      organisation.granted.includes(scope.name);
    if (!granted) throw notAuthorized(text);
  }
}

/** The wording of the specification. */
function notAuthorized(scope: string): OAuthRefusalError {
  return new OAuthRefusalError('invalid_scope', `not authorized to request scope ${scope}`);
}
