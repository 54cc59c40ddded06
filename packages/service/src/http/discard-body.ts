// Some clients write the whole request before they read. To receive a response such as 401 or 413, they need the server
// to read the rest of the body: up to a limit, after which the connection is closed.
import type { IncomingMessage } from 'node:http';
import { endSocket } from './end-socket.js';

/** How much is read and discarded. */
export type DiscardLimits = {
  maxDiscardedBytes: number;
  /** In milliseconds. */
  maxDiscardMs: number;
};

/** How often a discarded body is compared with the limits, in milliseconds. */
const CHECK_INTERVAL_MS = 50;

/**
 * Reads the rest of a body after the response was sent. At the limits it closes the connection; at the end of the body it
 * does so unless `keepAlive`.
 */
export function discardBody(
  request: IncomingMessage,
  { maxDiscardedBytes, maxDiscardMs }: DiscardLimits,
  keepAlive: boolean,
): void {
  const { socket } = request;
  const start = socket.bytesRead;
  const end = performance.now() + maxDiscardMs;
  request.on('error', () => undefined);
  request.resume();
  const check = setInterval(() => {
    const isExceeded = socket.bytesRead - start > maxDiscardedBytes || performance.now() > end;
    if (!request.complete && !socket.destroyed && !isExceeded) return;
    clearInterval(check);
    if (!request.complete) socket.destroy();
    else if (!keepAlive) endSocket(socket);
  }, CHECK_INTERVAL_MS).unref();
}
