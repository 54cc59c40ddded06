// Splits a signed token in compact form (RFC 7515), each part of which has exactly one text that encodes its bytes.

/** The parts of a token, in base64url. */
export type TokenParts = { header: string; claims: string; signature: string };

/**
 * The three parts; `undefined` if there are others, or the header or the claims are not canonical base64url. The
 * signature, which may be missing, is checked where it is verified.
 */
export function splitToken(token: string): TokenParts | undefined {
  const [header = '', claims = '', signature, ...others] = token.split('.', 4);
  if (signature === undefined || others.length > 0) return undefined;
  if (!isCanonicalBase64Url(header) || !isCanonicalBase64Url(claims)) return undefined;
  return { header, claims, signature };
}

/** Whether a text is a signed token in compact form. Decoders of base64url accept up to 16 texts for the same bytes. */
export function isCompactToken(token: string): boolean {
  const parts = splitToken(token);
  return parts !== undefined && isCanonicalBase64Url(parts.signature);
}

const base64url = /^[\w-]+$/;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The bits of the last character that encode nothing, by the number of characters after the last group of four. */
const UNUSED_BITS = [0, undefined, 0b1111, 0b11];

/** Whether a text is base64url (RFC 4648, section 5) without padding, and the bits that encode nothing are zero. */
export function isCanonicalBase64Url(text: string): boolean {
  const unused = UNUSED_BITS[text.length % 4];
  if (unused === undefined || !base64url.test(text)) return false;
  return (ALPHABET.indexOf(text.slice(-1)) & unused) === 0;
}
