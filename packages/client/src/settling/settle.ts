// Determines the outcome of a request: from its status, or by sending it again with the same requestId.
import type { Connection } from '../connection/connection.js';
import { ApiError } from '../errors/api-error.js';
import { LandfallError, UnexpectedResponseError } from '../errors/landfall-error.js';
import { observe } from '../http/hooks.js';
import { changePolicy, isTemporary, pause, pauseAfter } from '../http/retry.js';
import type { Settled, SettledRequest, SettleOptions } from './settled-request.js';

/** How long the outcome is determined by default, in milliseconds. */
export const SETTLE_WITHIN_MS = 120_000;

/** The maximum delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 0x7fffffff;

/**
 * Resolves with the outcome; throws when the request is refused, or when its outcome remains unknown.
 *
 * @param firstFailure why the outcome is unknown, if a request was just sent
 */
export async function settle<Outcome>(
  connection: Connection,
  request: SettledRequest<Outcome>,
  options: SettleOptions,
  firstFailure?: unknown,
): Promise<Outcome> {
  const { settleWithinMs = SETTLE_WITHIN_MS, signal: caller } = options;
  // What is no time is over at once: the outcome is unknown then, and nothing else may be thrown.
  const end = AbortSignal.timeout(settleWithinMs > 0 ? Math.min(settleWithinMs, MAX_TIMER_MS) : 0);
  const signal = caller === undefined ? end : AbortSignal.any([caller, end]);
  const policy = changePolicy(connection.retryPolicy, options.retry);
  const once: SettleOptions = { ...options, signal, retry: false };

  let failure = firstFailure;
  for (let attempt = 1; ; attempt++) {
    let settled: Settled<Outcome>;
    try {
      if (failure !== undefined) {
        const delayMs = pauseAfter(attempt, failure, policy);
        const { operationId } = request;
        const retry = { operationId, attempt, delayMs, error: failure };
        observe(() => connection.hooks.onRetry?.(retry));
        await pause(delayMs, signal);
      }
      settled = await settleOnce(request, once);
    } catch (error) {
      // The failure before the time was over says more than that it is over.
      const last = caller?.aborted ? caller.reason : (failure ?? end.reason);
      if (signal.aborted) throw request.unknown(last);
      if (!mayPass(error)) throw request.unknown(error);
      failure = error;
      continue;
    }
    if ('refusal' in settled) throw settled.refusal;
    return settled.outcome;
  }
}

/** Sends the request only if nothing is recorded. Throws if the outcome is still unknown. */
async function settleOnce<Outcome>(
  request: SettledRequest<Outcome>,
  options: SettleOptions,
): Promise<Settled<Outcome>> {
  const recorded = await request.read(options);
  if (recorded !== undefined) return recorded;
  try {
    const outcome = await request.send(options);
    if (outcome !== undefined) return { outcome };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!error.has('REQUEST_ID_REUSED')) return { refusal: error };
  }
  // Its status is to be read now; or an earlier request with this requestId was recorded after it was read.
  const settled = await request.read(options);
  if (settled !== undefined) return settled;
  throw new UnexpectedResponseError(
    `requestId ${request.requestId} was used, but has no status yet`,
  );
}

/** Whether the service refused for reasons of the request, which sending it again does not change. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400 && error.validationErrors.length > 0;
}

function mayPass(error: unknown): boolean {
  return isTemporary(error) || (error instanceof LandfallError && error.outcomeUnknown);
}
