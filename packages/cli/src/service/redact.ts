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
const isSecret = (name: string) => secretMembers.includes(name.toLowerCase());

/** The beginning of a list, such as the further primes of a key. */
const jsonList = /"(\w+)"\s*:\s*\[/g;
/** A string that is cut off ends with the text. */
const jsonString = /("(\w+)"\s*:\s*)"(?:[^"\\]|\\[\s\S]?)*"?/g;
const formMember = /((?:^|[?&])(\w+)=)[^&\s]*/g;
/** A JWT anywhere, also one that is cut off: each begins with `{"` in base64url. */
const jwt = /\beyJ[\w-]{8}[\w.-]*/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g;

/** A text of a body or an address without secrets. */
export function redactText(text: string): string {
  return redactLists(text.replace(privateKey, REDACTED))
    .replace(jsonString, (all, before: string, name: string) =>
      isSecret(name) ? `${before}"${REDACTED}"` : all,
    )
    .replace(formMember, (all, before: string, name: string) =>
      isSecret(name) ? `${before}${REDACTED}` : all,
    )
    .replace(jwt, REDACTED);
}

/** The value of a header without secrets. */
export function redactHeader(name: string, value: string): string {
  return secretHeaders.includes(name.toLowerCase()) ? REDACTED : redactText(value);
}

/** A list that is cut off ends with the text. */
function redactLists(text: string): string {
  let redacted = '';
  let done = 0;
  for (const { 0: before, 1: name = '', index } of text.matchAll(jsonList)) {
    if (index < done || !isSecret(name)) continue;
    const start = index + before.length - 1;
    redacted += `${text.slice(done, start)}"${REDACTED}"`;
    const end = text.indexOf(']', start);
    done = end < 0 ? text.length : end;
  }
  return redacted + text.slice(done);
}
