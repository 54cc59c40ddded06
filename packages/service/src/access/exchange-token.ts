// Exchanges the identity provider's token for a customs token (RFC 8693). Wire contract, section 6.
import {
  ACCESS_TOKEN_TYPES,
  type CustomsToken,
  parseScope,
  TOKEN_EXCHANGE_GRANTS,
} from '@landfall/contract';
import { OAuthRefusalError, tellValue } from './oauth-refusal.js';
import type { OrganisationLookup } from './organisation-lookup.js';
import type { OrganisationRow } from './queries.js';
import type { KeyRing } from './signing-keys/key-ring.js';
import type { SubjectToken, VerifySubjectToken } from './verify-subject-token.js';

/** How long a customs token lives unless configured otherwise, in seconds. */
export const TOKEN_LIFETIME = 970;

/** What an exchange needs to know. */
export type ExchangeRules = {
  issuer: string;
  audience: string;
  /** How long a customs token lives, in seconds. */
  lifetime: number;
  scopePrefix: string;
  keys: Pick<KeyRing, 'sign'>;
  organisations: Pick<OrganisationLookup, 'current'>;
  verifySubjectToken: VerifySubjectToken;
};

/** What was asked for: the form as it came. */
export type ExchangeForm = Readonly<Record<string, unknown>>;

/** The answer, and what the log may say of it. */
export type Exchanged = { answer: CustomsToken; organisation: string; clientId: string };

/**
 * Exchanges a token.
 *
 * @param tokenId the id that the customs token is given
 * @throws OAuthRefusalError
 */
export async function exchangeToken(
  form: ExchangeForm,
  rules: ExchangeRules,
  now: Date,
  tokenId: string,
): Promise<Exchanged> {
  const { tokenType, token } = readForm(form);
  const subject = await rules.verifySubjectToken(token, now);
  const organisation = await rules.organisations.current(subject.organisation, subject.clientId);
  if (organisation?.blocked) {
    throw new OAuthRefusalError(
      'invalid_grant',
      `${tellValue(subject.organisation)} or its client ${tellValue(subject.clientId)} is blocked`,
    );
  }
  checkGranted(subject, organisation, rules.scopePrefix);
  const issuedAt = Math.floor(now.getTime() / 1000);
  const accessToken = await rules.keys.sign({
    iss: rules.issuer,
    aud: rules.audience,
    sub: subject.organisation,
    client_id: subject.clientId,
    scope: subject.scopes.join(' '),
    iat: issuedAt,
    exp: issuedAt + rules.lifetime,
    jti: tokenId,
  });
  return {
    organisation: subject.organisation,
    clientId: subject.clientId,
    answer: {
      issued_token_type: tokenType,
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: rules.lifetime,
    },
  };
}

function readForm(form: ExchangeForm): { tokenType: string; token: string } {
  const grantType = readParameter(form, 'grant_type');
  if (!includes(TOKEN_EXCHANGE_GRANTS, grantType)) {
    throw new OAuthRefusalError(
      'unsupported_grant_type',
      `grant_type is ${tellValue(grantType)} and must be ${TOKEN_EXCHANGE_GRANTS.join(' or ')}`,
    );
  }
  const tokenType = readParameter(form, 'subject_token_type');
  if (!includes(ACCESS_TOKEN_TYPES, tokenType)) {
    throw new OAuthRefusalError(
      'invalid_request',
      `subject_token_type is ${tellValue(tokenType)} and must be ${ACCESS_TOKEN_TYPES.join(' or ')}`,
    );
  }
  return { tokenType, token: readParameter(form, 'subject_token') };
}

function readParameter(form: ExchangeForm, name: string): string {
  const value = form[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new OAuthRefusalError(
    'invalid_request',
    Array.isArray(value) ? `${name} is given more than once` : `${name} is missing`,
  );
}

/** Each scope must have been granted, in the form that the organisation's kind has. */
function checkGranted(
  { scopes, foreign }: SubjectToken,
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
    if (!granted) {
      throw new OAuthRefusalError('invalid_scope', `not authorized to request scope ${text}`);
    }
  }
}

function includes(values: readonly string[], value: string): boolean {
  return values.includes(value);
}
