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
  const lines = states.map(({ task, degrades, unmet }) =>
    unmet === undefined
      ? `ok        ${task}`
      : `${degrades ? 'degraded' : 'failed'}  ${degrades ? '' : '  '}${task}: ${unmet}`,
  );
  const isFailed = unavailable !== undefined || lines.some((line) => line.startsWith('failed'));
  const isDegraded = lines.some((line) => line.startsWith('degraded'));
  return [
    isFailed ? 'not ready' : isDegraded ? 'degraded' : 'ready',
    unavailable === undefined ? 'ok        database' : `failed    database: ${unavailable}`,
    ...lines,
    '',
  ].join('\n');
}
