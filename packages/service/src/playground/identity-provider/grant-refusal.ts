// Why the identity provider refuses a grant: the national provider's own code, the rule and the value.
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

  /** `detail` says what was found; `error` stands in for the one that the code has otherwise. */
  constructor(
    code: IdentityProviderErrorCode,
    detail: string,
    error: OAuthErrorCode = identityProviderErrors[code].error,
  ) {
    super(error, `${code} ${identityProviderErrors[code].rule}: ${detail}`);
    this.code = code;
  }
}
