// Repeats a call that failed for a reason that may pass, with growing random pauses.
import { ApiError } from '../errors/api-error.js';
import { ConnectionError, TimeoutError } from '../errors/connection-error.js';
import { LandfallError } from '../errors/landfall-error.js';
import { TokenError } from '../errors/token-error.js';
import { onAbort } from './on-abort.js';

/** How often and how long a call is repeated. */
export type RetryPolicy = {
  /** How often a call is attempted, the first time included. */
  maxAttempts: number;
  /** No attempt begins later than this after the first, in milliseconds. */
  maxElapsedMs: number;
  /** The pause before the second attempt, in milliseconds; each later pause is twice as long. Pauses are random: half to all of this. */
  baseDelayMs: number;
  /** The maximum pause, in milliseconds, unless the service requests a longer one. */
  maxDelayMs: number;
};

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 5,
  maxElapsedMs: 60_000,
  baseDelayMs: 250,
  maxDelayMs: 10_000,
};

/** The policy with the members that a call replaces. */
export function changePolicy(
  policy: RetryPolicy,
  change: Partial<RetryPolicy> | false | undefined,
): RetryPolicy {
  return change === false ? { ...policy, maxAttempts: 1 } : { ...policy, ...change };
}

/** What is known about a call when it is decided whether to repeat it. */
export type Repeatable = {
  policy: RetryPolicy;
  signal: AbortSignal | undefined;
  /** Whether the call may be carried out twice. */
  idempotent: boolean;
  /** Whether the body can be sent once more. */
  canResend: () => boolean;
  onRetry: (retry: { attempt: number; delayMs: number; error: unknown }) => void;
};

/** Calls `attempt` with 1, 2, ... until it succeeds or its error is final, and throws that error. */
export async function retrying<Result>(
  attempt: (attempt: number) => Promise<Result>,
  { policy, signal, idempotent, canResend, onRetry }: Repeatable,
): Promise<Result> {
  const deadline = performance.now() + policy.maxElapsedMs;
  for (let count = 1; ; count++) {
    try {
      return await attempt(count);
    } catch (error) {
      if (!isTemporary(error) || (hasUnknownOutcome(error) && !idempotent)) throw error;
      const delayMs = pauseAfter(count, error, policy);
      const isLast = count >= policy.maxAttempts || performance.now() + delayMs > deadline;
      if (isLast || !canResend()) throw error;
      onRetry({ attempt: count, delayMs, error });
      await pause(delayMs, signal);
    }
  }
}

/** Statuses of a service, or of a proxy before it, that is overloaded, restarting or away, or got the request too slowly. */
const TEMPORARY_STATUSES = new Set([408, 429, 502, 503, 504]);

/**
 * Whether the same request may succeed later. A request for a token may always be repeated: after a 500, and after what is
 * no response of OAuth, such as a sign-in page.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof ApiError) return TEMPORARY_STATUSES.has(error.status);
  if (error instanceof TokenError) {
    const { status = 0 } = error;
    return error.error === undefined || status === 500 || TEMPORARY_STATUSES.has(status);
  }
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

function hasUnknownOutcome(error: unknown): boolean {
  return error instanceof LandfallError && error.outcomeUnknown;
}

/** The pause after an attempt, in milliseconds. */
export function pauseAfter(attempt: number, error: unknown, policy: RetryPolicy): number {
  const longest = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  const pause = longest * (0.5 + Math.random() / 2);
  const requested =
    error instanceof ApiError || error instanceof TokenError ? (error.retryAfterMs ?? 0) : 0;
  // Added, so that clients that were refused together do not come back together.
  if (requested === 0) return pause;
  return Math.min(requested, MAX_PAUSE_MS) + Math.random() * policy.baseDelayMs;
}

/** The longest pause that a service can request, in milliseconds: what is longer is a mistake, or an attack. */
const MAX_PAUSE_MS = 3_600_000;

/** Waits, an hour at most; rejects with the reason of the signal when it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal?.reason);
    });
    const timer = setTimeout(
      () => {
        forget();
        resolve();
      },
      Math.min(ms, MAX_PAUSE_MS),
    );
  });
}
