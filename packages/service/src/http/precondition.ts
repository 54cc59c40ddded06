// Which state of a resource a request may replace (RFC 9110, section 13.1).
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from './operation.js';

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

function refuseHeader(field: string, error: string): never {
  refuse({ field, error, code: 'FORMAT' });
}
