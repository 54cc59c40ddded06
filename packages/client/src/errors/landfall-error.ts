// The base class of every error that the client throws.
import { causeWithoutSecrets, withoutSecrets } from './without-secrets.js';

/** A code that never changes its meaning: programs test it, and `message` is for people. */
export type LandfallErrorCode =
  /** The service refused the call: an `ApiError`, whose `status` and `validationErrors` say why. */
  | 'API'
  /** No response, or an incomplete one: a `ConnectionError`. */
  | 'CONNECTION'
  /** No response in time: a `TimeoutError`. */
  | 'TIMEOUT'
  /** No token: a `TokenError`. */
  | 'TOKEN'
  /** A key, a certificate or an option that cannot be used: a `ConfigurationError`. */
  | 'CONFIGURATION'
  /** Following: entries after the marker are no longer kept: a `MarkerExpiredError`. */
  | 'MARKER_EXPIRED'
  /** A presentation was not settled in time: a `PresentationUnknownError`. */
  | 'PRESENTATION_UNKNOWN'
  /** What became of a movement message was not settled in time: a `MovementUnknownError`. */
  | 'MOVEMENT_UNKNOWN'
  /** Waiting: not every document had its routing in time: a `RoutingPendingError`. */
  | 'ROUTING_PENDING'
  /** Waiting: the goods of a transport may not be unloaded in time: an `EntryPendingError`. */
  | 'ENTRY_PENDING'
  /** A response that is not what the contract describes: an `UnexpectedResponseError`. */
  | 'UNEXPECTED_RESPONSE'
  /** Receiving, a `PushError`: a header of Standard Webhooks is missing, or is none. */
  | 'PUSH_HEADER'
  /** Receiving: it was sent too long ago. Somebody repeats what they have read, or the clock of the receiver is wrong. */
  | 'PUSH_TOO_OLD'
  /** Receiving: it is from the future, so the clock of the receiver is wrong. */
  | 'PUSH_IN_FUTURE'
  /** Receiving: none of the signatures was made with one of the secrets. */
  | 'PUSH_SIGNATURE'
  /** Receiving: it is signed, and its body is none that this version knows. */
  | 'PUSH_BODY';

/**
 * Any error of this library. A call that its `signal` aborts throws the reason of the signal instead.
 *
 * @example
 * if (error instanceof LandfallError && error.code === 'TIMEOUT') tryLater();
 */
export abstract class LandfallError extends Error {
  abstract readonly code: LandfallErrorCode;
  /**
   * Whether the service may have carried out the call although it failed. Repeat such a call only if it is idempotent;
   * after presenting, read the validation status.
   */
  readonly outcomeUnknown: boolean;
  /** The HTTP method of the call that failed: one with GET changes nothing. `undefined` where no call of an operation failed. */
  declare readonly method?: string | undefined;

  constructor(
    message: string,
    options: { cause?: unknown; outcomeUnknown?: boolean | undefined } = {},
  ) {
    super(
      withoutSecrets(message),
      'cause' in options ? { cause: causeWithoutSecrets(options.cause) } : {},
    );
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** A key, a certificate or an option cannot be used. Nothing was sent. */
export class ConfigurationError extends LandfallError {
  override readonly code = 'CONFIGURATION';
  override name = 'ConfigurationError';
}

/** A response is not what the contract describes: often the address is that of something else. */
export class UnexpectedResponseError extends LandfallError {
  override readonly code = 'UNEXPECTED_RESPONSE';
  override name = 'UnexpectedResponseError';

  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { ...options, outcomeUnknown: true });
  }
}

/** Notes with which method a call was made that failed. */
export function noteMethod(error: unknown, method: string): void {
  if (error instanceof LandfallError) Object.assign(error, { method: error.method ?? method });
}
