// Readiness: whether a load balancer should send requests to this server.
import type { Database } from '../database/database.js';
import { HttpError } from './problem.js';
import type { ReadinessConditions } from './readiness-conditions.js';

/**
 * The text that is sent when the server is ready.
 *
 * @param isDraining whether the server is about to stop and should get no more requests
 * @param conditions what must be fulfilled beside that
 * @throws HttpError 503
 */
export async function getReadiness(
  database: Pick<Database, 'checkReady'>,
  isDraining: () => boolean,
  conditions: Pick<ReadinessConditions, 'unmet'>,
): Promise<string> {
  if (isDraining()) {
    throw new HttpError(503, 'The server is about to stop', { 'Retry-After': '1' });
  }
  await database.checkReady().catch((cause: unknown) => {
    const refusal = new HttpError(503, 'The database is unavailable', { 'Retry-After': '1' });
    refusal.cause = cause;
    throw refusal;
  });
  const { unmet } = conditions;
  if (unmet !== undefined) throw new HttpError(503, unmet.message, { 'Retry-After': '1' });
  return 'OK';
}
