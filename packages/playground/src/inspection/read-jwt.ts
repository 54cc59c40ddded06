// Reads a text that somebody pasted as a JWT, and says what is wrong with one that is not.
import type { ValidationError } from '@landfall/contract';
import { ValidationFailedError } from '@landfall/service/assembly';
import { isCanonicalBase64Url } from '@landfall/service/tokens';
import { isTooDeep, MAX_DEPTH } from '../identity-provider/nesting.js';

/** The maximum length of a token, in characters. The identity provider and the exchange read no longer bodies. */
export const MAX_TOKEN_LENGTH = 65_000;

/** The members of the header or of the claims. */
type Members = Record<string, unknown>;

/** A JWT in compact form, which is not verified. */
export type Jwt = { token: string; header: Members; claims: Members };

/** What a text is that people paste instead of a token. */
const mistaken: [beginning: RegExp, what: string][] = [
  [/^[{["]/, 'is JSON: paste the value of access_token alone'],
  [/^-----BEGIN/, 'is a key or a certificate (PEM), and not a token'],
  [/^[a-z_]+=/, 'is a form: paste the value of assertion or subject_token alone'],
];

/**
 * Reads a JWT. White space around it, `Authorization:` and `Bearer` before it are ignored.
 *
 * @throws ValidationFailedError that names the part, `token`, `token.header`, `token.claims` or `token.signature`, and
 *   what is wrong with it; without the text
 */
export function readJwt(text: string): Jwt {
  const token = text.trim().replace(/^(?:Authorization:\s*)?Bearer\s+/i, '');
  if (token === '') throw refusal('token', 'must not be blank', 'REQUIRED');
  const [, mistake] = mistaken.find(([beginning]) => beginning.test(token)) ?? [];
  if (mistake !== undefined) throw refusal('token', mistake);
  const space = token.search(/\s/);
  if (space !== -1) {
    throw refusal('token', `has white space at position ${space + 1} and must be on one line`);
  }
  const parts = token.split('.');
  const [header = '', claims = '', signature = ''] = parts;
  const count = parts.length;
  if (count === 5) {
    throw refusal('token', 'has 5 parts, like an encrypted JWT (JWE), and must be a signed one');
  }
  if (count !== 3) {
    throw refusal(
      'token',
      `has ${count === 1 ? '1 part' : `${count} parts`} and must have 3, separated by dots: header, claims and signature`,
    );
  }
  const jwt = {
    token,
    header: readMembers('token.header', header),
    claims: readMembers('token.claims', claims),
  };
  // A token without a signature is examined: the rule of its algorithm is broken.
  checkBase64Url('token.signature', signature);
  return jwt;
}

function readMembers(field: string, part: string): Members {
  if (part === '') throw refusal(field, 'is empty');
  checkBase64Url(field, part);
  const value = parse(field, Buffer.from(part, 'base64url'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(field, 'is JSON, and must be a JSON object');
  }
  if (isTooDeep(value)) {
    throw refusal(field, `is nested more than ${MAX_DEPTH} levels deep`);
  }
  // The cast is true because an object may have any members of unknown kind.
  return value as Members;
}

function parse(field: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refusal(field, 'is base64url, but what it encodes is not JSON in UTF-8');
  }
}

function checkBase64Url(field: string, part: string): void {
  const wrong = /[^\w-]/u.exec(part);
  if (wrong !== null) {
    throw refusal(
      field,
      `has the character ${JSON.stringify(wrong[0])} at position ${wrong.index + 1} and must be base64url: letters, digits, - and _`,
    );
  }
  // A character encodes 6 bits, so one more than a multiple of four encodes no further byte.
  if (part.length % 4 === 1) throw refusal(field, 'is not base64url: a character is missing');
  if (part !== '' && !isCanonicalBase64Url(part)) {
    throw refusal(field, 'is not base64url: its last character has bits that encode nothing');
  }
}

function refusal(
  field: string,
  error: string,
  code: ValidationError['code'] = 'FORMAT',
): ValidationFailedError {
  return new ValidationFailedError([{ field, error, code }]);
}
