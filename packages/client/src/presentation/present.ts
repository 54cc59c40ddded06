// Presents goods. A call ends with "presented" or "not presented", whatever becomes of the connection.
import type { Connection } from '../connection/connection.js';
import type { PresentationAccepted } from '../contract/types.js';
import { sendSettled } from '../settling/send-settled.js';
import { settle } from '../settling/settle.js';
import { isNew } from '../settling/settled-request.js';
import {
  operationOf,
  type Presentation,
  type PresentOperation,
  type PresentOptions,
} from './presentation.js';
import { makeRequest } from './presentation-request.js';

/**
 * Presents goods at any level.
 *
 * After a lost response, a timeout or a 5xx, it reads the status of the requestId. If there is none, it sends the same
 * request again: the service accepts a requestId once, so nothing is presented twice.
 *
 * @param presentation without a requestId, a new one is made. Use one only for one presentation: unless `isNew` says that
 *   it was never sent, the service is asked first, and the call is refused with `REQUEST_ID_REUSED` if it has it, although
 *   the earlier presentation may have succeeded.
 * @returns the requestId; the goods are presented
 * @throws ApiError when the service refuses: the goods are not presented
 * @throws PresentationUnknownError when the outcome is still unknown after `settleWithinMs`, or at an abort
 * @throws ConnectionError, TokenError when the request could not be sent, or the reason of the signal: the goods are not
 *   presented
 * @example
 * await present(connection, { customsOfficeOfPresentation: 'NO351001', containerId: 'JARU0000010' });
 */
export async function present(
  connection: Connection,
  presentation: Presentation,
  options: PresentOptions = {},
): Promise<PresentationAccepted> {
  return presentWith(connection, operationOf(presentation), presentation, options);
}

/** Presents with a given operation. */
export function presentWith(
  connection: Connection,
  operation: PresentOperation,
  presentation: Presentation,
  options: PresentOptions = {},
): Promise<PresentationAccepted> {
  const requestId = presentation.requestId ?? crypto.randomUUID();
  const request = makeRequest(connection, operation, { ...presentation, requestId });
  return sendSettled(connection, request, options, isNew(presentation, options));
}

/**
 * Finds the outcome of an earlier presentation, and presents if the service has not received it.
 *
 * @param requestId that of the earlier call
 * @param presentation that of the earlier call
 * @returns the requestId; the goods are presented
 * @throws what `present` throws
 * @example
 * await settlePresentation(connection, error.requestId, presentation);
 */
export async function settlePresentation(
  connection: Connection,
  requestId: string,
  presentation: Presentation,
  options: PresentOptions = {},
): Promise<PresentationAccepted> {
  options.signal?.throwIfAborted();
  const operation = operationOf(presentation);
  const request = makeRequest(connection, operation, { ...presentation, requestId });
  return settle(connection, request, options);
}
