// Reports the arrival of a transport. A call ends with the status of its request, whatever becomes of the connection.
import type { Connection } from '../connection/connection.js';
import type { RequestOptions } from '../connection/options.js';
import { unexpected } from '../connection/result-form.js';
import type { MovementStatus, TransportArrivalRequest } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { MovementUnknownError } from '../errors/outcome-unknown-error.js';
import { getArrivalStatus, reportArrival } from '../operations/operations.js';
import { confirm } from '../settling/confirm.js';
import { isStatusOf } from '../settling/recorded-status.js';
import { sendSettled } from '../settling/send-settled.js';
import { isNew, type SettledRequest, type SettleOptions } from '../settling/settled-request.js';
import { UUID } from './movement-request.js';

/**
 * Reports that a transport has arrived, and reads the status of the request. It settles a lost response as `lodgeMovement`
 * does.
 *
 * @param arrival without a requestId, a new one is made
 * @returns the status. Look at its `status`: `FAILURE` has every broken rule, and nothing was presented
 * @throws ApiError when the service refuses it at once, with status 404 for an MRN that is unknown, or of others
 * @throws MovementUnknownError when the outcome is still unknown after `settleWithinMs`, or at an abort: report it again,
 *   which changes nothing if it was reported
 * @throws ConnectionError, TokenError when the request could not be sent, or the reason of the signal: nothing was reported
 */
export function arrive(
  connection: Connection,
  arrival: TransportArrivalRequest,
  options: SettleOptions = {},
): Promise<MovementStatus> {
  const requestId = arrival.requestId ?? crypto.randomUUID();
  const request = makeReport(connection, { ...arrival, requestId });
  return sendSettled(connection, request, options, isNew(arrival, options));
}

/** @throws ConfigurationError when the requestId is no UUID */
function makeReport(
  connection: Connection,
  body: TransportArrivalRequest & { requestId: string },
): SettledRequest<MovementStatus> {
  const { requestId } = body;
  if (!UUID.test(requestId)) throw new ConfigurationError('requestId must be a UUID');
  const { operationId } = reportArrival;
  return {
    operationId,
    requestId,
    send: async (options) => {
      confirm(operationId, requestId, await connection.call(reportArrival, { body }, options));
      return undefined;
    },
    read: async (options) => {
      const outcome = await readStatus(connection, requestId, options);
      return outcome && { outcome };
    },
    unknown: (cause) => new MovementUnknownError(requestId, cause, 'reportArrival again'),
  };
}

/** The status of a request; `undefined` if the service has none. */
async function readStatus(
  connection: Connection,
  requestId: string,
  options: RequestOptions,
): Promise<MovementStatus | undefined> {
  let status: MovementStatus;
  try {
    status = await connection.call(getArrivalStatus, { parameters: { requestId } }, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
  // That of another request, as from a cache, says nothing of this one.
  const hasMrn = status?.status !== 'SUCCESS' || typeof status.mrn === 'string';
  if (hasMrn && isStatusOf(requestId, status)) return status;
  throw unexpected(getArrivalStatus.operationId, `is no status of ${requestId}`);
}
