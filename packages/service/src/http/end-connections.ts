// When connections end: after their maximum age, and when the server closes.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './problem.js';
import { hasBody } from './read-body.js';

/** How often idle connections are closed while the server closes, in milliseconds. */
const SWEEP_INTERVAL_MS = 50;

/** How long responses under way may take when the server closes, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Makes the function that says before each response whether its connection stays open: connections older than
 * `maxAgeMs` are closed with it, so that clients spread over new servers; all of them while requests are refused.
 */
export function endOldConnections(
  server: Server,
  maxAgeMs: number,
  findRefusal: () => Error | undefined,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const endsAt = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    endsAt.set(socket, performance.now() + maxAgeMs);
  });
  return ({ raw }, reply) => {
    if (!raw.complete && hasBody(raw.headers)) {
      // Fastify would close the connection, and so would Node.js for a client that wants it closed. That would lose the
      // response: discard-body.ts closes it when the body was read.
      reply.removeHeader('connection');
      reply.raw.shouldKeepAlive = true;
    } else if (
      performance.now() > (endsAt.get(raw.socket) ?? Number.POSITIVE_INFINITY) ||
      findRefusal() !== undefined
    ) {
      reply.header('connection', 'close');
    }
  };
}

/** Makes the check that refuses new requests on open connections while the server closes; others are completed. */
export function refuseWhileClosing(app: FastifyInstance): () => HttpError | undefined {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  return () =>
    closing ? new HttpError(503, 'The server is stopping', { 'Retry-After': '1' }) : undefined;
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
