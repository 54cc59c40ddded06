// Ends connections when the server closes, so that closing takes no longer than the responses under way.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How often connections that have become idle are ended while the server closes, in milliseconds. */
const SWEEP_INTERVAL_MS = 50;

/** How long responses under way may take when the server closes, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Closing waits for responses under way. A connection whose response ends while the server closes would be kept open
 * for a next request that never comes: it is ended then, and every other one after the timeout.
 */
export function endConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    // A server that never listened has no connections and will not say that it closed.
    if (!app.server.listening) return;
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      // One that was opened ahead of need and never used does not count as idle to Node.js.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_INTERVAL_MS);
    const end = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}
