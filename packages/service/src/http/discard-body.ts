// Some clients write the whole request before they read. To receive a response such as 401 or 413, they need the server
// to read the rest of the body: up to a limit, after which the connection is closed.
import type { IncomingMessage } from 'node:http';

/** How much is read and discarded. */
export type DiscardLimits = {
  maxDiscardedBytes: number;
  /** In milliseconds. */
  maxDiscardMs: number;
};

/** How often a discarded body is compared with the limits, in milliseconds. */
const CHECK_INTERVAL_MS = 50;

/** Reads the rest of a body after the response was sent; closes the connection at the limits. */
export function discardBody(
  request: IncomingMessage,
  { maxDiscardedBytes, maxDiscardMs }: DiscardLimits,
): void {
  const { socket } = request;
  const start = socket.bytesRead;
  const end = performance.now() + maxDiscardMs;
  request.on('error', () => undefined);
  request.resume();
  const check = setInterval(() => {
    const isExceeded = socket.bytesRead - start > maxDiscardedBytes || performance.now() > end;
    if (request.complete || socket.destroyed) clearInterval(check);
    else if (isExceeded) {
      clearInterval(check);
      socket.destroy();
    }
  }, CHECK_INTERVAL_MS).unref();
}
