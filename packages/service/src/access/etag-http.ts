// The entity tags of organisations, and which state of one a request may replace (RFC 9110, sections 8.8.3 and 13.1).
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Organisation } from '@landfall/contract';
import { readEtagPrecondition } from '../http/precondition.js';
import type { OrganisationState } from './organisation-queries.js';
import type { Precondition } from './store-organisation.js';

/** The organisation with its entity tag, which depends on all of its data. */
export function withEtag(organisation: OrganisationState): Organisation {
  return { ...organisation, etag: etagOf(organisation) };
}

/**
 * Reads `If-Match` and `If-None-Match`; without both, the member `etag` of what was read says the same.
 *
 * @param otherwise without any of them
 */
export function readPrecondition(
  headers: IncomingHttpHeaders,
  etag: string | undefined,
  otherwise: Precondition,
): Precondition {
  const precondition = readEtagPrecondition(headers);
  if (precondition === 'missing') return precondition;
  if (precondition === 'any') {
    return etag === undefined ? otherwise : (current) => etagOf(current) === etag;
  }
  return (current) => precondition(etagOf(current));
}

function etagOf(organisation: OrganisationState): string {
  const digest = createHash('sha256').update(JSON.stringify(organisation)).digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}
