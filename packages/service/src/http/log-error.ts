// How an error of a request is logged: one line with the request's id, and a stack only where the fault is ours.
import type { FastifyRequest } from 'fastify';
import { problemStatus } from './problem.js';

/** Refusals that tell of somebody who tries what is not allowed, or too often. */
const NOTABLE_REFUSALS = [401, 403, 429];

/**
 * Logs what a request was refused or failed with. The address is not logged, nor what other refusals quote of it and
 * of the body: both may hold secrets.
 */
export function logError(request: FastifyRequest, error: unknown): void {
  const { id, method } = request;
  const status = problemStatus(error);
  const route = request.routeOptions.url;
  const organisation = request.caller?.organisation;
  const line = { id, method, route, status, organisation };
  if (status === 500) request.log.error({ ...line, err: error }, 'unexpected error');
  else if (status === 503) {
    request.log.warn({ ...line, code: codeOf(error), reason: reasonOf(error) }, 'unavailable');
  } else if (NOTABLE_REFUSALS.includes(status)) {
    request.log.warn({ ...line, reason: reasonOf(error) }, 'refused');
  } else request.log.info(line, 'refused');
}

/** Logs that the client left before its request was complete. */
export function logAborted(request: FastifyRequest): void {
  const { id, method } = request;
  request.log.info({ id, method, route: request.routeOptions.url }, 'request aborted by client');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** What went wrong, with what caused it, in one line. */
function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  // Causes are followed to a depth that a circle of them cannot exceed.
  for (let cause = error; cause instanceof Error && reasons.length < 5; cause = cause.cause) {
    const reason = cause.message || String(codeOf(cause) ?? cause.name);
    if (!reasons.includes(reason)) reasons.push(reason);
  }
  return reasons.join(': ').slice(0, 1000);
}
