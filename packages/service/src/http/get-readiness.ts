// Readiness: whether a load balancer should send requests to this server.
import type { Database } from '../database/database.js';
import { HttpError } from './problem.js';
import type { ConditionState, ReadinessConditions } from './readiness-conditions.js';

/**
 * The text that is sent when the server is ready: `OK`, or in words each condition with its state.
 *
 * @param isDraining whether the server is about to stop and should get no more requests
 * @param conditions what must be fulfilled beside that
 * @throws HttpError 503
 */
export async function getReadiness(
  database: Pick<Database, 'checkReady'>,
  isDraining: () => boolean,
  conditions: Pick<ReadinessConditions, 'unmet' | 'states'>,
  { verbose = false }: { verbose?: boolean } = {},
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
  if (unmet !== undefined) {
    const refusal = new HttpError(503, unmet.message, { 'Retry-After': '1' });
    refusal.cause = unmet;
    throw refusal;
  }
  return verbose ? describeStates(conditions.states) : 'OK';
}

function describeStates(states: readonly ConditionState[]): string {
  const isDegraded = states.some(({ unmet }) => unmet !== undefined);
  const lines = states.map(({ task, unmet }) =>
    unmet === undefined ? `ok        ${task}` : `degraded  ${task}: ${unmet}`,
  );
  return [isDegraded ? 'degraded' : 'ready', 'ok        database', ...lines, ''].join('\n');
}
