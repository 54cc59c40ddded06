// A request that is known by its requestId: the service carries it out once, and keeps what became of it.
import type { RequestOptions } from '../connection/options.js';
import type { ApiError } from '../errors/api-error.js';
import type { OutcomeUnknownError } from '../errors/outcome-unknown-error.js';

/** A request whose outcome can be determined, whatever becomes of the connection. */
export type SettledRequest<Outcome> = {
  readonly operationId: string;
  readonly requestId: string;
  /** Sends it once. `undefined`: the service has it, and its outcome is to be read. */
  send(options: RequestOptions): Promise<Outcome | undefined>;
  /** What the service has recorded for the requestId; `undefined` if it has nothing. */
  read(options: RequestOptions): Promise<Settled<Outcome> | undefined>;
  /** The error of a request whose outcome was not determined in time. */
  unknown(cause: unknown): OutcomeUnknownError;
};

/** The outcome, or the error that refuses the request. */
export type Settled<Outcome> = { outcome: Outcome } | { refusal: ApiError };

/** Options of a request that is settled. */
export type SettleOptions = Omit<RequestOptions, 'waitSeconds' | 'repeatUnknown'> & {
  /**
   * For how long the outcome is determined once it is unknown, in milliseconds; default 120,000. It is not limited by
   * `retry.maxAttempts` and `retry.maxElapsedMs`.
   */
  settleWithinMs?: number | undefined;
  /**
   * Whether the requestId was never sent before. Otherwise the service is asked first whether it has it, which is one
   * more request. Default: whether the client makes the requestId.
   */
  isNew?: boolean | undefined;
};

/** What may have a requestId of its own; without one, the client makes it. */
export type MayHaveRequestId = { requestId?: string | undefined };

/** Whether the requestId of a request cannot have been used before. */
export function isNew({ requestId }: MayHaveRequestId, options: SettleOptions): boolean {
  return options.isNew ?? requestId === undefined;
}
