// A rule that cannot be examined with what is known here, as where there is no database.
import type { IdentityProviderErrorCode } from '@landfall/contract';

/** What would have to be known. The identity provider itself knows everything: it never meets this. */
export class UndeterminedError extends Error {
  /** What the identity provider answers when the rule is broken. */
  readonly code: IdentityProviderErrorCode;
  override name = 'UndeterminedError';

  constructor(code: IdentityProviderErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
