// The entity tags of organisations, and which state of one a request may replace (RFC 9110, sections 8.8.3 and 13.1).
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Organisation } from '@landfall/contract';
import { refuse } from '../http/operation.js';
import type { OrganisationState } from './organisation-queries.js';
import type { Precondition } from './put-organisation.js';

/** `*`, or a list of entity tags. */
const IF_MATCH = /^(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)$/;

/** The organisation with its entity tag, which depends on all of its data. */
export function withEtag(organisation: OrganisationState): Organisation {
  return { ...organisation, etag: etagOf(organisation) };
}

/** Reads `If-Match` and `If-None-Match`. A request has at most one of them. */
export function readPrecondition({
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
}: IncomingHttpHeaders): Precondition {
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
  return (current) => admitted === '*' || tags.includes(etagOf(current));
}

function refuseHeader(field: string, error: string): never {
  refuse({ field, error, code: 'FORMAT' });
}

function etagOf(organisation: OrganisationState): string {
  const digest = createHash('sha256').update(JSON.stringify(organisation)).digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}
