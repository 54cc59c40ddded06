// Determines the outcome of a presentation: from its status, or by sending it again with the same requestId.
import type { Connection } from '../connection/connection.js';
import type { PresentationAccepted } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { LandfallError, UnexpectedResponseError } from '../errors/landfall-error.js';
import { PresentationUnknownError } from '../errors/presentation-unknown-error.js';
import { observe } from '../http/hooks.js';
import { changePolicy, isTemporary, pause, pauseAfter } from '../http/retry.js';
import type { Presentation, PresentOperation, PresentOptions } from './presentation.js';
import { ACCEPTED, readOutcome, type Settled } from './read-outcome.js';
import { send } from './send.js';

/** How long the outcome is determined by default, in milliseconds. */
export const SETTLE_WITHIN_MS = 120_000;

/** The maximum delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 0x7fffffff;

/**
 * Resolves when the goods are presented; throws when they are not, or when it remains unknown.
 *
 * @param firstFailure why the outcome is unknown, if a request was just sent
 */
export async function settle(
  connection: Connection,
  operation: PresentOperation,
  body: Presentation & { requestId: string },
  options: PresentOptions,
  firstFailure?: unknown,
): Promise<PresentationAccepted> {
  const { requestId } = body;
  const { settleWithinMs = SETTLE_WITHIN_MS, signal: caller } = options;
  // What is no time is over at once: the outcome is unknown then, and nothing else may be thrown.
  const end = AbortSignal.timeout(settleWithinMs > 0 ? Math.min(settleWithinMs, MAX_TIMER_MS) : 0);
  const signal = caller === undefined ? end : AbortSignal.any([caller, end]);
  const policy = changePolicy(connection.retryPolicy, options.retry);
  const once: PresentOptions = { ...options, signal, retry: false };

  let failure = firstFailure;
  for (let attempt = 1; ; attempt++) {
    let settled: Settled;
    try {
      if (failure !== undefined) {
        const delayMs = pauseAfter(attempt, failure, policy);
        const { operationId } = operation;
        const retry = { operationId, attempt, delayMs, error: failure };
        observe(() => connection.hooks.onRetry?.(retry));
        await pause(delayMs, signal);
      }
      settled = await settleOnce(connection, operation, body, once);
    } catch (error) {
      // The failure before the time was over says more than that it is over.
      const last = caller?.aborted ? caller.reason : (failure ?? end.reason);
      if (signal.aborted) throw new PresentationUnknownError(requestId, last);
      if (!mayPass(error)) throw new PresentationUnknownError(requestId, error);
      failure = error;
      continue;
    }
    if (settled.refusal !== undefined) throw settled.refusal;
    return { requestId };
  }
}

/** Sends the request only if no status is recorded. Throws if the outcome is still unknown. */
async function settleOnce(
  connection: Connection,
  operation: PresentOperation,
  body: Presentation & { requestId: string },
  options: PresentOptions,
): Promise<Settled> {
  const read = () => readOutcome(connection, operation, body.requestId, options);
  const recorded = await read();
  if (recorded !== undefined) return recorded;
  try {
    await send(connection, operation, body, options);
    return ACCEPTED;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!error.has('REQUEST_ID_REUSED')) return { refusal: error };
  }
  // An earlier request with this requestId was recorded after the status was read.
  const outcome = await read();
  if (outcome !== undefined) return outcome;
  throw new UnexpectedResponseError(`requestId ${body.requestId} was used, but has no status`);
}

/** Whether the service refused for reasons of the presentation, which sending it again does not change. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400 && error.validationErrors.length > 0;
}

function mayPass(error: unknown): boolean {
  return isTemporary(error) || (error instanceof LandfallError && error.outcomeUnknown);
}
