// Lodges, replaces and cancels movement messages. A call ends with the status of its request, whatever becomes of the
// connection.
import type { Connection } from '../connection/connection.js';
import type { ModeName } from '../contract/modes.js';
import type { MovementStatus } from '../contract/types.js';
import { sendSettled } from '../settling/send-settled.js';
import { settle } from '../settling/settle.js';
import { isNew, type SettleOptions } from '../settling/settled-request.js';
import {
  type LodgeOptions,
  levelOfMovement,
  type MovementLevel,
  type MovementMessage,
} from './movement-message.js';
import { makeCancellation, makeRequest } from './movement-request.js';

/**
 * Lodges a message at any level, and reads the status of the request.
 *
 * After a lost response, a timeout or a 5xx, it reads the status of the requestId. If there is none, it sends the same
 * request again: the service accepts a requestId once, so nothing is lodged twice.
 *
 * @param message without a requestId, a new one is made. Unless `isNew` says that the one of the message was never sent,
 *   the service is asked first, and the call is refused with `REQUEST_ID_REUSED` if it has it.
 * @returns the status. Look at its `status`: `FAILURE` has every broken rule, and nothing was lodged; `SUCCESS` has the
 *   MRN, and of a house consignment the reasons why it is incomplete
 * @throws ApiError when the service refuses the message at once: nothing was lodged
 * @throws MovementUnknownError when the outcome is still unknown after `settleWithinMs`, or at an abort
 * @throws ConnectionError, TokenError when the request could not be sent, or the reason of the signal: nothing was lodged
 * @example
 * const { status, mrn, validationErrorList } = await lodgeMovement(connection, 'road', house);
 */
export async function lodgeMovement(
  connection: Connection,
  mode: ModeName,
  message: MovementMessage,
  options: LodgeOptions = {},
): Promise<MovementStatus> {
  return sendMessage(connection, mode, undefined, message, options);
}

/**
 * Replaces the whole message with this MRN, and reads the status of the request, as `lodgeMovement` does.
 *
 * @throws what `lodgeMovement` throws; ApiError with status 404 for an MRN that is unknown, or of others
 * @example
 * await replaceMovement(connection, 'road', mrn, { ...house, consignmentHouseLevel });
 */
export async function replaceMovement(
  connection: Connection,
  mode: ModeName,
  mrn: string,
  message: MovementMessage,
  options: LodgeOptions = {},
): Promise<MovementStatus> {
  return sendMessage(connection, mode, mrn, message, options);
}

/**
 * Finds the outcome of an earlier call, and sends the message if the service has not received it.
 *
 * @param requestId that of the earlier call
 * @param message that of the earlier call
 * @param options `mrn`: of the message that it replaces
 * @throws what `lodgeMovement` throws
 * @example
 * await settleMovement(connection, 'road', error.requestId, house);
 */
export async function settleMovement(
  connection: Connection,
  mode: ModeName,
  requestId: string,
  message: MovementMessage,
  options: LodgeOptions & { mrn?: string | undefined } = {},
): Promise<MovementStatus> {
  const { level = levelOfMovement(message), mrn, ...given } = options;
  given.signal?.throwIfAborted();
  const content = { mode, level, mrn, message: { ...message, requestId } };
  return settle(connection, makeRequest(connection, content), given);
}

/**
 * Cancels the message with this MRN, and reads the status of the request, as `lodgeMovement` does. Cancelling what was
 * cancelled changes nothing.
 *
 * @throws what `lodgeMovement` throws; ApiError with status 404 for an MRN that is unknown, or of others
 */
export async function cancel(
  connection: Connection,
  mode: ModeName,
  level: MovementLevel,
  mrn: string,
  options: SettleOptions = {},
): Promise<MovementStatus> {
  return sendSettled(connection, makeCancellation(connection, mode, level, mrn), options, true);
}

function sendMessage(
  connection: Connection,
  mode: ModeName,
  mrn: string | undefined,
  message: MovementMessage,
  options: LodgeOptions,
): Promise<MovementStatus> {
  const { level = levelOfMovement(message), ...given } = options;
  const requestId = message.requestId ?? crypto.randomUUID();
  const content = { mode, level, mrn, message: { ...message, requestId } };
  return sendSettled(connection, makeRequest(connection, content), given, isNew(message, given));
}
