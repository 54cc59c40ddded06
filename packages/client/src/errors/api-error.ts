// The error of a call that the service refused, read from problem+json (RFC 9457).
import type { PublishedMessages, ValidationError, ValidationErrorCode } from '../contract/types.js';
import { LandfallError } from './landfall-error.js';

/** What an `ApiError` is made from. */
export type ApiErrorMembers = Pick<
  ApiError,
  'operationId' | 'status' | 'title' | 'validationErrors'
> &
  Partial<Pick<ApiError, 'detail' | 'requestId' | 'errorCount' | 'published' | 'retryAfterMs'>>;

/**
 * The service refused the call.
 *
 * @example
 * if (error instanceof ApiError && error.has('REFERENCE_NOT_FOUND')) waitForPreNotification();
 */
export class ApiError extends LandfallError {
  override readonly code = 'API';
  override name = 'ApiError';
  /** The operation, such as `presentHouseConsignment`. */
  readonly operationId: string;
  /** The HTTP status. */
  readonly status: number;
  /** The kind of problem; the same for each problem of the kind. */
  readonly title: string;
  /** What went wrong this time and what to change. */
  readonly detail: string | undefined;
  /** The id of the request in the log of the service: quote it to the operator. */
  readonly requestId: string | undefined;
  /** Every broken rule; empty unless the request was invalid. */
  readonly validationErrors: readonly ValidationError[];
  /** How many rules are broken, if more than are reported. */
  readonly errorCount: number | undefined;
  /** Publishing goods items: how many messages of the upload are stored. */
  readonly published: PublishedMessages | undefined;
  /** How long to wait before the next attempt, if the service says so. */
  readonly retryAfterMs: number | undefined;

  constructor(members: ApiErrorMembers) {
    super(inWords(members), { outcomeUnknown: members.status >= 500 });
    this.operationId = members.operationId;
    this.status = members.status;
    this.title = members.title;
    this.detail = members.detail;
    this.requestId = members.requestId;
    this.validationErrors = members.validationErrors;
    this.errorCount = members.errorCount;
    this.published = members.published;
    this.retryAfterMs = members.retryAfterMs;
  }

  /** Whether one of the broken rules has this code. */
  has(code: ValidationErrorCode): boolean {
    return this.validationErrors.some((error) => error.code === code);
  }
}

function inWords({
  operationId,
  status,
  title,
  detail,
  validationErrors,
}: ApiErrorMembers): string {
  const rules = validationErrors.map(({ field, error, code }) =>
    `${field} ${error} (${code})`.trim(),
  );
  const reason = rules.length > 0 ? rules.join('; ') : detail;
  return `${operationId} was refused (${status} ${title})${reason ? `: ${reason}` : ''}`;
}
