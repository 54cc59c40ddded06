// HTTP of the token endpoints: requests are forms, and errors have the form of OAuth (RFC 6749, section 5).
import { isObject, type OAuthError } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countRequest } from '../http/count-request.js';
import { HeaderTooLongError } from '../http/header-limits.js';
import { bodyTypeOf } from '../http/media-type.js';
import { HttpError, makeProblem } from '../http/problem.js';
import { addressKey, type RateLimit } from '../http/rate-limit.js';
import { hasOwnLine } from '../http/request-log.js';
import { OAuthRefusalError } from './oauth-refusal.js';

const FORM = 'application/x-www-form-urlencoded';

/**
 * The form of a request.
 *
 * @throws HttpError if the body is not a form
 */
export function readForm(request: FastifyRequest): Readonly<Record<string, unknown>> {
  if (bodyTypeOf(request) !== FORM) throw new HttpError(415, `The body must be ${FORM}`);
  return isObject(request.body) ? request.body : {};
}

/** Forbids caching a response with a token or its refusal (RFC 6749, section 5.1). */
export function forbidCaching(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache');
}

/** Counts a token request of an address, before it is read. Throws HttpError 429. */
export function admitAddress(request: FastifyRequest, addresses: RateLimit): void {
  countRequest(addresses, addressKey(request.ip), request);
}

/**
 * Makes the error handler of a token endpoint. Internal errors are left to the server.
 *
 * @param refuse makes the error for a request that is refused before its form is read
 * @param quoteRequestId whether every description ends with the id of the request
 */
export function sendOAuthErrors(
  refuse: (detail: string) => OAuthRefusalError,
  { quoteRequestId = false }: { quoteRequestId?: boolean } = {},
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const limited = error instanceof HttpError && error.status === 429 ? error : undefined;
    const refusal = refusalOf(error, refuse);
    const body: OAuthError = {
      error: refusal.error,
      error_description:
        quoteRequestId || limited !== undefined
          ? `${refusal.message} (correlation id: ${request.id})`
          : refusal.message,
    };
    const unauthorized = refusal.error === 'invalid_client';
    const status = limited?.status ?? (unauthorized ? 401 : 400);
    if (hasOwnLine(request, status)) {
      const { code, error: kind } = refusal;
      request.log.warn({ id: request.id, code, error: kind }, body.error_description);
    }
    // RFC 9110, section 15.5.2, requires a challenge, and generic clients read the error from it, not from the body.
    if (unauthorized) reply.header('WWW-Authenticate', challengeOf(body));
    return forbidCaching(reply)
      .headers(limited?.headers ?? {})
      .code(status)
      .send(body);
  };
}

function refusalOf(
  error: unknown,
  refuse: (detail: string) => OAuthRefusalError,
): OAuthRefusalError {
  if (error instanceof OAuthRefusalError) return error;
  if (error instanceof HttpError && error.status === 429) {
    return new OAuthRefusalError('temporarily_unavailable', error.message);
  }
  return refuse(detailOf(error));
}

/** A description contains neither quotation marks nor backslashes, so it needs no escapes. */
function challengeOf({ error, error_description: description }: OAuthError): string {
  return `Bearer error="${error}", error_description="${description}"`;
}

/** The title of an HTTP error. Its other members may quote the request. */
function detailOf(error: unknown): string {
  // Names only headers and limits of ours.
  if (error instanceof HeaderTooLongError) return error.message;
  const { problem } = makeProblem(error, '');
  if (problem.status >= 500) throw error;
  return `${problem.title}: a small body of the type ${FORM} is expected`;
}
