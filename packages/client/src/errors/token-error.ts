// The error of obtaining a token.

import { isError } from './is-error.js';
import { LandfallError } from './landfall-error.js';

/** The step at which no token was given. */
export type TokenStep = 'identity-provider' | 'exchange';

/**
 * The identity provider or the exchange gave no token, so the call was not sent.
 *
 * `error` is OAuth's code, such as `invalid_scope`, and `description` the reason in words. A description of the identity
 * provider begins with its own code, such as `MP-250`, which is in `providerCode`.
 */
export class TokenError extends LandfallError {
  override readonly code = 'TOKEN';
  override name = 'TokenError';
  readonly step: TokenStep;
  /** The HTTP status; `undefined` if there was no response, whose reason is in `cause`. */
  readonly status: number | undefined;
  /** `undefined` if the response is not one of OAuth, such as a page of a proxy: it may pass. */
  readonly error: string | undefined;
  readonly description: string | undefined;
  readonly providerCode: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** How much the clock of who refused is ahead of that of this machine, in milliseconds, by its `Date`; within a second. */
  readonly clockOffsetMs: number | undefined;

  constructor(
    step: TokenStep,
    failure: {
      status?: number | undefined;
      error?: string | undefined;
      description?: string | undefined;
      retryAfterMs?: number | undefined;
      clockOffsetMs?: number | undefined;
      cause?: unknown;
    },
  ) {
    const { status, error, description, retryAfterMs, clockOffsetMs, ...rest } = failure;
    super(inWords(step, failure), rest);
    this.step = step;
    this.status = status;
    this.error = error;
    this.description = description;
    this.providerCode = /\bMP-\d{3}\b/.exec(description ?? '')?.[0];
    this.retryAfterMs = retryAfterMs;
    this.clockOffsetMs = clockOffsetMs;
  }
}

function inWords(
  step: TokenStep,
  {
    status,
    error,
    description,
    cause,
  }: {
    status?: number | undefined;
    error?: string | undefined;
    description?: string | undefined;
    cause?: unknown;
  },
): string {
  const who = step === 'exchange' ? 'the exchange' : 'the identity provider';
  if (status === undefined)
    return `no token from ${who}: ${isError(cause) ? cause.message : cause}`;
  const outcome = `${who} refused (${[status, error].join(' ').trim()})`;
  return description === undefined ? outcome : `${outcome}: ${description}`;
}
