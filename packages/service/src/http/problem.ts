// Errors as problem+json. Only the table in this file gives an error its status.
import {
  MAX_REPORTED_ERRORS,
  type Problem,
  type ProblemStatus,
  problems,
  type ValidationError,
} from '@landfall/contract';
import { codeOf, isError } from '../native-error.js';

/** Members that only some problems have. */
type ProblemExtension = Pick<Problem, 'errorCount' | 'published'>;

/** The request breaks rules of the contract, each with its field; of very many the first are reported. */
export class ValidationFailedError extends Error {
  readonly code = 'VALIDATION_FAILED';
  override name = 'ValidationFailedError';
  readonly errors: readonly ValidationError[];
  readonly extension: ProblemExtension;

  /** `detail` is for people; by default, the single error in words, or the number of errors. */
  constructor(
    errors: readonly ValidationError[],
    detail: string = inWords(errors),
    extension: ProblemExtension = {},
  ) {
    super(detail);
    this.errors = errors.slice(0, MAX_REPORTED_ERRORS);
    this.extension = extension;
  }
}

function inWords(errors: readonly ValidationError[]): string {
  const [first] = errors;
  if (errors.length > MAX_REPORTED_ERRORS) {
    return `More than ${MAX_REPORTED_ERRORS} rules are broken; the first ${MAX_REPORTED_ERRORS} are reported`;
  }
  if (first === undefined || errors.length > 1) {
    return `${errors.length} rules are broken: see validationErrors`;
  }
  return first.field === '' ? first.error : `${first.field}: ${first.error}`;
}

/** An error that is fully described by a status and a sentence. */
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

/**
 * The status of each error by its code, and a sentence that replaces its message if that may contain internal details,
 * such as addresses. Our errors come first, then those of Fastify that a request can cause.
 */
export const problemOfCode: Readonly<Record<string, { status: ProblemStatus; detail?: string }>> = {
  VALIDATION_FAILED: { status: 400 },
  INVALID_TOKEN: { status: 401 },
  INSUFFICIENT_SCOPE: { status: 403 },
  UNKNOWN_MARKER: { status: 400 },
  PROFILE_NOT_FOUND: { status: 404 },
  RUN_NOT_FOUND: { status: 404 },
  SUBSCRIPTION_NOT_FOUND: { status: 404 },
  RUN_CHANGED: { status: 412 },
  ORGANISATION_CHANGED: { status: 412 },
  ORGANISATION_EXISTS: { status: 412 },
  ORGANISATION_STATE_REQUIRED: { status: 428 },
  VIEW_CHANGED: { status: 412 },
  VIEW_EXISTS: { status: 412 },
  VIEW_STATE_REQUIRED: { status: 428 },
  SEARCH_UNFINISHED: { status: 503 },
  DECLARATION_CHANGED: { status: 412 },
  DOCUMENT_NOT_FOUND: { status: 404 },
  DOCUMENT_REFUSED: { status: 400 },
  NO_TURN: {
    status: 503,
    detail: 'Too many documents are scanned or stored at once. Try again later.',
  },
  SCANNER_UNAVAILABLE: {
    status: 503,
    detail: 'The document was not scanned, so it is not stored. Try again later.',
  },
  MARKER_EXPIRED: { status: 400 },
  DATABASE_UNAVAILABLE: { status: 503, detail: 'The database is unavailable. Try again later.' },
  CHANGED_MEANWHILE: {
    status: 503,
    detail: 'Other requests are changing the same goods. Try again later.',
  },
  UNMET_CONDITION: { status: 503 },
  OVERLOADED: { status: 503, detail: 'The server is overloaded. Try again later.' },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    detail: "The identity provider's keys cannot be read. Try again later.",
  },
  NO_SIGNING_KEY: { status: 503, detail: 'No token can be signed at present. Try again later.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400 },
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: { status: 400 },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    status: 400,
    detail:
      'The body is not valid JSON, or has a member `__proto__` or `constructor.prototype`, which is not accepted.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400 },
  FST_ERR_BAD_URL: { status: 400 },
  FST_ERR_ASYNC_CONSTRAINT: { status: 400 },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404 },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413 },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415 },
};

/** The detail of an error that is not in the table. */
const INTERNAL_ERROR = 'Internal error. Quote this id to the operator.';

/** How long a client should wait after a 503 before it retries, in seconds. */
const RETRY_AFTER = '1';

/** The body and headers of a response to an error. */
export type ProblemResponse = { problem: Problem; headers: Record<string, string> };

/**
 * The response to an error. An error that is not in the table is an internal error: only the log has its details, under
 * the same id.
 *
 * @param instance the request's id
 */
export function makeProblem(error: unknown, instance: string): ProblemResponse {
  const status = problemStatus(error);
  const problem: Problem = {
    type: 'about:blank',
    title: problems[status].title,
    status,
    detail: detailOf(error),
    instance: `urn:uuid:${instance}`,
    ...extensionOf(error),
  };
  const validationErrors = validationErrorsOf(error);
  if (validationErrors !== undefined) problem.validationErrors = validationErrors;
  return { problem, headers: headersOf(error, status) };
}

/** The status of the response to an error. */
export function problemStatus(error: unknown): ProblemStatus {
  if (error instanceof HttpError) return error.status;
  const known = entryOf(error);
  if (known !== undefined) return known.status;
  return error instanceof SyntaxError && 'statusCode' in error ? 400 : 500;
}

function entryOf(error: unknown) {
  const code = codeOf(error);
  return code === undefined ? undefined : problemOfCode[code];
}

function detailOf(error: unknown): string {
  if (!isError(error) || problemStatus(error) === 500) return INTERNAL_ERROR;
  return entryOf(error)?.detail ?? error.message;
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
  return isError(error) && 'scopes' in error && Array.isArray(error.scopes)
    ? error.scopes.join(' ')
    : '';
}
