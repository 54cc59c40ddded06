// A response that is sent before its request was read, such as 401 or 413, reaches a client that sends everything before
// it reads only if the rest is read too: up to a bound, then the connection is closed.
import type { IncomingMessage } from 'node:http';

/** How much is read and thrown away. */
export type DiscardLimits = {
  maxDiscardedBytes: number;
  /** In milliseconds. */
  maxDiscardMs: number;
};

/** How often a body that is thrown away is looked at, in milliseconds. */
const CHECK_INTERVAL_MS = 50;

/** Reads the rest of a body whose response is sent; closes the connection when that is too much or takes too long. */
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
    const isOver = socket.bytesRead - start > maxDiscardedBytes || performance.now() > end;
    if (request.complete || socket.destroyed) clearInterval(check);
    else if (isOver) {
      clearInterval(check);
      socket.destroy();
    }
  }, CHECK_INTERVAL_MS).unref();
}
