// Errors as answers: the one table that gives each error of ours its status, and the problem+json around it.
import {
  type Problem,
  type ProblemStatus,
  problems,
  type ValidationError,
} from '@landfall/contract';

/** What a problem says beyond what every problem says. */
type ProblemExtension = Pick<Problem, 'errorCount' | 'published'>;

/** The request breaks rules of the contract: all of them, each with its field. */
export class ValidationFailedError extends Error {
  readonly code = 'VALIDATION_FAILED';
  override name = 'ValidationFailedError';
  readonly errors: readonly ValidationError[];
  readonly extension: ProblemExtension;

  /** `detail` is for people; without it, it is the one error in words, or how many there are. */
  constructor(
    errors: readonly ValidationError[],
    detail: string = inWords(errors),
    extension: ProblemExtension = {},
  ) {
    super(detail);
    this.errors = errors;
    this.extension = extension;
  }
}

function inWords(errors: readonly ValidationError[]): string {
  const [first] = errors;
  if (first === undefined || errors.length > 1) {
    return `${errors.length} rules are broken: see validationErrors`;
  }
  return first.field === '' ? first.error : `${first.field}: ${first.error}`;
}

/** An error that needs no more than a status and a sentence: what HTTP itself asks for. */
export class HttpError extends Error {
  readonly code = 'HTTP';
  override name = 'HttpError';
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly extension: ProblemExtension;

  constructor(
    status: ProblemStatus,
    detail: string,
    headers: Record<string, string> = {},
    extension: ProblemExtension = {},
  ) {
    super(detail);
    this.status = status;
    this.headers = headers;
    this.extension = extension;
  }
}

/** The status of each error by its code: ours, then those of Fastify that a request can cause. */
const statusOfCode: Record<string, ProblemStatus> = {
  VALIDATION_FAILED: 400,
  INVALID_TOKEN: 401,
  INSUFFICIENT_SCOPE: 403,
  UNKNOWN_MARKER: 400,
  PROFILE_NOT_FOUND: 404,
  MARKER_EXPIRED: 400,
  DATABASE_UNAVAILABLE: 503,
  OVERLOADED: 503,
  IDENTITY_PROVIDER_UNAVAILABLE: 503,
  FST_ERR_CTP_EMPTY_JSON_BODY: 400,
  FST_ERR_CTP_INVALID_JSON_BODY: 400,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 400,
  FST_ERR_BAD_URL: 400,
  FST_ERR_ASYNC_CONSTRAINT: 400,
  FST_ERR_MAX_PARAM_LENGTH: 404,
  FST_ERR_CTP_BODY_TOO_LARGE: 413,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 415,
};

/** How long a client should wait before it tries again after a 503, in seconds. */
const RETRY_AFTER = '1';

/** What an error is answered with. */
export type ProblemAnswer = { problem: Problem; headers: Record<string, string> };

/**
 * The answer to an error. What is not in the table is a fault of our own: it is answered without a word of what
 * it was, which stands in the log under the same id.
 *
 * @param instance the request's own id
 */
export function makeProblem(error: unknown, instance: string): ProblemAnswer {
  const status = statusOf(error);
  const problem: Problem = {
    type: 'about:blank',
    title: problems[status].title,
    status,
    detail: status === 500 ? 'The fault is ours; it is in the log under this id.' : detailOf(error),
    instance: `urn:uuid:${instance}`,
    ...extensionOf(error),
  };
  const validationErrors = validationErrorsOf(error);
  if (validationErrors !== undefined) problem.validationErrors = validationErrors;
  return { problem, headers: headersOf(error, status) };
}

function statusOf(error: unknown): ProblemStatus {
  if (error instanceof HttpError) return error.status;
  const code = codeOf(error);
  const known = code === undefined ? undefined : statusOfCode[code];
  if (known !== undefined) return known;
  return error instanceof SyntaxError && 'statusCode' in error ? 400 : 500;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The request could not be answered.';
}

function validationErrorsOf(error: unknown): ValidationError[] | undefined {
  if (error instanceof ValidationFailedError) return [...error.errors];
  const code = codeOf(error);
  if (code === 'UNKNOWN_MARKER' || code === 'MARKER_EXPIRED') {
    return [{ field: 'marker', error: detailOf(error), code }];
  }
  return undefined;
}

function extensionOf(error: unknown): ProblemExtension {
  return error instanceof ValidationFailedError || error instanceof HttpError
    ? error.extension
    : {};
}

function headersOf(error: unknown, status: ProblemStatus): Record<string, string> {
  if (error instanceof HttpError) return { ...error.headers };
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    case 403:
      return {
        'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopesOf(error)}"`,
      };
    case 503:
      return { 'Retry-After': RETRY_AFTER };
    default:
      return {};
  }
}

function scopesOf(error: unknown): string {
  return error instanceof Error && 'scopes' in error && Array.isArray(error.scopes)
    ? error.scopes.join(' ')
    : '';
}
