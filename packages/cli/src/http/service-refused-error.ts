// Formats error responses for the user.

import { printable } from '../output/output.js';
import { CommandFailedError } from '../process/exit.js';

/** The service refused the request. */
export class ServiceRefusedError extends CommandFailedError {
  override readonly code = 'SERVICE_REFUSED';
  override name = 'ServiceRefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads an error response: problem+json, an OAuth error, or the error page of a proxy. */
export async function readRefusal(response: Response): Promise<ServiceRefusedError> {
  // A body that is not JSON is ignored; the status remains.
  const body = await response.json().catch(() => undefined);
  const lines = [headline(response, body), ...validationLines(body)];
  return new ServiceRefusedError(response.status, lines.join('\n'));
}

function headline(response: Response, body: unknown): string {
  const status = response.status;
  const retryAfter = response.headers.get('retry-after');
  const hint = retryAfter === null ? '' : ` (try again in ${printable(retryAfter)} s)`;
  const oauthError = textOf(body, 'error');
  if (oauthError !== undefined) {
    return `refused (${status}): ${oauthError}: ${textOf(body, 'error_description') ?? ''}${hint}`;
  }
  const title = textOf(body, 'title') ?? response.statusText;
  // The detail of a validation error repeats the lines below it.
  const detail = validationLines(body).length === 0 ? textOf(body, 'detail') : undefined;
  return `refused (${status} ${title})${detail === undefined ? '' : `: ${detail}`}${hint}`;
}

/** Each validation error as `field: error (CODE)`, with its message for goods items, and how many more there are. */
export function validationLines(body: unknown): string[] {
  const errors = memberOf(body, 'validationErrors');
  if (!Array.isArray(errors)) return [];
  const lines = errors.map(
    (error: unknown) =>
      `  ${whichMessage(error)}${textOf(error, 'field') || 'body'}: ${textOf(error, 'error')} (${textOf(error, 'code')})`,
  );
  const count = memberOf(body, 'errorCount');
  const more = typeof count === 'number' ? count - errors.length : 0;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

function whichMessage(error: unknown): string {
  const index = memberOf(error, 'index');
  if (typeof index !== 'number') return '';
  const eventId = textOf(error, 'eventId');
  return `message ${index}${eventId === undefined ? '' : ` ${eventId}`}: `;
}

function textOf(body: unknown, name: string): string | undefined {
  const member = memberOf(body, name);
  return typeof member === 'string' ? printable(member) : undefined;
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? Reflect.get(body, name)
    : undefined;
}
