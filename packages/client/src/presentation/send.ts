// Sends a presentation request once.
import type { Connection } from '../connection/connection.js';
import type { RequestOptions } from '../connection/options.js';
import type { PresentationAccepted } from '../contract/types.js';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { Presentation, PresentOperation } from './presentation.js';

/**
 * Resolves when the service has accepted this requestId.
 *
 * @throws UnexpectedResponseError for any other response with a status of success, such as that of a sign-in page
 */
export async function send(
  connection: Connection,
  operation: PresentOperation,
  body: Presentation & { requestId: string },
  options: RequestOptions,
): Promise<PresentationAccepted> {
  const accepted: Partial<PresentationAccepted> | null = await connection.call(
    operation,
    { body },
    options,
  );
  const { requestId } = body;
  if (accepted?.requestId !== requestId) {
    const message = `the response to ${operation.operationId} does not confirm ${requestId}`;
    throw new UnexpectedResponseError(message);
  }
  return { requestId };
}
