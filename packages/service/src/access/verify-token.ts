// Tells who calls from a customs token: verified once, then remembered until it ends.
import { type ParsedScope, parseScope } from '@landfall/contract';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller, InvalidTokenError } from '../http/caller.js';
import type { OrganisationLookup } from './organisation-lookup.js';
import type { OrganisationRow } from './queries.js';
import { findKeyIn, type KeyRing, TOKEN_ALGORITHM, TOKEN_TYPE } from './signing-keys/key-ring.js';

/** Most tokens that are remembered. */
const MOST_REMEMBERED = 50_000;

/** Longest token that is looked at, in characters. */
const LONGEST_TOKEN = 8192;

/** Tells who calls; at once where it is remembered. Throws InvalidTokenError. */
export type VerifyToken = (token: string) => Caller | Promise<Caller>;

/** What customs tokens must say, and what they are checked against. */
export type TokenRules = {
  issuer: string;
  audience: string;
  scopePrefix: string;
  keys: Pick<KeyRing, 'find'>;
  organisations: Pick<OrganisationLookup, 'remembered' | 'ask' | 'recent'>;
  clock: () => Date;
};

/** What a token says that verified; its key and its organisation are asked about again at each call. */
type VerifiedToken = {
  kid: string;
  organisation: string;
  clientId: string;
  scopes: readonly ParsedScope[];
  expiresAt: number;
};

/** Makes the function that tells who calls from a customs token. */
export function makeTokenVerifier(rules: TokenRules): VerifyToken {
  const verified = new LRUCache<string, VerifiedToken>({ max: MOST_REMEMBERED });

  const askWho = async (token: VerifiedToken) =>
    callerOf(token, await rules.organisations.ask(token.organisation, token.clientId), rules);
  const verifyFirst = async (token: string, now: Date) => {
    const known = await verify(token, rules, now);
    verified.set(token, known);
    return askWho(known);
  };

  return (token) => {
    const now = rules.clock();
    const known = verified.get(token);
    if (known === undefined) return verifyFirst(token, now);
    if (hasEnded(known, rules, now)) {
      verified.delete(token);
      throw new InvalidTokenError('the token or the key that signed it has ended');
    }
    const row = rules.organisations.remembered(known.organisation, known.clientId);
    return row === undefined ? askWho(known) : callerOf(known, row, rules);
  };
}

function callerOf(
  token: VerifiedToken,
  row: OrganisationRow | undefined,
  rules: TokenRules,
): Caller {
  const { organisation, clientId, scopes, expiresAt } = token;
  if (row === undefined || row.blocked) {
    throw new InvalidTokenError(`${organisation} or its client is blocked or no longer known`);
  }
  return {
    organisationId: row.id,
    organisation,
    clientId,
    scopes,
    expiresAt,
    stillValid: () => isStillValid(token, row.id, rules),
  };
}

/** Whether the token has expired or its key was withdrawn. */
function hasEnded({ expiresAt, kid }: VerifiedToken, { keys }: TokenRules, now: Date): boolean {
  return expiresAt * 1000 <= now.getTime() || keys.find(kid) === undefined;
}

async function isStillValid(
  token: VerifiedToken,
  organisationId: number,
  rules: TokenRules,
): Promise<boolean> {
  if (hasEnded(token, rules, rules.clock())) return false;
  const row = await rules.organisations.recent(token.organisation, token.clientId);
  return row !== undefined && !row.blocked && row.id === organisationId;
}

/** What every customs token must say; without an issuer or an audience, of whichever service. */
export function customsTokenOptions({
  issuer,
  audience,
}: Partial<Pick<TokenRules, 'issuer' | 'audience'>>): JWTVerifyOptions {
  return {
    algorithms: [TOKEN_ALGORITHM],
    typ: TOKEN_TYPE,
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
    requiredClaims: ['exp', 'sub', 'client_id', 'scope'],
  };
}

async function verify(token: string, rules: TokenRules, now: Date): Promise<VerifiedToken> {
  if (token.length > LONGEST_TOKEN) throw new InvalidTokenError('the token is too long');
  try {
    const { payload, protectedHeader } = await jwtVerify(token, findKeyIn(rules.keys), {
      ...customsTokenOptions(rules),
      currentDate: now,
    });
    return readClaims(payload, protectedHeader.kid ?? '', rules.scopePrefix);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new InvalidTokenError(reasonOf(error));
    throw error;
  }
}

function readClaims(payload: JWTPayload, kid: string, scopePrefix: string): VerifiedToken {
  const { sub, client_id: clientId, scope, exp } = payload;
  if (typeof sub !== 'string' || typeof clientId !== 'string' || typeof scope !== 'string') {
    throw new InvalidTokenError('the token does not name an organisation, a client and scopes');
  }
  const scopes = scope.split(' ').flatMap((text) => parseScope(text, scopePrefix) ?? []);
  return { kid, organisation: sub, clientId, scopes, expiresAt: exp ?? 0 };
}

/** In our own words: what the library says may quote the token. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `the token is not one of ours: ${error.claim}`;
  }
  return 'the token does not verify';
}
