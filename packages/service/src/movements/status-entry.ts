// The status of a request about a movement message: the text of its entry in the feed.
import {
  MAX_REPORTED_ERRORS,
  type ModeName,
  type MovementOperation,
  type MovementSubject,
  movementSubjectCodes,
  toStatusError,
  type ValidationError,
} from '@landfall/contract';

/** What a request was about, and what became of it. */
export type MovementOutcome = {
  requestId: string;
  mode: ModeName;
  level: MovementSubject;
  operation: MovementOperation;
  /** The authority has done it, and no request of the organisation. */
  byAuthority?: true;
} & (
  | { mrn: string; reasons: readonly string[] }
  /** Every broken rule. */
  | { errors: readonly ValidationError[] }
);

/** The text of the entry. */
export function renderMovementStatus(outcome: MovementOutcome, recordedAt: Date): string {
  const { requestId, mode, level, operation, byAuthority } = outcome;
  const failed = 'errors' in outcome;
  return JSON.stringify({
    requestId,
    status: failed ? 'FAILURE' : 'SUCCESS',
    notificationDate: recordedAt.toISOString(),
    mrn: failed ? undefined : outcome.mrn,
    mode,
    level: movementSubjectCodes[level],
    operation,
    cancelledBy: byAuthority === true ? 'AUTHORITY' : undefined,
    incompleteDocumentationReasonList:
      failed || outcome.reasons.length === 0 ? undefined : outcome.reasons,
    validationErrorList: failed
      ? outcome.errors.slice(0, MAX_REPORTED_ERRORS).map(toStatusError)
      : undefined,
  });
}
