// Reads the token that a request carries (RFC 6750, section 2.1) and has it verified.
import { type Caller, InvalidTokenError } from '../http/caller.js';
import type { VerifyToken } from './verify-token.js';

/** As much of a request as tells who sent it. */
export type AuthorizedRequest = { headers: { authorization?: string | undefined } };

/** Tells who sent a request; at once where it is remembered. Throws InvalidTokenError. */
export type Authenticate = (request: AuthorizedRequest) => Caller | Promise<Caller>;

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Makes the function that tells who sent a request. */
export function makeAuthenticate(verify: VerifyToken): Authenticate {
  return ({ headers: { authorization } }) => {
    if (authorization === undefined) {
      throw new InvalidTokenError('there is no Authorization header with a Bearer token');
    }
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) {
      throw new InvalidTokenError('the Authorization header does not hold a Bearer token');
    }
    return verify(token);
  };
}
