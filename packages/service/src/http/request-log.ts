// What the log says of refused and failed requests. URLs are never logged: they may contain secrets; the route is logged instead.
import type { FastifyRequest } from 'fastify';
import { codeOf, reasonOf } from '../native-error.js';
import { problemStatus } from './problem.js';
import { addressKey } from './rate-limit.js';
import type { RefusalKey } from './refusal-lines.js';

/** Refusals that may mean that somebody attempts what is not allowed, or attempts it too often. */
const NOTABLE_REFUSALS = [401, 403, 429];

/** The longest reason of a failed request that operators read outside of the log, in characters. */
const MAX_REASON = 300;

/** The event of the HTTP server for input that was refused because it is not readable HTTP. */
export const UNREADABLE_REQUEST = 'landfall:unreadable-request';

/** Input that was refused because it is not readable HTTP. */
export type UnreadableRequest = {
  /** The id that the response has. */
  id: string;
  status: number;
  /** Why the parser refused it, such as `HPE_INVALID_METHOD`. */
  code: unknown;
};

/**
 * Whether a request that is not served has a line of its own in the log. Of many of one caller the rest are counted
 * (`RefusalLines`).
 */
export function hasOwnLine(request: FastifyRequest, status: number): boolean {
  return request.server.refusalLines.admit(keyOf(request, status));
}

function keyOf(request: FastifyRequest, status: number): RefusalKey {
  const organisation = request.caller?.organisation;
  const address = organisation === undefined ? addressKey(request.ip) : undefined;
  return { status, organisation, address };
}

/**
 * Logs the error of a request in one line with the request's id, as far as there are not too many. Only unexpected errors
 * get a stack. Reasons of ordinary refusals are left out, because they quote the URL and the body.
 */
export function logError(request: FastifyRequest, error: unknown): void {
  const { id, method } = request;
  const status = problemStatus(error);
  const route = request.routeOptions.url;
  const organisation = request.caller?.organisation;
  if (status >= 500) {
    const at = new Date().toISOString();
    const reason = reasonOf(error).slice(0, MAX_REASON);
    request.server.failedRequests.add({
      ...{ id, at, method, status, reason },
      ...(route !== undefined && { route }),
      ...(organisation !== undefined && { organisation }),
    });
  }
  const { refusalLines } = request.server;
  if (refusalLines.isReported(error)) {
    refusalLines.leaveOut(keyOf(request, status));
    return;
  }
  if (!hasOwnLine(request, status)) return;
  const line = { id, method, route, status, organisation };
  if (status === 500) request.log.error({ ...line, err: error }, 'unexpected error');
  else if (status === 503) {
    request.log.warn({ ...line, code: codeOf(error), reason: reasonOf(error) }, 'unavailable');
  } else if (NOTABLE_REFUSALS.includes(status)) {
    request.log.warn({ ...line, reason: reasonOf(error) }, 'refused');
  } else request.log.info(line, 'refused');
}

/** Logs that the client closed the connection before its request was complete. */
export function logAborted(request: FastifyRequest): void {
  const { id, method } = request;
  if (!hasOwnLine(request, 400)) return;
  request.log.info({ id, method, route: request.routeOptions.url }, 'request aborted by client');
}

/** Logs that an upload has ended because its client does not read. */
export function logNotRead(request: FastifyRequest): void {
  const { id, method, caller } = request;
  const line = { id, method, route: request.routeOptions.url, organisation: caller?.organisation };
  request.log.info(line, 'upload ended: its results were not read');
}
