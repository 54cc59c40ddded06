// The media type of a body, and the one that is selected for a response.
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { atMost } from '../bounded-cache.js';

/** Accept headers whose result is kept: there are few different ones, and reading one takes longer than a short page. */
const MAX_KEPT = 100;

/** What is kept for a header that accepts none of the offered types. */
const NONE = '';

/** A body of parts, such as a document and what is said of it. */
export const MULTIPART = 'multipart/form-data';

/** The media type of a request's body, in small letters and without parameters; `undefined` if none is given. */
export function bodyTypeOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Makes the function that selects a response's media type: the one that an Accept header prefers; of equal ones, the one
 * that is offered first. It returns `undefined` if the header accepts none (RFC 9110, section 12.5.1).
 */
export function makeNegotiation(
  offered: readonly string[],
): (accept: string | undefined) => string | undefined {
  const kept = new LRUCache<string, string>({ ...atMost(MAX_KEPT) });
  return (accept) => {
    if (accept === undefined || accept === '*/*') return offered[0];
    const known = kept.get(accept);
    if (known !== undefined) return known === NONE ? undefined : known;
    const [preferred] = new Negotiator({
      headers: { accept: withoutParameters(accept) },
    }).mediaTypes([...offered]);
    kept.set(accept, preferred ?? NONE);
    return preferred;
  };
}
/** Removes all parameters but the weight: offered types have no parameters, so `charset=utf-8` excludes nothing. */
function withoutParameters(accept: string): string {
  return (
    accept
      // The end is optional: what never fails takes linear time.
      .replaceAll(/"(?:[^"\\]|\\[\s\S]?)*"?/g, '""')
      .split(',')
      .map((range) => {
        const [mediaType, ...parameters] = range.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
        return weight === undefined ? mediaType : `${mediaType};${weight}`;
      })
      .join(',')
  );
}
