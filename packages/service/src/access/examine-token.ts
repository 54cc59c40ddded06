// Examines a token of the identity provider or a customs token with the rules of its verifier.
import { CLOCK_SKEW, parseScope, SUBJECT_TOKEN_LIFETIME_LIMIT } from '@landfall/contract';
import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import { TRIAL_CLAIM } from '../trial-claim.js';
import { exchangeAudiences } from './addresses.js';
import { OAuthRefusalError, quoteValue } from './oauth-refusal.js';
import type { TokenKind } from './recognise-token.js';
import { readClientId, readOtherParties } from './token-parties.js';
import {
  checkAudience,
  checkForm,
  checkLifetime,
  checkTrial,
  checkType,
  isShortKey,
  readOrganisation,
  readScopes,
  SHORT_KEY,
  subjectTokenOptions,
} from './verify-subject-token.js';
import { customsTokenOptions } from './verify-token.js';

/** What a token is compared with. Without a value, the rules that need it are undetermined. */
export type TokenKnowledge = {
  /** The address of the service, without a slash at the end. */
  baseUrl?: string;
  /** The identity provider. */
  issuer?: string;
  /** The public keys of the issuer. */
  keys?: JSONWebKeySet;
  scopePrefix: string;
  /** Whether the service accepts tokens of a trial provider; default: no. */
  acceptsTrials?: boolean;
};

/** The result of examining one rule. */
export type Finding = {
  rule: string;
  /** `null`: undetermined, because a value is not available or the rule depends on a broken one. */
  holds: boolean | null;
  /** The error code of a broken rule; `null` if the rule holds. */
  code: string | null;
  /** What was found; never a signature or a key. */
  detail: string;
};

/** The result of a rule: what was found, why it is broken, or why it is undetermined. */
type Verdict = { holds: boolean | null; detail: string; code?: string };

const holds = (detail: string): Verdict => ({ holds: true, detail });
const broken = (detail: string): Verdict => ({ holds: false, detail });
const open = (detail: string): Verdict => ({ holds: null, detail });

/** Examines every rule of a token that is not a grant. */
export async function examineToken(
  token: string,
  kind: Exclude<TokenKind, 'grant'>,
  knowledge: TokenKnowledge,
  now: Date,
): Promise<Finding[]> {
  const options = optionsOf(kind, knowledge);
  const decoded = decode(token);
  if (decoded === undefined) {
    const detail = 'its header and its claims must each be a JSON object in UTF-8';
    return [{ rule: 'form', holds: false, code: codeOf(kind, 'form'), detail }];
  }
  const { payload, header } = decoded;
  const form = verdictOf(() => {
    if (kind === 'access-token') checkForm(token);
    return 'a signed JWT';
  });
  const rules: [string, Verdict][] = [
    ...(form.holds ? [] : [['form', form] satisfies [string, Verdict]]),
    ['algorithm', checkOneOf('alg', header.alg, options.algorithms)],
    ['type', checkTyp(kind, header.typ, options)],
    ['signature', await checkSignature(token, options, knowledge.keys)],
    ['iss', checkOneOf('iss', payload.iss, options.issuer)],
    ['aud', checkAud(kind, payload, knowledge, options)],
    ['not-over', checkNotOver(payload, options, now)],
    ...lifetimeRules(kind, payload, now),
    ...(kind === 'customs-token'
      ? [['claims', checkClaims(payload, options)] satisfies [string, Verdict]]
      : claimRules(payload, knowledge)),
    ['scope', checkScope(payload, knowledge.scopePrefix, isForeign(kind, payload))],
  ];
  return rules.map(([rule, { holds, detail, code = codeOf(kind, rule) }]) => ({
    rule,
    holds,
    code: holds ? null : code,
    detail,
  }));
}

/** The header and the claims; `undefined` if they cannot be read, and then no other rule can be examined. */
function decode(token: string) {
  try {
    return { payload: decodeJwt(token), header: decodeProtectedHeader(token) };
  } catch (error) {
    if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** The error code of the exchange or of the API. */
function codeOf(kind: TokenKind, rule: string): string {
  if (kind === 'customs-token') return 'invalid_token';
  return rule === 'scope' ? 'invalid_scope' : 'invalid_request';
}

function optionsOf(kind: TokenKind, { baseUrl, issuer }: TokenKnowledge): JWTVerifyOptions {
  if (kind === 'access-token')
    return subjectTokenOptions(issuer === undefined ? undefined : [issuer]);
  return customsTokenOptions(baseUrl === undefined ? undefined : [baseUrl]);
}

function checkOneOf(
  name: string,
  value: unknown,
  wanted: string | readonly string[] | undefined,
): Verdict {
  const found = `${name} is ${quoteValue(value)}`;
  if (wanted === undefined) return open(found);
  const values = [wanted].flat();
  return values.some((one) => one === value)
    ? holds(found)
    : broken(`${found} and must be ${values.join(' or ')}`);
}

function checkTyp(kind: TokenKind, typ: unknown, options: JWTVerifyOptions): Verdict {
  if (kind === 'customs-token') return checkOneOf('typ', typ, options.typ);
  return verdictOf(() => {
    checkType(typ);
    return `typ is ${quoteValue(typ)}`;
  });
}

/** The lifetime limit of the identity provider's tokens; `not-over` reports one that has ended. */
function lifetimeRules(kind: TokenKind, payload: JWTPayload, now: Date): [string, Verdict][] {
  const { exp } = payload;
  if (kind === 'customs-token' || typeof exp !== 'number') return [];
  const before = new Date(Math.min(now.getTime(), exp * 1000 - 1));
  return [
    [
      'lifetime',
      verdictOf(() => {
        checkLifetime(payload, before);
        return `at most ${SUBJECT_TOKEN_LIFETIME_LIMIT} s`;
      }),
    ],
  ];
}

async function checkSignature(
  token: string,
  { algorithms = [] }: JWTVerifyOptions,
  keys: JSONWebKeySet | undefined,
): Promise<Verdict> {
  if (keys === undefined) return open('the keys of its issuer are not known here');
  try {
    const { protectedHeader } = await compactVerify(token, createLocalJWKSet(keys), {
      algorithms: [...algorithms],
    });
    return protectedHeader.b64 === false
      ? broken('its claims are not in base64 (RFC 7797), as those of a JWT must be')
      : holds('made with a key of the set');
  } catch (error) {
    if (isShortKey(error)) return broken(SHORT_KEY);
    if (!(error instanceof errors.JOSEError)) throw error;
    return broken(
      error instanceof errors.JWKSNoMatchingKey
        ? 'the key set has no key of its kid and algorithm'
        : 'it does not verify with the key of its kid',
    );
  }
}

function checkAud(
  kind: TokenKind,
  payload: JWTPayload,
  { baseUrl }: TokenKnowledge,
  { audience }: JWTVerifyOptions,
): Verdict {
  const found = `aud is ${quoteValue(payload.aud)}`;
  if (baseUrl === undefined) return open(found);
  if (kind === 'access-token') {
    return verdictOf(() => {
      checkAudience(payload, exchangeAudiences(baseUrl));
      return payload.aud === undefined ? 'none, which is taken' : found;
    });
  }
  return [payload.aud].flat().some((name) => [audience].flat().includes(name))
    ? holds(found)
    : broken(`${found} and must be ${baseUrl}`);
}

function checkNotOver(
  { exp, nbf, iat }: JWTPayload,
  { clockTolerance }: JWTVerifyOptions,
  now: Date,
): Verdict {
  const seconds = Math.floor(now.getTime() / 1000);
  // Clock skew is tolerated for the start of a token, and never for its end.
  const skew = clockTolerance === undefined ? 0 : CLOCK_SKEW;
  const found = `exp is ${quoteValue(exp)} and the time is ${seconds}`;
  if (typeof exp !== 'number' || exp <= seconds) return broken(found);
  for (const [name, value] of Object.entries({ iat, nbf })) {
    if (value === undefined || typeof value === 'number') continue;
    return broken(`${name} is ${quoteValue(value)} and must be a number of seconds`);
  }
  if (nbf !== undefined && nbf > seconds + skew) {
    return broken(`nbf is ${nbf} and the time is ${seconds}`);
  }
  return holds(`${exp - seconds} s are left`);
}

function checkClaims(payload: JWTPayload, { requiredClaims = [] }: JWTVerifyOptions): Verdict {
  const missing = requiredClaims.filter((name) => payload[name] === undefined);
  return missing.length > 0
    ? broken(`${missing.join(', ')} not given`)
    : holds(`sub is ${quoteValue(payload.sub)}`);
}

/** The claims by which the exchange knows whom a token of the identity provider is for, one by one. */
function claimRules(
  payload: JWTPayload,
  { acceptsTrials = false }: TokenKnowledge,
): [string, Verdict][] {
  const isTrial = payload[TRIAL_CLAIM] !== undefined;
  const trial = verdictOf(() => {
    checkTrial(payload, acceptsTrials);
    return 'of a provider for trials only, which the service accepts';
  });
  const client = verdictOf(() => `client_id is ${quoteValue(readClientId(payload.client_id))}`);
  const consumer = verdictOf(() => {
    const { organisation, foreign } = readOrganisation(payload);
    return `the ${foreign ? 'foreign' : 'domestic'} organisation ${quoteValue(organisation)}`;
  });
  const others = verdictOf(() => {
    const named = readOtherParties(
      payload,
      consumer.holds ? readOrganisation(payload).organisation : '',
    );
    return named.length === 0 ? 'none is named' : named.map(quoteValue).join(', ');
  });
  return [
    ['client_id', client],
    ['consumer', consumer],
    ['other-parties', others],
    ...(isTrial ? [['trial', trial] satisfies [string, Verdict]] : []),
  ];
}

/**
 * Each scope must be in the scope table, in the form that the kind of the organisation has. Only the service can check which
 * of them are granted.
 */
function checkScope(payload: JWTPayload, prefix: string, foreign: boolean | undefined): Verdict {
  let scopes: string[];
  try {
    scopes = readScopes(payload);
  } catch (error) {
    if (!(error instanceof OAuthRefusalError)) throw error;
    return { ...broken(`scope is ${quoteValue(payload.scope)}`), code: error.error };
  }
  const unknown = scopes.filter((text) => parseScope(text, prefix) === undefined);
  if (unknown.length > 0) {
    return broken(`there is no exchange for ${unknown.map(quoteValue).join(', ')}`);
  }
  const others = scopes.filter((text) => parseScope(text, prefix)?.foreign !== foreign);
  if (foreign !== undefined && others.length > 0) {
    return broken(
      foreign
        ? `consumer is a foreign organisation, whose scopes have eu/ in them, and not ${others.map(quoteValue).join(', ')}`
        : `consumer is a domestic organisation, which cannot have ${others.map(quoteValue).join(', ')}`,
    );
  }
  return holds(scopes.map(quoteValue).join(', '));
}

/** Whether a token of the identity provider is for a foreign organisation; `undefined` if it says of none, or is another. */
function isForeign(kind: TokenKind, payload: JWTPayload): boolean | undefined {
  if (kind !== 'access-token') return undefined;
  try {
    return readOrganisation(payload).foreign;
  } catch (error) {
    if (!(error instanceof OAuthRefusalError)) throw error;
    return undefined;
  }
}

function verdictOf(check: () => string): Verdict {
  try {
    return holds(check());
  } catch (error) {
    if (error instanceof OAuthRefusalError) return broken(error.message);
    throw error;
  }
}
