// The entity tags of organisations: which state of one a request replaces (RFC 9110, sections 8.8.3 and 13.1.1).
import { createHash } from 'node:crypto';
import type { Organisation } from '@landfall/contract';
import { refuse } from '../http/operation.js';
import type { OrganisationState } from './get-organisation.js';

/** `*`, or a list of entity tags. */
const IF_MATCH = /^(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)$/;

/** The organisation with its entity tag, which depends on all of its data. */
export function withEtag(organisation: OrganisationState): Organisation {
  return { ...organisation, etag: etagOf(organisation) };
}

/** Reads `If-Match`: which states it admits. Without it, every state, and none. */
export function readIfMatch(
  header: string | undefined,
): (current: OrganisationState | undefined) => boolean {
  if (header === undefined) return () => true;
  const admitted = header.trim();
  if (!IF_MATCH.test(admitted)) {
    refuse({ field: 'If-Match', error: 'must be * or an etag in its quotes', code: 'FORMAT' });
  }
  const tags = admitted.split(',').map((tag) => tag.trim());
  return (current) => current !== undefined && (admitted === '*' || tags.includes(etagOf(current)));
}

function etagOf(organisation: OrganisationState): string {
  const digest = createHash('sha256').update(JSON.stringify(organisation)).digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}
