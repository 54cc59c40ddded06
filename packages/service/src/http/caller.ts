// The caller of a request, from a verified customs token.
import type { ParsedScope, ScopeName } from '@landfall/contract';

/** The organisation that sends a request, and its scopes. */
export type Caller = {
  /** The internal number of the organisation, as in feeds and signal recipients. */
  organisationId: number;
  /** The organisation as tokens name it, such as `0192:974760673`. */
  organisation: string;
  /** The client of the organisation to which the token was issued. */
  clientId: string;
  /** Whether a person acts, in a session of the console; else a system, with a token. */
  isPerson: boolean;
  /** The scopes of the token or the session that are granted to the organisation now. */
  scopes: readonly ParsedScope[];
  /** When the token expires, in seconds since 1970. */
  expiresAt: number;
  /**
   * Whether the caller may still do this: the token or session has not ended, the token's key was not withdrawn, the
   * organisation and its client exist and are not blocked, and one of the scopes is still granted. For everything that
   * lasts; cheap enough to call at each delivery. Throws DatabaseUnavailableError.
   *
   * @param access scopes of which one is needed; handlers leave it out, because it is then that of their operation
   */
  stillAllowed(access?: readonly ScopeName[]): Promise<boolean>;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before authentication and for public operations. */
    caller: Caller | null;
  }
}

/** The token is missing or invalid. */
export class InvalidTokenError extends Error {
  readonly code = 'INVALID_TOKEN';
  override name = 'InvalidTokenError';
}

/** The token is valid, but lacks the scope of the operation. */
export class InsufficientScopeError extends Error {
  readonly code = 'INSUFFICIENT_SCOPE';
  override name = 'InsufficientScopeError';

  /** The scopes of which one is required, as tokens have them. */
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    super(`the token does not have the scope ${scopes.join(' or ')}`);
    this.scopes = scopes;
  }
}

/** Whether the caller has one of the scopes, in its domestic or its foreign form. */
export function hasScope(caller: Pick<Caller, 'scopes'>, wanted: readonly ScopeName[]): boolean {
  return caller.scopes.some(({ name }) => wanted.includes(name));
}

/** The caller as the audit trail names it. */
export function actorOf({ organisation, clientId }: Caller): {
  organisation: string;
  client: string;
} {
  return { organisation, client: clientId };
}
