// Which state of a resource a request may replace (RFC 9110, section 13.1).
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from './operation.js';
import { HttpError } from './problem.js';

/** In which state it must be: any, missing, or existing with an entity tag for which the function returns `true`. */
export type EtagPrecondition = 'any' | 'missing' | ((etag: string) => boolean);

/** `*`, or a list of entity tags. */
const IF_MATCH = /^(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)$/;

/** Reads `If-Match` and `If-None-Match`. A request has at most one of them. */
export function readEtagPrecondition({
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
}: IncomingHttpHeaders): EtagPrecondition {
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== '*') refuseHeader('If-None-Match', 'must be *');
    if (ifMatch !== undefined)
      refuseHeader('If-None-Match', 'must not be sent together with If-Match');
    return 'missing';
  }
  if (ifMatch === undefined) return 'any';
  const admitted = ifMatch.trim();
  if (!IF_MATCH.test(admitted)) refuseHeader('If-Match', 'must be * or an etag in its quotes');
  const tags = admitted.split(',').map((tag) => tag.trim());
  return (etag) => admitted === '*' || tags.includes(etag);
}

/**
 * Reads the `If-Match` of an operation that requires it. `*` is refused: sent again, it would change any state.
 *
 * @returns whether an entity tag is that of the state that was read
 * @throws HttpError 428 without it
 */
export function readRequiredIfMatch(headers: IncomingHttpHeaders): (etag: string) => boolean {
  const precondition = readEtagPrecondition(headers);
  if (typeof precondition === 'string') {
    throw new HttpError(428, 'If-Match is required: send the etag of the state that was read');
  }
  if (headers['if-match']?.trim() === '*') {
    refuseHeader('If-Match', 'must be the etag of the state that was read: every state fits *');
  }
  return precondition;
}

function refuseHeader(field: string, error: string): never {
  refuse({ field, error, code: 'FORMAT' });
}
