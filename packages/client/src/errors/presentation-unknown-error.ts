// The error of a presentation that was neither confirmed nor refused in time.

import { isError } from './is-error.js';
import { LandfallError } from './landfall-error.js';

/**
 * It is not known whether the goods were presented. Call `settlePresentation` with the requestId and the same
 * presentation: it finds the outcome, and presents if the service has not done so.
 *
 * `cause` is the reason of the caller's signal, or the last failure.
 *
 * @example
 * if (error instanceof PresentationUnknownError) keepForLater(error.requestId, presentation);
 */
export class PresentationUnknownError extends LandfallError {
  override readonly code = 'PRESENTATION_UNKNOWN';
  override name = 'PresentationUnknownError';
  readonly requestId: string;

  constructor(requestId: string, cause: unknown) {
    const reason = isError(cause) ? cause.message : String(cause);
    super(
      `the outcome of presentation ${requestId} is not known (${reason}): call settlePresentation`,
      { cause, outcomeUnknown: true },
    );
    this.requestId = requestId;
  }
}
