// Takes secrets out of the messages of errors: what a platform says of a header or an address has the whole of it.
import { isError } from './is-error.js';

/** What stands for a secret. */
const REMOVED = '[removed]';

/** A token behind its scheme, a JWT, the user and password of an address, and a private key. */
const SECRETS: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[^\s"']+/gi, `$1 ${REMOVED}`],
  [/\beyJ[\w-]{8}[\w.-]*/g, REMOVED],
  [/(\/\/)[^\s/@"']+@/g, `$1${REMOVED}@`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*/g, REMOVED],
];

/** A text without the secrets in it. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((left, [pattern, by]) => left.replace(pattern, by), text);
}

/** The cause of an error; if its message, or that of its own cause, has a secret, an error without it. */
export function causeWithoutSecrets(cause: unknown, depth = 0): unknown {
  if (typeof cause === 'string') return withoutSecrets(cause);
  if (!isError(cause) || depth > 4) return cause;
  const message = withoutSecrets(cause.message);
  const inner = causeWithoutSecrets(cause.cause, depth + 1);
  if (message === cause.message && inner === cause.cause) return cause;
  const safe = new Error(message, inner === undefined ? {} : { cause: inner });
  safe.name = cause.name;
  if ('code' in cause) Object.assign(safe, { code: cause.code });
  return safe;
}
