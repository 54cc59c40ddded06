// Browsers open connections ahead of need. One that has never asked anything does not count as idle to Node.js,
// and would keep a server that closes waiting for as long as a request may take to arrive.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Has connections that never asked anything end when the server closes. */
export function closeUnusedConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of sockets) {
      if (socket.bytesRead === 0) socket.destroy();
    }
  });
}
