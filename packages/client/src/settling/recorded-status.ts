// What the status of a request says.
import type { ValidationError, ValidationErrorCode } from '../contract/types.js';

/** What all statuses have. */
type RecordedStatus = {
  requestId: string;
  status: 'SUCCESS' | 'FAILURE';
  validationErrorList?: readonly {
    description: string;
    code: ValidationErrorCode;
    pointer: { messageElementPath: string };
  }[];
};

/** The rules that a refused request breaks, as those of a response with status 400. */
export function errorsOf({ validationErrorList = [] }: RecordedStatus): ValidationError[] {
  return validationErrorList.map(({ description, code, pointer }) => ({
    field: pointer.messageElementPath,
    error: description,
    code,
  }));
}

/** Whether a response is a status of this request. */
export function isStatusOf<Status extends RecordedStatus>(
  requestId: string,
  value: Status | undefined,
): value is Status {
  // UUIDs are equal in any case.
  const isSame = `${value?.requestId}`.toLowerCase() === requestId.toLowerCase();
  return isSame && /^(?:SUCCESS|FAILURE)$/.test(`${value?.status}`);
}
