// Reads the outcome of a presentation from the validation status of its requestId.
import type { Connection } from '../connection/connection.js';
import { unexpected } from '../connection/result-form.js';
import type { ValidationError, ValidationStatus } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError } from '../errors/connection-error.js';
import { LandfallError } from '../errors/landfall-error.js';
import { getValidationStatus } from '../operations/operations.js';
import type { PresentOperation, PresentOptions } from './presentation.js';

/** The error that refuses the presentation, or that there is none. */
export type Settled = { refusal: ApiError | undefined };

export const ACCEPTED: Settled = { refusal: undefined };

/** The outcome that is recorded for the requestId, if there is one. */
export async function readOutcome(
  connection: Connection,
  operation: PresentOperation,
  requestId: string,
  options: PresentOptions,
): Promise<Settled | undefined> {
  const status = await readStatus(connection, requestId, options);
  if (status?.status !== 'FAILURE') return status && ACCEPTED;
  const errors = (status.validationErrorList ?? []).map(({ description, code, pointer }) => ({
    field: pointer.messageElementPath,
    error: description,
    code,
  }));
  return { refusal: refuse(operation, errors) };
}

/**
 * Refuses a requestId that was used before. Asked before it is sent, because afterwards only clocks, which may be wrong,
 * would tell an earlier status from that of the call.
 *
 * @throws ApiError with `REQUEST_ID_REUSED`
 * @throws ConnectionError when the service cannot say it, and what a call throws: nothing was sent to present
 */
export async function refuseUsed(
  connection: Connection,
  operation: PresentOperation,
  requestId: string,
  options: PresentOptions,
): Promise<void> {
  const reading = readStatus(connection, requestId, { ...options, onSend: undefined });
  const status = await reading.catch((cause) => {
    if (!(cause instanceof LandfallError && cause.outcomeUnknown)) throw cause;
    const message = `nothing was presented, because it is not known whether the requestId is new: ${cause.message}`;
    throw new ConnectionError(message, { cause });
  });
  if (status === undefined) return;
  const error = 'was used before';
  throw refuse(operation, [{ field: 'requestId', error, code: 'REQUEST_ID_REUSED' }]);
}

function refuse({ operationId }: PresentOperation, validationErrors: ValidationError[]): ApiError {
  return new ApiError({ operationId, status: 400, title: 'Bad Request', validationErrors });
}

async function readStatus(
  connection: Connection,
  requestId: string,
  options: PresentOptions,
): Promise<ValidationStatus | undefined> {
  const input = { parameters: { reference: requestId } };
  try {
    const status = await connection.call(getValidationStatus, input, options);
    // A requestId in the form of an MRN names a list.
    if (Array.isArray(status)) return undefined;
    // That of another request, as from a cache, says nothing of this one.
    if (!isStatusOf(requestId, status)) {
      throw unexpected(getValidationStatus.operationId, `is no status of ${requestId}`);
    }
    return status;
  } catch (error) {
    // 400: the requestId is not a UUID, so the service refuses the presentation too.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      return undefined;
    }
    throw error;
  }
}

function isStatusOf(requestId: string, value: unknown): value is ValidationStatus {
  // The cast is true of a status; what is none has other members.
  const found = value as Partial<ValidationStatus> | null;
  // UUIDs are equal in any case.
  const isSame = `${found?.requestId}`.toLowerCase() === requestId.toLowerCase();
  return isSame && /^(?:SUCCESS|FAILURE)$/.test(`${found?.status}`);
}
