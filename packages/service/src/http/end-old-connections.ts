// Which responses end their connection: those on a connection that is old, so that clients spread over new servers.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Has connections older than `maxAgeMs` end with their next response. */
export function endOldConnections(app: FastifyInstance, maxAgeMs: number): void {
  const openedAt = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // The first request comes with the connection or soon after it.
    if (!openedAt.has(socket)) openedAt.set(socket, performance.now());
    done();
  });
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const isOld =
      performance.now() - (openedAt.get(raw.socket) ?? Number.POSITIVE_INFINITY) > maxAgeMs;
    // While a body is still coming, closing at once would lose the response: see discard-body.ts. Fastify asks for it.
    if (!raw.complete) reply.removeHeader('connection');
    else if (isOld) reply.header('connection', 'close');
    done();
  });
}
