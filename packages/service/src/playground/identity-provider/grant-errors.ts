// Why a grant is refused, or a rule for it is undetermined, each with the national provider's own code.
import {
  type IdentityProviderErrorCode,
  identityProviderErrors,
  type OAuthErrorCode,
} from '@landfall/contract';
import { OAuthRefusalError } from '../../access/oauth-refusal.js';

/** A grant is refused. The message begins with the code and says which rule was broken and with which value. */
export class GrantRefusedError extends OAuthRefusalError {
  override readonly code: IdentityProviderErrorCode;
  override name = 'GrantRefusedError';

  /** `detail` says what was found; `error` overrides the OAuth error of the code. */
  constructor(
    code: IdentityProviderErrorCode,
    detail: string,
    error: OAuthErrorCode = identityProviderErrors[code].error,
  ) {
    super(error, `${code} ${identityProviderErrors[code].rule}: ${detail}`);
    this.code = code;
  }
}

/** A rule needs something that is not known here, as where there is no database. The server never throws it. */
export class UndeterminedError extends Error {
  /** The identity provider's code when the rule is broken. */
  readonly code: IdentityProviderErrorCode;
  override name = 'UndeterminedError';

  constructor(code: IdentityProviderErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
