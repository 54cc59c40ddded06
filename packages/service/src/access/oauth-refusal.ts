// The error of a token endpoint that issues no token (RFC 6749, section 5.2).
import type { OAuthErrorCode } from '@landfall/contract';

/** No token is issued. The message goes to the client. */
export class OAuthRefusalError extends Error {
  readonly code: string = 'OAUTH_REFUSAL';
  override name = 'OAuthRefusalError';
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(description.replaceAll(NOT_DESCRIBABLE, '?'));
    this.error = error;
  }
}

/** The characters that an error_description must not contain. */
const NOT_DESCRIBABLE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** The maximum length of a quoted value: below that of any token or signature. */
const MAX_QUOTED_LENGTH = 100;

/** A run of characters as long as a key of 256 bits. */
const keyLike = /[A-Za-z0-9+/_-]{43}/;

/**
 * A client's value for messages and the log. A long value, or one that looks like a key, may be a secret in the
 * wrong member, so only its length is quoted.
 */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? value : toJson(value);
  if (text.length > MAX_QUOTED_LENGTH || keyLike.test(text)) {
    return `a value of ${text.length} characters`;
  }
  return typeof value === 'string' ? `'${text}'` : text;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch (error) {
    // JSON.parse reads any depth, and JSON.stringify recurses.
    if (error instanceof RangeError) return 'a value that is nested too deeply';
    throw error;
  }
}
