// What the service refuses, as lines that a person can act on.
import { CommandFailedError } from './exit.js';
import { printable } from './output.js';

/** The service understood, and said no. */
export class ServiceRefusedError extends CommandFailedError {
  override readonly code = 'SERVICE_REFUSED';
  override name = 'ServiceRefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads an error answer: problem+json, OAuth's own form, or whatever stands in between us and the service. */
export async function refusalOf(response: Response): Promise<ServiceRefusedError> {
  // A response without a problem in JSON is reported by its status alone.
  const body = await response.json().catch(() => undefined);
  const lines = [headline(response, body), ...validationLines(body)];
  return new ServiceRefusedError(response.status, lines.join('\n'));
}

function headline(response: Response, body: unknown): string {
  const status = response.status;
  const again = response.headers.get('retry-after');
  const hint = again === null ? '' : ` (try again in ${printable(again)} s)`;
  const oauthError = textOf(body, 'error');
  if (oauthError !== undefined) {
    return `refused (${status}): ${oauthError}: ${textOf(body, 'error_description') ?? ''}${hint}`;
  }
  const title = textOf(body, 'title') ?? response.statusText;
  // The detail of a validation error repeats the lines that follow it.
  const detail = validationLines(body).length === 0 ? textOf(body, 'detail') : undefined;
  return `refused (${status} ${title})${detail === undefined ? '' : `: ${detail}`}${hint}`;
}

/** Each broken rule as `field: error (CODE)`, and how many more there are; of goods items, which message it is. */
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
