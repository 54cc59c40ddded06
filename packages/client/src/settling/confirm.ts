// Checks that a response is the one to this request.
import { UnexpectedResponseError } from '../errors/landfall-error.js';

/**
 * Checks that the service has received this requestId.
 *
 * @throws UnexpectedResponseError for any other response with a status of success, such as that of a sign-in page
 */
export function confirm(operationId: string, requestId: string, response: unknown): void {
  // The cast is true because any value but null has members, known or not.
  const found = response as { requestId?: unknown } | null | undefined;
  if (found?.requestId === requestId) return;
  throw new UnexpectedResponseError(`the response to ${operationId} does not confirm ${requestId}`);
}
