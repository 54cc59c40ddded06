// A presentation as a request that is settled by its validation status.
import type { Connection } from '../connection/connection.js';
import type { RequestOptions } from '../connection/options.js';
import { unexpected } from '../connection/result-form.js';
import type { PresentationAccepted, ValidationStatus } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { PresentationUnknownError } from '../errors/outcome-unknown-error.js';
import { getValidationStatus } from '../operations/operations.js';
import { confirm } from '../settling/confirm.js';
import { errorsOf, isStatusOf } from '../settling/recorded-status.js';
import type { SettledRequest } from '../settling/settled-request.js';
import type { Presentation, PresentOperation } from './presentation.js';

/** @param body with the requestId by which it is known */
export function makeRequest(
  connection: Connection,
  operation: PresentOperation,
  body: Presentation & { requestId: string },
): SettledRequest<PresentationAccepted> {
  const { operationId } = operation;
  const { requestId } = body;
  return {
    operationId,
    requestId,
    send: async (options) => {
      confirm(operationId, requestId, await connection.call(operation, { body }, options));
      return { requestId };
    },
    read: async (options) => {
      const status = await readStatus(connection, requestId, options);
      if (status === undefined) return undefined;
      if (status.status === 'SUCCESS') return { outcome: { requestId } };
      const validationErrors = errorsOf(status);
      const refusal = { operationId, status: 400, title: 'Bad Request', validationErrors };
      return { refusal: new ApiError(refusal) };
    },
    unknown: (cause) => new PresentationUnknownError(requestId, cause),
  };
}

async function readStatus(
  connection: Connection,
  requestId: string,
  options: RequestOptions,
): Promise<ValidationStatus | undefined> {
  const input = { parameters: { reference: requestId } };
  try {
    const status = await connection.call(getValidationStatus, input, options);
    // A requestId in the form of an MRN names a list.
    if (Array.isArray(status)) return undefined;
    // That of another request, as from a cache, says nothing of this one.
    if (isStatusOf(requestId, status)) return status;
  } catch (error) {
    // 400: the requestId is not a UUID, so the service refuses the presentation too.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      return undefined;
    }
    throw error;
  }
  throw unexpected(getValidationStatus.operationId, `is no status of ${requestId}`);
}
