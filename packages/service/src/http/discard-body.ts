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

/**
 * What each chunk counts as at least, in bytes: receiving one takes time, however short it is. Sixteen million bytes that
 * arrive one by one would keep a server busy for a minute.
 */
const BYTES_OF_A_CHUNK = 4096;

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
  let discarded = 0;
  request.on('error', () => undefined);
  request.on('data', ({ length }: Buffer) => {
    discarded += Math.max(length, BYTES_OF_A_CHUNK);
    if (discarded > maxDiscardedBytes) socket.destroy();
  });
  // Whoever stopped reading it may have paused it.
  request.resume();
  const check = setInterval(() => {
    const isExceeded = socket.bytesRead - start > maxDiscardedBytes || performance.now() > end;
    if (!request.complete && !socket.destroyed && !isExceeded) return;
    clearInterval(check);
    if (!request.complete) socket.destroy();
    else if (!keepAlive) endSocket(socket);
  }, CHECK_INTERVAL_MS).unref();
}
