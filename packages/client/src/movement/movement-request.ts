// A movement message as a request that is settled by its status.
import { jsonBody } from '../connection/body-form.js';
import type { Connection } from '../connection/connection.js';
import { inMode } from '../connection/in-mode.js';
import type { Operation, OperationInput } from '../connection/operation.js';
import type { RequestOptions } from '../connection/options.js';
import { unexpected } from '../connection/result-form.js';
import type { ModeName } from '../contract/modes.js';
import type { MovementAccepted, MovementStatus } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { MovementUnknownError } from '../errors/outcome-unknown-error.js';
import { cancelMovement, cancelRelation, getMovementStatus } from '../operations/operations.js';
import { confirm } from '../settling/confirm.js';
import { isStatusOf } from '../settling/recorded-status.js';
import type { SettledRequest } from '../settling/settled-request.js';
import { type MovementLevel, type MovementMessage, operationOf } from './movement-message.js';

/** Any other requestId is ignored by the service, which then makes one. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is sent, and where. With an MRN, it replaces the message that has it. */
export type MovementContent = {
  mode: ModeName;
  level: MovementLevel;
  mrn?: string | undefined;
  message: MovementMessage & { requestId: string };
};

/** @throws ConfigurationError when the requestId is no UUID */
export function makeRequest(
  connection: Connection,
  { mode, level, mrn, message: body }: MovementContent,
): SettledRequest<MovementStatus> {
  const { requestId } = body;
  if (!UUID.test(requestId)) throw new ConfigurationError('requestId must be a UUID');
  const operation = operationOf(level, mrn);
  const parameters = { ...inMode(mode), ...(mrn !== undefined && { mrn }) };
  return {
    operationId: operation.operationId,
    requestId,
    send: async (options) => {
      const accepted = await connection.call(operation, { parameters, body }, options);
      confirm(operation.operationId, requestId, accepted);
      return undefined;
    },
    read: async (options) => {
      const outcome = await readStatus(connection, mode, level, requestId, options);
      return outcome && { outcome };
    },
    unknown: (cause) => new MovementUnknownError(requestId, cause),
  };
}

/** Cancelling takes a body, in which only a requestId is used. */
const withBody = (
  operation: Operation<OperationInput, MovementAccepted>,
): Operation<OperationInput, MovementAccepted> => ({ ...operation, body: jsonBody });

/** What is cancelled: a message of a level, or a relation. */
export type Cancelled = MovementLevel | 'relation';

/** The cancellation of a message or a relation. Once more it changes nothing, so a requestId that was lost on the way does no harm. */
export function makeCancellation(
  connection: Connection,
  mode: ModeName,
  level: Cancelled,
  mrn: string,
): SettledRequest<MovementStatus> {
  const requestId = crypto.randomUUID();
  const operation = withBody(level === 'relation' ? cancelRelation : cancelMovement);
  const { operationId } = operation;
  const read = (id: string, options: RequestOptions) =>
    readStatus(connection, mode, level, id, options);
  return {
    operationId,
    requestId,
    send: async (options) => {
      const parameters = { ...inMode(mode), ...(level !== 'relation' && { level }), mrn };
      const body = { requestId };
      const accepted = await connection.call(operation, { parameters, body }, options);
      const { requestId: made } = accepted;
      // Something on the way may drop the body of a DELETE: then the service has made the requestId.
      if (typeof made === 'string' && made !== requestId) return read(made, options);
      confirm(operationId, requestId, accepted);
      return undefined;
    },
    read: async (options) => {
      const outcome = await read(requestId, options);
      return outcome && { outcome };
    },
    unknown: (cause) => new MovementUnknownError(requestId, cause, `${operationId} again`),
  };
}

/** The status of a request; `undefined` if the service has none of this mode and level. */
export async function readStatus(
  connection: Connection,
  mode: ModeName,
  level: Cancelled,
  requestId: string,
  options: RequestOptions,
): Promise<MovementStatus | undefined> {
  const input = { parameters: { ...inMode(mode), level, requestId } };
  let status: MovementStatus;
  try {
    status = await connection.call(getMovementStatus, input, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
  // That of another request, as from a cache, says nothing of this one.
  const hasMrn = status?.status !== 'SUCCESS' || typeof status.mrn === 'string';
  if (hasMrn && isStatusOf(requestId, status)) return status;
  throw unexpected(getMovementStatus.operationId, `is no status of ${requestId}`);
}
