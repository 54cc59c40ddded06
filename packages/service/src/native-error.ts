// Recognises errors of Node.js. Where code runs in a context of its own, as in Jest, `instanceof Error` is false for
// them, because their class is that of another context.
import { types } from 'node:util';

/** Whether a value is an error, of this context or another one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** The code of an error, such as ENOENT; `undefined` if it is no error or has none. */
export function codeOf(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** The message of an error, or what was thrown instead of one as text. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(messageOf(thrown), { cause: thrown });
}

/** The error's message and those of its causes, in one line. */
export function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  // The depth is limited because causes may be circular.
  for (let cause = error; isError(cause) && reasons.length < 5; cause = cause.cause) {
    const reason = cause.message || String(codeOf(cause) ?? cause.name);
    if (!reasons.includes(reason)) reasons.push(reason);
  }
  return reasons.join(': ').slice(0, 1000);
}
