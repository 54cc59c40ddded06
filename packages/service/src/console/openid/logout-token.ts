// A logout token, with which the provider reports that somebody has signed out there (OpenID Connect Back-Channel Logout
// 1.0, sections 2.4 and 2.6).
import { isObject } from '@landfall/contract';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { toStoredIdentifier } from './stored-text.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Only signatures that nobody else can make: no secret that both sides have. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Types that providers give it: that of the specification, and that of earlier versions of it. */
const TYPES = ['logout+jwt', 'application/logout+jwt', 'jwt'];

/** How old a token may be, and by how much the provider's clock may differ, in seconds. */
const [MAX_AGE_S, CLOCK_SKEW_S] = [300, 60];

/** What a verified logout token says; it has `sub`, `sid` or both. `tokenId` and `sid` are as they are stored. */
export type LogoutClaims = {
  tokenId: string;
  /** From then on it is refused because it is too old. */
  endsAt: Date;
  issuer: string;
  sub: string | undefined;
  sid: string | undefined;
};

/** The token breaks a rule, which the message says. */
export class LogoutTokenError extends Error {
  readonly code = 'LOGOUT_TOKEN';
  override name = 'LogoutTokenError';
}

/**
 * Verifies a logout token.
 *
 * @param keys finds the provider's key; what it throws is thrown, unless the token names no key of the provider
 * @throws LogoutTokenError
 */
export async function verifyLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  issuer: string,
  clientId: string,
): Promise<LogoutClaims> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE_S,
    clockTolerance: CLOCK_SKEW_S,
    requiredClaims: ['iat', 'jti'],
  }).catch((error: unknown) => {
    if (!isInvalid(error)) throw error;
    throw new LogoutTokenError(error.message, { cause: error });
  });
  const { typ = 'JWT' } = protectedHeader;
  if (!TYPES.includes(typ.toLowerCase())) throw new LogoutTokenError(`"typ" must not be ${typ}`);
  return readClaims(payload, issuer);
}

/** The claims that are particular to a logout token: without these rules, an ID token would be one. */
function readClaims(payload: JWTPayload, issuer: string): LogoutClaims {
  const { events, nonce, sub, sid, jti, iat = 0 } = payload;
  if (!isObject(events) || !isObject(events[EVENT])) {
    throw new LogoutTokenError(`"events" must have the member ${EVENT} with an object`);
  }
  if (nonce !== undefined) throw new LogoutTokenError('"nonce" must be absent');
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenError('"jti" must be a text');
  if (sid !== undefined && typeof sid !== 'string') {
    throw new LogoutTokenError('"sid" must be a text');
  }
  if (!sub && !sid) throw new LogoutTokenError('"sub" or "sid" is required');
  return {
    tokenId: toStoredIdentifier(jti),
    endsAt: new Date((iat + MAX_AGE_S + CLOCK_SKEW_S + 1) * 1000),
    issuer,
    sub,
    sid: sid && toStoredIdentifier(sid),
  };
}

/** Whether the token is the reason, and not that the keys cannot be read. */
function isInvalid(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}
