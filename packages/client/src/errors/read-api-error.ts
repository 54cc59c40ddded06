// Reads the error response of an operation.
import type { PublishedMessages } from '../contract/types.js';
import { ApiError } from './api-error.js';

/** Reads problem+json, an OAuth error, or the error page of a proxy, of which only the status is used. */
export function readApiError(operationId: string, response: Response, text: string): ApiError {
  const body = parseRecord(text);
  const { validationErrors, errorCount, published } = body;
  return new ApiError({
    operationId,
    status: response.status,
    title: textOf(body.title) ?? textOf(body.error) ?? (response.statusText || 'no title'),
    detail: textOf(body.detail) ?? textOf(body.error_description),
    requestId: textOf(body.instance)?.replace('urn:uuid:', ''),
    // What is before the service may send anything.
    validationErrors: Array.isArray(validationErrors)
      ? validationErrors.filter((rule) => textOf(rule?.code))
      : [],
    errorCount: typeof errorCount === 'number' ? errorCount : undefined,
    // The cast is true because the contract defines this member of a problem.
    published: (published ?? undefined) as PublishedMessages | undefined,
    retryAfterMs: readRetryAfter(response),
  });
}

/** The pause that `Retry-After` requests, in milliseconds: it has seconds or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  // By the clock of who requests it: that of this machine may be wrong.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The members of a JSON object; none of anything else. */
export function parseRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The value, if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
