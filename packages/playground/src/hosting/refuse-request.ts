// Refuses a request for a space before its service has it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpError } from '@landfall/service/assembly';

/** Sends the error as a problem (RFC 9457), unless a response has begun. The body of the request is not read. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers }: HttpError,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    // What is not read yet would be taken for the next request.
    ...(!request.complete && { Connection: 'close' }),
    ...headers,
  });
  response.end(
    JSON.stringify({ type: 'about:blank', title: TITLES[status], status, detail: message }),
  );
}

const TITLES: Record<number, string> = {
  429: 'Too Many Requests',
  503: 'Service Unavailable',
  413: 'Content Too Large',
};
