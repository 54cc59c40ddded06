// The errors of a grant that is refused, and of a rule that is undetermined, with the codes of the national provider.
import {
  type IdentityProviderErrorCode,
  identityProviderErrors,
  type OAuthErrorCode,
} from '@landfall/contract';
import { OAuthRefusalError } from '@landfall/service/tokens';

/** A grant is refused. The message contains the code, the broken rule and the value. */
export class GrantRefusedError extends OAuthRefusalError {
  override readonly code: IdentityProviderErrorCode;
  override name = 'GrantRefusedError';

  /** `detail` describes the value; `error` overrides the OAuth error of the code. */
  constructor(
    code: IdentityProviderErrorCode,
    detail: string,
    error: OAuthErrorCode = identityProviderErrors[code].error,
  ) {
    super(error, `${code} ${identityProviderErrors[code].rule}: ${detail}`);
    this.code = code;
  }
}

/** A rule needs a value that is not available, for example without a database. The server never throws it. */
export class UndeterminedError extends Error {
  /** The code of a grant that breaks the rule. */
  readonly code: IdentityProviderErrorCode;
  override name = 'UndeterminedError';

  constructor(code: IdentityProviderErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
