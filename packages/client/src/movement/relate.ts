// Relates two messages by their MRNs. A call ends with the status of its request, whatever becomes of the connection.
import type { Connection } from '../connection/connection.js';
import { inMode } from '../connection/in-mode.js';
import type { ModeName } from '../contract/modes.js';
import type { MovementStatus, RelationRequest } from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { MovementUnknownError } from '../errors/outcome-unknown-error.js';
import { lodgeRelation } from '../operations/operations.js';
import { confirm } from '../settling/confirm.js';
import { sendSettled } from '../settling/send-settled.js';
import { isNew, type SettledRequest, type SettleOptions } from '../settling/settled-request.js';
import { makeCancellation, readStatus, UUID } from './movement-request.js';

/**
 * Hangs one message on another by their MRNs, and reads the status of the request. It settles a lost response as
 * `lodgeMovement` does.
 *
 * @param relation without a requestId, a new one is made
 * @returns the status. Look at its `status`: `SUCCESS` has the MRN of the relation, by which it is cancelled; `FAILURE` has
 *   every broken rule, and nothing was related
 * @throws ApiError when the service refuses it at once
 * @throws MovementUnknownError when the outcome is still unknown after `settleWithinMs`, or at an abort: relate them again,
 *   which is `DUPLICATE` with the MRN of the relation if it was made
 * @throws ConnectionError, TokenError when the request could not be sent, or the reason of the signal: nothing was related
 */
export async function relate(
  connection: Connection,
  mode: ModeName,
  relation: RelationRequest,
  options: SettleOptions = {},
): Promise<MovementStatus> {
  const requestId = relation.requestId ?? crypto.randomUUID();
  const request = makeRelation(connection, mode, { ...relation, requestId });
  return sendSettled(connection, request, options, isNew(relation, options));
}

/**
 * Cancels a relation by its own MRN, and reads the status of the request. Cancelling what was cancelled changes nothing.
 *
 * @throws what `relate` throws; ApiError with status 404 for an MRN that is unknown, or of others
 */
export async function unrelate(
  connection: Connection,
  mode: ModeName,
  mrn: string,
  options: SettleOptions = {},
): Promise<MovementStatus> {
  return sendSettled(
    connection,
    makeCancellation(connection, mode, 'relation', mrn),
    options,
    true,
  );
}

/** @throws ConfigurationError when the requestId is no UUID */
function makeRelation(
  connection: Connection,
  mode: ModeName,
  body: RelationRequest & { requestId: string },
): SettledRequest<MovementStatus> {
  const { requestId } = body;
  if (!UUID.test(requestId)) throw new ConfigurationError('requestId must be a UUID');
  const { operationId } = lodgeRelation;
  return {
    operationId,
    requestId,
    send: async (options) => {
      const accepted = await connection.call(
        lodgeRelation,
        { parameters: inMode(mode), body },
        options,
      );
      confirm(operationId, requestId, accepted);
      return undefined;
    },
    read: async (options) => {
      const outcome = await readStatus(connection, mode, 'relation', requestId, options);
      return outcome && { outcome };
    },
    unknown: (cause) => new MovementUnknownError(requestId, cause, 'lodgeRelation again'),
  };
}
