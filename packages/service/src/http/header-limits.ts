// The headers that the service reads, and how long each may be. Without limits one header may have all 16 KiB that
// Node.js admits, and whatever parses it takes its time before anybody has looked at the token.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ValidationError } from '@landfall/contract';
import { ValidationFailedError } from './problem.js';

/** Maximum lengths of headers by their names, in characters. Several headers of one name count together. */
export type HeaderLimits = Readonly<Record<string, number>>;

/**
 * All headers that may be read: others are removed, so that none is read without a limit. Each limit is several times
 * what clients send.
 */
export const headerLimits: HeaderLimits = {
  Accept: 1024,
  'Accept-Encoding': 256,
  // Longer than a token may be, which is refused with 401.
  Authorization: 12_288,
  'Content-Encoding': 64,
  'Content-Length': 32,
  'Content-Type': 256,
  Cookie: 8192,
  Host: 512,
  'If-Match': 1024,
  'If-Modified-Since': 64,
  'If-None-Match': 1024,
  'Landfall-CSRF-Token': 256,
  'Last-Event-ID': 128,
  Origin: 512,
  Prefer: 256,
  'Sec-Fetch-Site': 64,
  'Transfer-Encoding': 64,
  'X-Forwarded-For': 1024,
};

declare module 'fastify' {
  interface FastifyInstance {
    /** All headers that its routes can read. */
    headerLimits: HeaderLimits;
  }
}

/** A header is longer than it may be. */
export class HeaderTooLongError extends ValidationFailedError {}

/**
 * Makes the check of the headers of each request, before anything reads them: it removes those without a limit, and
 * returns the error of those that are too long.
 */
export function makeHeaderCheck(
  limits: HeaderLimits,
): (request: IncomingMessage) => HeaderTooLongError | undefined {
  const known = new Map(
    Object.entries(limits).map(([field, maxLength]) => [field.toLowerCase(), { field, maxLength }]),
  );
  return (request) => {
    let errors: ValidationError[] | undefined;
    const given = request.headers;
    const headers: IncomingHttpHeaders = {};
    for (const name in given) {
      const limit = known.get(name);
      if (limit === undefined) continue;
      const value = given[name];
      headers[name] = value;
      if (value !== undefined && value.length > limit.maxLength) {
        const error = `must have at most ${limit.maxLength} characters`;
        errors ??= [];
        errors.push({ field: limit.field, error, code: 'SIZE' });
      }
    }
    request.headers = headers;
    return errors === undefined ? undefined : new HeaderTooLongError(errors);
  };
}
