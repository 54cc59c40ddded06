// Sends a request that is known by its requestId. A call ends with its outcome, whatever becomes of the connection.
import type { Connection } from '../connection/connection.js';
import { LandfallError } from '../errors/landfall-error.js';
import { refuseUsed } from './refuse-used.js';
import { isRefusal, settle } from './settle.js';
import type { SettledRequest, SettleOptions } from './settled-request.js';

/**
 * Sends it, and determines its outcome if the response is lost.
 *
 * @param isNew whether the requestId cannot have been used before
 */
export async function sendSettled<Outcome>(
  connection: Connection,
  request: SettledRequest<Outcome>,
  options: SettleOptions,
  isNew: boolean,
): Promise<Outcome> {
  if (!isNew) await refuseUsed(request, options);
  return sendNew(connection, request, options);
}

/** Sends what has a new requestId: if the service has seen it all the same, it received the request twice. */
export async function sendNew<Outcome>(
  connection: Connection,
  request: SettledRequest<Outcome>,
  options: SettleOptions,
): Promise<Outcome> {
  let sent = false;
  const onSend = () => {
    sent = true;
    options.onSend?.();
  };
  let failure: unknown;
  try {
    const outcome = await request.send({ ...options, onSend, repeatUnknown: false });
    if (outcome !== undefined) return outcome;
  } catch (error) {
    const wasReceivedTwice = isRefusal(error) && error.has('REQUEST_ID_REUSED');
    if (!wasReceivedTwice && !leavesUnknown(error, sent)) throw error;
    failure = error;
  }
  return settle(connection, request, options, failure);
}

/** Whether the service may have carried out a call that failed. An abort is not a `LandfallError`. */
function leavesUnknown(failure: unknown, sent: boolean): boolean {
  return failure instanceof LandfallError ? failure.outcomeUnknown : sent;
}
