// Presents goods. A call ends with "presented" or "not presented", whatever becomes of the connection.
import type { Connection } from '../connection/connection.js';
import type { PresentationAccepted } from '../contract/types.js';
import { LandfallError } from '../errors/landfall-error.js';
import {
  operationOf,
  type Presentation,
  type PresentOperation,
  type PresentOptions,
} from './presentation.js';
import { refuseUsed } from './read-outcome.js';
import { send } from './send.js';
import { isRefusal, settle } from './settle.js';

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
export async function presentWith(
  connection: Connection,
  operation: PresentOperation,
  presentation: Presentation,
  options: PresentOptions = {},
): Promise<PresentationAccepted> {
  const requestId = presentation.requestId ?? crypto.randomUUID();
  if (!isNew(presentation, options)) await refuseUsed(connection, operation, requestId, options);
  return sendNew(connection, operation, { ...presentation, requestId }, options);
}

/** Whether the requestId of a presentation cannot have been used before. */
export function isNew({ requestId }: Presentation, options: PresentOptions): boolean {
  return options.isNew ?? requestId === undefined;
}

/** Presents with a requestId that is new: if the service has seen it all the same, it received the request twice. */
export async function sendNew(
  connection: Connection,
  operation: PresentOperation,
  body: Presentation & { requestId: string },
  options: PresentOptions,
): Promise<PresentationAccepted> {
  let sent = false;
  const onSend = () => {
    sent = true;
    options.onSend?.();
  };
  try {
    return await send(connection, operation, body, { ...options, onSend, repeatUnknown: false });
  } catch (failure) {
    const wasReceivedTwice = isRefusal(failure) && failure.has('REQUEST_ID_REUSED');
    if (!wasReceivedTwice && !leavesUnknown(failure, sent)) throw failure;
    return settle(connection, operation, body, options, failure);
  }
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
  return settle(connection, operation, { ...presentation, requestId }, options);
}

/** Whether the service may have carried out a call that failed. An abort is not a `LandfallError`. */
function leavesUnknown(failure: unknown, sent: boolean): boolean {
  return failure instanceof LandfallError ? failure.outcomeUnknown : sent;
}
