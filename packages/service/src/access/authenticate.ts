// Reads and verifies the token of a request (RFC 6750, section 2.1).
import { type Caller, InvalidTokenError } from '../http/caller.js';
import type { VerifyToken } from './verify-token.js';

/** The part of a request that authenticates it. */
export type AuthorizedRequest = { headers: { authorization?: string | undefined } };

/** Authenticates a request; synchronously where its token is cached. Throws InvalidTokenError. */
export type Authenticate = (request: AuthorizedRequest) => Caller | Promise<Caller>;

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Makes the function that authenticates requests. */
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
