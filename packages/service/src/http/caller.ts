// Who calls: what a verified customs token says.
import type { ParsedScope, ScopeName } from '@landfall/contract';

/** The organisation behind a call and what it may do. */
export type Caller = {
  /** Our own number of the organisation: what feeds and connections carry. */
  organisationId: number;
  /** The organisation as tokens name it, such as `0192:974760673`. */
  organisation: string;
  /** The client of the organisation that the token was given to. */
  clientId: string;
  scopes: readonly ParsedScope[];
  /** When the token ends, in seconds since 1970. */
  expiresAt: number;
  /**
   * Whether the token would still be accepted: it has not ended, its key was not withdrawn, and its organisation and
   * client exist and are not blocked. For reads that stay open; cheap enough to call at each delivery. Throws
   * DatabaseUnavailableError.
   */
  stillValid(): Promise<boolean>;
};

/** The token does not verify, or is not there. */
export class InvalidTokenError extends Error {
  readonly code = 'INVALID_TOKEN';
  override name = 'InvalidTokenError';
}

/** The token is good, but not for this operation. */
export class InsufficientScopeError extends Error {
  readonly code = 'INSUFFICIENT_SCOPE';
  override name = 'InsufficientScopeError';

  /** The scopes of which one is needed, as they stand in tokens. */
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    super(`the token does not have the scope ${scopes.join(' or ')}`);
    this.scopes = scopes;
  }
}

/** Whether the caller has one of the scopes, in its domestic or its foreign form. */
export function hasScope(caller: Caller, wanted: readonly ScopeName[]): boolean {
  return caller.scopes.some(({ name }) => wanted.includes(name));
}

/** The caller as the audit trail names it. */
export function actorOf({ organisation, clientId }: Caller): {
  organisation: string;
  client: string;
} {
  return { organisation, client: clientId };
}
