// Reads the outcome of a presentation from the validation status of its requestId.
import type { Connection } from '../connection/connection.js';
import { unexpected } from '../connection/result-form.js';
import type { ValidationStatus } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { getValidationStatus } from '../operations/operations.js';
import type { PresentOperation, PresentOptions } from './presentation.js';

/** How much the clocks of the servers may differ, in milliseconds. */
const CLOCK_TOLERANCE_MS = 10_000;

/** The error that refuses the presentation, or that there is none. */
export type Settled = { refusal: ApiError | undefined };

export const ACCEPTED: Settled = { refusal: undefined };

/** The outcome that is recorded for the requestId, if there is one. */
export async function readOutcome(
  connection: Connection,
  { operationId }: PresentOperation,
  requestId: string,
  options: PresentOptions,
  startedAt: number | undefined,
): Promise<Settled | undefined> {
  const found = await readStatus(connection, requestId, options);
  if (found === undefined) return undefined;
  const { status, ageMs } = found;
  const isEarlier =
    startedAt !== undefined && ageMs > performance.now() - startedAt + CLOCK_TOLERANCE_MS;
  if (status.status === 'SUCCESS' && !isEarlier) return ACCEPTED;
  const reused = {
    field: 'requestId',
    error: 'was used before: its status is older than this call',
    code: 'REQUEST_ID_REUSED',
  } as const;
  const recorded = (status.validationErrorList ?? []).map(({ description, code, pointer }) => ({
    field: pointer.messageElementPath,
    error: description,
    code,
  }));
  return {
    refusal: new ApiError({
      operationId,
      status: 400,
      title: 'Bad Request',
      validationErrors: isEarlier ? [reused] : recorded,
    }),
  };
}

/** The status of a requestId, and how long ago it was recorded by the clock of the service; `NaN` if that is unknown. */
async function readStatus(
  connection: Connection,
  requestId: string,
  options: PresentOptions,
): Promise<{ status: ValidationStatus; ageMs: number } | undefined> {
  try {
    const open = await connection.open(
      getValidationStatus,
      { parameters: { reference: requestId } },
      options,
    );
    const status = await getValidationStatus.result.read(open, getValidationStatus.operationId);
    // A requestId in the form of an MRN names a list.
    if (Array.isArray(status)) return undefined;
    // That of another request, as from a cache, says nothing of this one.
    if (!isStatusOf(requestId, status)) {
      throw unexpected(getValidationStatus.operationId, `is no status of ${requestId}`);
    }
    const now = Date.parse(open.response.headers.get('date') ?? '');
    return { status, ageMs: now - Date.parse(status.notificationDate) };
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
