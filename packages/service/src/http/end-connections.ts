// When connections end: after their maximum age, and when the server closes.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './problem.js';

/** How often idle connections are closed while the server closes, in milliseconds. */
const SWEEP_INTERVAL_MS = 50;

/** How long responses under way may take when the server closes, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** Closes connections older than `maxAgeMs` with their next response, so that clients spread over new servers. */
export function endOldConnections(app: FastifyInstance, maxAgeMs: number): void {
  const openedAt = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // The first request arrives with the connection or soon after it.
    if (!openedAt.has(socket)) openedAt.set(socket, performance.now());
    done();
  });
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const isOld =
      performance.now() - (openedAt.get(raw.socket) ?? Number.POSITIVE_INFINITY) > maxAgeMs;
    if (!raw.complete) {
      // Fastify would close the connection, and so would Node.js for a client that wants it closed. That would lose the
      // response: discard-body.ts closes it when the body was read.
      reply.removeHeader('connection');
      reply.raw.shouldKeepAlive = true;
    } else if (isOld) {
      reply.header('connection', 'close');
    }
    done();
  });
}

/** Refuses new requests on open connections while the server closes; requests under way are completed. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (closing) done(new HttpError(503, 'The server is stopping', { 'Retry-After': '1' }));
    else done();
  });
}

/**
 * Closes connections while the server closes: each one when its response under way is complete, and all of them after
 * a timeout. Node.js would keep a connection whose response has just ended open for a next request.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    // A server that never listened has no connections and emits no 'close'.
    if (!app.server.listening) return;
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      // Node.js does not count a connection that was never used as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_INTERVAL_MS);
    const end = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(end);
    });
  });
}
