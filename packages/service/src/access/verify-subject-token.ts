// Verifies a token of the identity provider, the playground's own or an external one.
import {
  CLOCK_SKEW,
  DOMESTIC_ORGANISATION_PATTERN,
  GRANT_ALGORITHMS,
  isTooDeep,
  SUBJECT_TOKEN_LIFETIME_LIMIT,
  tooDeep,
} from '@landfall/contract';
import {
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { TRIAL_CLAIM, TRIAL_REFUSAL } from '../trial-claim.js';
import { isCanonicalBase64Url, splitToken } from './compact-token.js';
import { OAuthRefusalError, quoteValue } from './oauth-refusal.js';
import { isOrganisationIdentifier } from './organisation-identifier.js';
import {
  DOMESTIC_AUTHORITY,
  readClientId,
  readOtherParties,
  type TokenParties,
} from './token-parties.js';

/** The claims of a token of the identity provider. */
export type SubjectToken = Required<TokenParties> & {
  foreign: boolean;
  /** As written in the token. */
  scopes: string[];
};

/** Verifies a token of the identity provider. Throws OAuthRefusalError. */
export type VerifySubjectToken = (token: string, now: Date) => Promise<SubjectToken>;

/** The identity provider whose tokens are exchanged. */
export type TokenIssuer = {
  issuer: string;
  /** All of its names, if it has several, which may become more; the issuer is one of them. */
  findIssuers?: () => readonly string[];
  findKey: JWTVerifyGetKey;
};

/** The rules for accepted tokens. */
export type SubjectTokenRules = TokenIssuer & {
  /** The audiences that a token may name; one without audience is accepted as well. */
  findAudiences: () => readonly string[];
  /** Whether tokens of a trial provider are accepted; default: no. */
  acceptsTrials?: boolean | undefined;
};

/** The accepted authorities of `consumer`, and whether their organisations are foreign. */
const authorities: ReadonlyMap<string, { foreign: boolean }> = new Map([
  [DOMESTIC_AUTHORITY, { foreign: false }],
  ['etsi-en-319-412', { foreign: true }],
]);

const domesticOrganisation = new RegExp(DOMESTIC_ORGANISATION_PATTERN);

/** RFC 9068 requires `at+jwt`; several providers, the national one among them, write `JWT` or nothing. */
const ACCEPTED_TYPES = new Set([undefined, 'at+jwt', 'jwt']);

/**
 * The claims that every token of the identity provider must have; without issuers, of any provider. The tolerance
 * is for `nbf` alone: `checkLifetime` allows none past `exp`.
 */
export function subjectTokenOptions(issuers?: readonly string[]): JWTVerifyOptions {
  const names = issuers?.map((issuer) => issuer.replace(/\/$/, ''));
  return {
    algorithms: [...GRANT_ALGORITHMS],
    ...(names && { issuer: names.flatMap((name) => [name, `${name}/`]) }),
    requiredClaims: ['exp', 'client_id', 'scope', 'consumer'],
    clockTolerance: CLOCK_SKEW,
  };
}

/** Makes the function that verifies the tokens of one identity provider. */
export function makeSubjectTokenVerifier({
  issuer,
  findIssuers = () => [issuer],
  findAudiences,
  findKey,
  acceptsTrials = false,
}: SubjectTokenRules): VerifySubjectToken {
  return async (token, now) => {
    checkForm(token);
    const options = subjectTokenOptions(findIssuers());
    try {
      // The keys of this issuer verify no token of another one, which must not wait for them.
      const findOwnKey: JWTVerifyGetKey = (header, jws) => {
        checkIssuer(decodeJwt(token), options.issuer);
        return findKey(header, jws);
      };
      const { payload, protectedHeader } = await jwtVerify(token, findOwnKey, {
        ...options,
        currentDate: now,
      });
      checkType(protectedHeader.typ);
      checkTrial(payload, acceptsTrials);
      checkLifetime(payload, now);
      checkAudience(payload, findAudiences());
      return readSubjectClaims(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw expired(error.payload.exp);
      const refusal =
        error instanceof errors.JOSEError
          ? refusalOf(error)
          : isShortKey(error)
            ? new OAuthRefusalError(
                'invalid_request',
                `subject_token is not accepted: ${SHORT_KEY}`,
              )
            : error;
      throw refusal instanceof OAuthRefusalError && !(refusal instanceof ExpiredTokenError)
        ? nameChapter(refusal)
        : refusal;
    }
  };
}

/** Why a token is refused whose issuer has published a key that is too short. */
export const SHORT_KEY = 'the RSA key of its kid has less than 2048 bits';

/** The library refuses such a key with an error that is not one of its own kinds. */
export function isShortKey(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes('modulusLength');
}

/** The chapter of the guide that says what a token of an identity provider must have. */
const PROVIDER_CHAPTER = 'docs/guide/identity-provider.md';

/** Whoever set up the provider can correct what the client cannot. A token that has expired is the client's. */
function nameChapter({ error, message }: OAuthRefusalError): OAuthRefusalError {
  return new OAuthRefusalError(
    error,
    `${message}; what the identity provider must issue: ${PROVIDER_CHAPTER}`,
  );
}

class ExpiredTokenError extends OAuthRefusalError {}

/** Checks that a token is a signed JWT that can be read. Throws OAuthRefusalError. */
export function checkForm(token: string): void {
  const parts = splitToken(token);
  if (parts === undefined || !isCanonicalBase64Url(parts.signature)) {
    throw new OAuthRefusalError(
      'invalid_request',
      'subject_token is not a signed JWT in compact form: three parts in base64url, without padding',
    );
  }
  const readable = [parts.header, parts.claims];
  if (readable.some((part) => isTooDeep(Buffer.from(part, 'base64url').toString()))) {
    throw new OAuthRefusalError('invalid_request', `subject_token ${tooDeep.error}`);
  }
}

function checkIssuer({ iss }: JWTPayload, issuers: string | string[] | undefined): void {
  if (iss !== undefined && [issuers].flat().includes(iss)) return;
  throw new OAuthRefusalError(
    'invalid_request',
    `subject_token is not accepted: iss is ${quoteValue(iss)}`,
  );
}

/** Checks that `typ` is that of an access token, or is missing. Throws OAuthRefusalError. */
export function checkType(typ: unknown): void {
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  // The cast is true for a look-up: a value of another type is in no set of texts.
  if (ACCEPTED_TYPES.has(name as string | undefined)) return;
  throw new OAuthRefusalError(
    'invalid_request',
    `subject_token is not an access token: typ is ${quoteValue(typ)} and must be at+jwt, JWT or left out`,
  );
}

/** Checks that a token is not one of a trial provider, unless those are accepted. Throws OAuthRefusalError. */
export function checkTrial(payload: JWTPayload, acceptsTrials: boolean): void {
  if (acceptsTrials || payload[TRIAL_CLAIM] === undefined) return;
  throw new OAuthRefusalError('invalid_request', `subject_token is not accepted: ${TRIAL_REFUSAL}`);
}

/** Checks that the token has not ended, without leeway, and is not valid for too long. Throws OAuthRefusalError. */
export function checkLifetime({ iat, exp }: JWTPayload, now: Date): void {
  const seconds = now.getTime() / 1000;
  if (exp === undefined || exp <= seconds) throw expired(exp);
  const from = typeof iat === 'number' ? Math.min(iat, seconds) : seconds;
  if (exp - from > SUBJECT_TOKEN_LIFETIME_LIMIT) {
    throw new OAuthRefusalError(
      'invalid_request',
      `subject_token is valid for more than ${SUBJECT_TOKEN_LIFETIME_LIMIT} s: iat is ${quoteValue(iat)} and exp is ${exp}`,
    );
  }
}

function expired(exp: unknown): OAuthRefusalError {
  return new ExpiredTokenError(
    'invalid_request',
    `subject_token has expired: exp is ${quoteValue(exp)}`,
  );
}

/** Checks the audience, where the token has one. Throws OAuthRefusalError. */
export function checkAudience({ aud }: JWTPayload, audiences: readonly string[]): void {
  if (aud === undefined) return;
  if (![aud].flat().some((name) => audiences.includes(name))) {
    throw new OAuthRefusalError(
      'invalid_request',
      `subject_token is for ${quoteValue(aud)} and not for ${audiences.join(' or ')}`,
    );
  }
}

/** The claims of the token. Throws OAuthRefusalError. */
function readSubjectClaims(payload: JWTPayload): SubjectToken {
  const { organisation, foreign } = readOrganisation(payload);
  return {
    organisation,
    foreign,
    clientId: readClientId(payload.client_id),
    others: readOtherParties(payload, organisation),
    scopes: readScopes(payload),
  };
}

/** The organisation that the token is for. Throws OAuthRefusalError. */
export function readOrganisation({
  consumer,
}: JWTPayload): Pick<SubjectToken, 'organisation' | 'foreign'> {
  const { authority, ID: organisation } = readConsumer(consumer);
  const known = authorities.get(authority);
  if (
    known === undefined ||
    known.foreign === domesticOrganisation.test(organisation) ||
    !isOrganisationIdentifier(organisation)
  ) {
    throw new OAuthRefusalError(
      'invalid_request',
      `subject_token names no organisation: ${quoteValue(authority)} ${quoteValue(organisation)}`,
    );
  }
  return { organisation, foreign: known.foreign };
}

/** The scopes as they are written. Throws OAuthRefusalError. */
export function readScopes({ scope }: JWTPayload): string[] {
  const scopes = typeof scope === 'string' ? scope.split(' ').filter((text) => text !== '') : [];
  if (scopes.length > 0) return scopes;
  throw new OAuthRefusalError('invalid_request', 'subject_token names no scope');
}

function readConsumer(consumer: unknown): { authority: string; ID: string } {
  if (typeof consumer === 'object' && consumer !== null) {
    // The cast is true because an object may have any members of unknown kind.
    const { authority, ID } = consumer as { authority?: unknown; ID?: unknown };
    if (typeof authority === 'string' && typeof ID === 'string') return { authority, ID };
  }
  throw new OAuthRefusalError(
    'invalid_request',
    'subject_token has no consumer: an object with authority and ID',
  );
}

/** The library's messages may quote the token, so they are replaced. */
function refusalOf(error: errors.JOSEError): OAuthRefusalError {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new OAuthRefusalError(
      'invalid_request',
      `subject_token is not accepted: ${error.claim} is ${quoteValue(error.payload[error.claim])}`,
    );
  }
  return new OAuthRefusalError('invalid_request', 'subject_token does not verify');
}
