// Reads the metrics, for everybody or for holders of a token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MetricsText } from './metrics.js';
import { HttpError } from './problem.js';

/**
 * All metrics as text.
 *
 * @param authorization the header of the request
 * @param token the bearer token that is required; without it, none is
 * @throws HttpError 401
 */
export async function getMetrics(
  readMetrics: () => Promise<MetricsText>,
  authorization: string | undefined,
  token: string | undefined,
): Promise<MetricsText> {
  if (token !== undefined && !hasToken(authorization, token)) {
    throw new HttpError(401, 'Metrics require their bearer token', {
      'WWW-Authenticate': 'Bearer realm="metrics"',
    });
  }
  return readMetrics();
}

/** Compares digests, which have one length, so that the time does not depend on what was sent. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digestOf(sent), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
