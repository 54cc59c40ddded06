// Authenticates the caller by a customs token, which is verified once and then cached until it ends.
import { type ParsedScope, parseScope, type ScopeName } from '@landfall/contract';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';
import { type Caller, InvalidTokenError } from '../http/caller.js';
import { customsIssuer, type OwnAddresses } from './addresses.js';
import { isCompactToken } from './compact-token.js';
import { isAllowedNow, type OrganisationLookup } from './organisation-lookup.js';
import type { OrganisationRow } from './queries.js';
import { findKeyIn, type KeyRing, TOKEN_ALGORITHM, TOKEN_TYPE } from './signing-keys/key-ring.js';
import type { TokenParties } from './token-parties.js';

/** The maximum number of cached tokens. */
const MAX_CACHED = 50_000;

/** The maximum length of a token, in characters. */
const MAX_TOKEN_LENGTH = 8192;

/** Authenticates the caller; synchronously where the token is cached. Throws InvalidTokenError. */
export type VerifyToken = (token: string) => Caller | Promise<Caller>;

/** The claims that customs tokens must have, and the keys and registrations that they are checked against. */
export type TokenRules = {
  addresses: Pick<OwnAddresses, 'all'>;
  scopePrefix: string;
  keys: Pick<KeyRing, 'find'>;
  organisations: Pick<OrganisationLookup, 'cached' | 'refresh' | 'recent'>;
  clock: () => Date;
};

/** The claims of a verified token; its key, its parties and its grants are checked at each call. */
type VerifiedToken = TokenParties & {
  kid: string;
  scopes: readonly ParsedScope[];
  expiresAt: number;
  /** The caller for the last row that was looked up; rows are cached, so most requests have the same. */
  last?: { row: OrganisationRow; caller: Caller };
};

/** Makes the function that authenticates customs tokens. */
export function makeTokenVerifier(rules: TokenRules): VerifyToken {
  const verified = new LRUCache<string, VerifiedToken>({ ...atMost(MAX_CACHED) });

  const findCaller = async (token: VerifiedToken) =>
    callerOf(token, await rules.organisations.refresh(token), rules);
  const verifyFirst = async (token: string, now: Date) => {
    const known = await verify(token, rules, now);
    verified.set(token, known);
    return findCaller(known);
  };

  return (token) => {
    const now = rules.clock();
    const known = verified.get(token);
    if (known === undefined) return verifyFirst(token, now);
    if (hasEnded(known, rules, now)) {
      verified.delete(token);
      throw new InvalidTokenError('the token or the key that signed it has ended');
    }
    const row = rules.organisations.cached(known);
    return row === undefined ? findCaller(known) : callerOf(known, row, rules);
  };
}

function callerOf(
  token: VerifiedToken,
  row: OrganisationRow | undefined,
  rules: TokenRules,
): Caller {
  const { organisation, clientId, expiresAt } = token;
  if (row === undefined || row.blocked) {
    throw new InvalidTokenError(
      `${organisation}, its client or another organisation of the token is blocked or no longer registered`,
    );
  }
  if (token.last?.row === row) return token.last.caller;
  const caller: Caller = {
    organisationId: row.id,
    organisation,
    clientId,
    isPerson: false,
    scopes: grantedNow(token.scopes, row),
    expiresAt,
    stillAllowed: (access) => isStillAllowed(token, row.id, rules, access),
  };
  token.last = { row, caller };
  return caller;
}

/** The scopes that are granted now, in the form that the organisation's kind has, as the exchange requires. */
function grantedNow(
  scopes: readonly ParsedScope[],
  { kind, granted }: OrganisationRow,
): ParsedScope[] {
  const isForeign = kind === 'foreign';
  return scopes.filter(({ name, foreign }) => foreign === isForeign && granted.includes(name));
}

/** Whether the token has expired or its key was withdrawn. */
function hasEnded({ expiresAt, kid }: VerifiedToken, { keys }: TokenRules, now: Date): boolean {
  return expiresAt * 1000 <= now.getTime() || keys.find(kid) === undefined;
}

async function isStillAllowed(
  token: VerifiedToken,
  organisationId: number,
  rules: TokenRules,
  access: readonly ScopeName[] | undefined,
): Promise<boolean> {
  if (hasEnded(token, rules, rules.clock())) return false;
  const row = await rules.organisations.recent(token);
  return isAllowedNow(row, organisationId, (each) => grantedNow(token.scopes, each), access);
}

/** The claims that every customs token must have; without addresses, of any service. */
export function customsTokenOptions(addresses?: readonly string[]): JWTVerifyOptions {
  return {
    algorithms: [TOKEN_ALGORITHM],
    typ: TOKEN_TYPE,
    ...(addresses && { issuer: addresses.map(customsIssuer), audience: [...addresses] }),
    requiredClaims: ['exp', 'sub', 'client_id', 'scope'],
  };
}

async function verify(token: string, rules: TokenRules, now: Date): Promise<VerifiedToken> {
  if (token.length > MAX_TOKEN_LENGTH) throw new InvalidTokenError('the token is too long');
  if (!isCompactToken(token)) throw new InvalidTokenError('the token is not a signed JWT');
  try {
    const { payload, protectedHeader } = await jwtVerify(token, findKeyIn(rules.keys), {
      ...customsTokenOptions(rules.addresses.all),
      currentDate: now,
    });
    return readClaims(payload, protectedHeader.kid ?? '', rules.scopePrefix);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new InvalidTokenError(reasonOf(error));
    throw error;
  }
}

function readClaims(payload: JWTPayload, kid: string, scopePrefix: string): VerifiedToken {
  const { sub, client_id: clientId, other_parties: others, scope, exp } = payload;
  if (typeof sub !== 'string' || typeof clientId !== 'string' || typeof scope !== 'string') {
    throw new InvalidTokenError('the token does not name an organisation, a client and scopes');
  }
  if (others !== undefined && !isTexts(others)) {
    throw new InvalidTokenError('the other parties of the token are not a list of organisations');
  }
  const scopes = scope.split(' ').flatMap((text) => parseScope(text, scopePrefix) ?? []);
  return {
    kid,
    organisation: sub,
    clientId,
    ...(others && { others }),
    scopes,
    expiresAt: exp ?? 0,
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** The library's messages may quote the token, so they are replaced. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `the token is not one of this service: ${error.claim}`;
  }
  return 'the token does not verify';
}
