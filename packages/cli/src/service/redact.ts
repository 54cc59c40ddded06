// Replaces secrets in what --debug shows: tokens, grants, private keys, cookies.

/** What is shown instead of a secret. */
export const REDACTED = '[redacted]';

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/** Members of forms (RFC 6749, 7521, 8693) and of JSON; the last line has the secret members of a JWK (RFC 7518). */
const secretMembers = [
  ...['assertion', 'client_assertion', 'client_secret', 'subject_token', 'actor_token', 'code'],
  ...['access_token', 'refresh_token', 'id_token', 'token', 'password', 'private_key'],
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'],
];
const names = secretMembers.join('|');

/** A string that is cut off ends with the text. */
const jsonMember = new RegExp(
  `("(?:${names})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|$)|\\[[^\\]]*)`,
  'gi',
);
const formMember = new RegExp(`(^|[?&])(${names})=[^&\\s]*`, 'gi');
/** A JWT anywhere, also one that is cut off: each begins with `{"` in base64url. */
const jwt = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g;

/** A text of a body or an address without secrets. */
export function redactText(text: string): string {
  return text
    .replace(privateKey, REDACTED)
    .replace(jsonMember, `$1"${REDACTED}"`)
    .replace(formMember, `$1$2=${REDACTED}`)
    .replace(jwt, REDACTED);
}

/** The value of a header without secrets. */
export function redactHeader(name: string, value: string): string {
  return secretHeaders.includes(name.toLowerCase()) ? REDACTED : redactText(value);
}
