// Ends connections when the server closes, so that closing takes no longer than what is being answered.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How often connections that have become idle are ended while the server closes, in milliseconds. */
const SWEEP_EVERY = 50;

/** How long answers that are under way may take when the server closes, in milliseconds. */
const LONGEST_GOODBYE = 10_000;

/**
 * Closing waits for what is being answered. A connection whose answer ends after that has begun would be kept for
 * the next request, which will not come: it is ended then, and every other one after a while.
 */
export function endConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      // One that was opened ahead of need and never used does not count as idle to Node.js.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_EVERY);
    const end = setTimeout(() => app.server.closeAllConnections(), LONGEST_GOODBYE);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}
