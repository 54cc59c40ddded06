// The errors of requests that were neither confirmed nor refused in time.
import { isError } from './is-error.js';
import { LandfallError } from './landfall-error.js';

/** It is not known what became of a request. `cause` is the reason of the caller's signal, or the last failure. */
export abstract class OutcomeUnknownError extends LandfallError {
  readonly requestId: string;

  /**
   * @param what the request in words
   * @param next the function that finds the outcome
   */
  constructor(requestId: string, cause: unknown, what: string, next: string) {
    const reason = isError(cause) ? cause.message : String(cause);
    super(`the outcome of ${what} ${requestId} is not known (${reason}): call ${next}`, {
      cause,
      outcomeUnknown: true,
    });
    this.requestId = requestId;
  }
}

/**
 * It is not known whether the goods were presented. Call `settlePresentation` with the requestId and the same
 * presentation: it finds the outcome, and presents if the service has not done so.
 *
 * @example
 * if (error instanceof PresentationUnknownError) keepForLater(error.requestId, presentation);
 */
export class PresentationUnknownError extends OutcomeUnknownError {
  override readonly code = 'PRESENTATION_UNKNOWN';
  override name = 'PresentationUnknownError';

  constructor(requestId: string, cause: unknown) {
    super(requestId, cause, 'presentation', 'settlePresentation');
  }
}

/**
 * It is not known whether a movement message was lodged or replaced. Call `settleMovement` with the requestId and the same
 * message: it finds the outcome, and sends the message if the service does not have it. What was cancelled is cancelled
 * again, which changes nothing.
 *
 * @example
 * if (error instanceof MovementUnknownError) keepForLater(error.requestId, message);
 */
export class MovementUnknownError extends OutcomeUnknownError {
  override readonly code = 'MOVEMENT_UNKNOWN';
  override name = 'MovementUnknownError';

  constructor(requestId: string, cause: unknown, next = 'settleMovement') {
    super(requestId, cause, 'movement request', next);
  }
}
