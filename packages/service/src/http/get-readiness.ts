// Readiness: whether a load balancer should send requests to this server.
import type { Database } from '../database/database.js';
import { HttpError } from './problem.js';
import type { ConditionState, ReadinessConditions } from './readiness-conditions.js';

/**
 * The text that is sent when the server is ready: `OK`, or in words each condition with its state. When it is not, that is the
 * detail of the refusal.
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
  const refuse = (reason: string, cause: unknown, unavailable?: string): never => {
    const detail = verbose ? describeStates(conditions.states, unavailable) : reason;
    const refusal = new HttpError(503, detail, { 'Retry-After': '1' });
    refusal.cause = cause;
    throw refusal;
  };
  await database.checkReady().catch((cause: unknown) => {
    refuse('The database is unavailable', cause, 'unavailable');
  });
  const { unmet } = conditions;
  if (unmet !== undefined) refuse(unmet.message, unmet);
  return verbose ? describeStates(conditions.states) : 'OK';
}

/** A line for the whole, for the database and for each condition. */
function describeStates(states: readonly ConditionState[], unavailable?: string): string {
  const all = [{ task: 'database', degrades: false, unmet: unavailable }, ...states];
  const unmetStates = all.filter(({ unmet }) => unmet !== undefined);
  const isReady = unmetStates.every(({ degrades }) => degrades);
  const lines = all.map(({ task, degrades, unmet }) => {
    const state = unmet === undefined ? 'ok' : degrades ? 'degraded' : 'failed';
    return `${state.padEnd('degraded  '.length)}${task}${unmet === undefined ? '' : `: ${unmet}`}`;
  });
  const whole = isReady ? (unmetStates.length === 0 ? 'ready' : 'degraded') : 'not ready';
  return [whole, ...lines, ''].join('\n');
}
