// What a request prefers (RFC 7240). Preferences are separated by commas; parameters follow a semicolon. What is not
// understood is no preference.
import type { FastifyRequest } from 'fastify';

/** Maximum number of seconds that a response may be delayed. */
const MAX_WAIT_SECONDS = 60;

const WAIT = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i;
const SUMMARY = /(?:^|,)\s*summary\s*(?:[,;]|$)/i;
/** Of several, the first one counts. */
const HANDLING = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)"?\s*(?:[,;]|$)/i;

/** `Prefer: wait=20`: how long an empty response may be delayed, in seconds; 0 without the preference. */
export function requestedWait(request: FastifyRequest): number {
  const seconds = WAIT.exec(preferOf(request))?.[1];
  return seconds === undefined ? 0 : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}

/** `Prefer: summary`: whether the results of an upload end with their numbers. */
export function prefersSummary(request: FastifyRequest): boolean {
  return SUMMARY.test(preferOf(request));
}

/** `Prefer: handling=strict`: whether members that the schema does not have are errors. */
export function prefersStrict(request: FastifyRequest): boolean {
  return HANDLING.exec(preferOf(request))?.[1]?.toLowerCase() === 'strict';
}

function preferOf({ headers }: FastifyRequest): string {
  return [headers.prefer ?? []].flat().join(',');
}
