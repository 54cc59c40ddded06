// Why a token endpoint gives no token, in the terms of OAuth 2.0 (RFC 6749, section 5.2).
import type { OAuthErrorCode } from '@landfall/contract';

/** No token is given. The message is what the client is told. */
export class OAuthRefusalError extends Error {
  readonly code: string = 'OAUTH_REFUSAL';
  override name = 'OAuthRefusalError';
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(description.replaceAll(NOT_DESCRIBABLE, '?'));
    this.error = error;
  }
}

/** The characters that an error_description cannot have. */
const NOT_DESCRIBABLE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** Longest value that is told: below the length of any token or signature. */
const LONGEST_TOLD = 100;

/** As many letters in a row as a key of 256 bits has. */
const keyLike = /[A-Za-z0-9+/_-]{43}/;

/**
 * A value that a client sent, as it may be told and logged. One that is long, or looks like a key, may be a
 * secret that was put into the wrong place: of it the length alone is told.
 */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  if (text.length > LONGEST_TOLD || keyLike.test(text)) {
    return `a value of ${text.length} characters`;
  }
  return typeof value === 'string' ? `'${text}'` : text;
}
