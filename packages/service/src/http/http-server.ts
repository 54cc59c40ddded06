// The sockets below Fastify: one request at a time for each connection, how many connections, and how long they live.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type DiscardLimits, discardBody } from './discard-body.js';

/** Bounds of connections. */
export type ConnectionLimits = DiscardLimits & {
  /** Connections in all; one more is closed at once. */
  maxConnections: number;
  /** After this age a connection ends with its next response, in milliseconds. */
  maxConnectionAgeMs: number;
  /** How long a client may take nothing of a response, in milliseconds. */
  stalledAfterMs: number;
};

export const defaultConnectionLimits: ConnectionLimits = {
  maxConnections: 10_000,
  maxConnectionAgeMs: 3_600_000,
  stalledAfterMs: 60_000,
  maxDiscardedBytes: 16 * 1024 * 1024,
  maxDiscardMs: 30_000,
};

/** Requests that may wait on a connection behind the one under way; a connection with more is closed. */
const MAX_PIPELINED = 32;

/** How long a connection without a request is kept, in milliseconds: longer than load balancers keep theirs. */
const KEEP_ALIVE_MS = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What waits on each connection that has a request under way. */
type Pipelines = WeakMap<Socket, (() => void)[]>;

/** Makes the server. `onDropped` is called for each connection that is closed because there are too many. */
export function makeHttpServer(
  handler: Handler,
  limits: ConnectionLimits,
  onDropped: () => void,
): Server {
  const pipelines: Pipelines = new WeakMap();
  const server = createServer(handleInTurn(handler, pipelines, limits));
  // Heads have their time limit from Node.js, bodies from limit-body-time.ts.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = limits.maxConnections;
  server.on('drop', onDropped);
  // Node.js calls back only when nothing was read and no byte of what is written was taken for so long.
  server.setTimeout(limits.stalledAfterMs, (socket) => {
    const isStalled = socket.writableLength > 0;
    if (isStalled || !pipelines.has(socket)) socket.destroy();
    else socket.setTimeout(limits.stalledAfterMs);
  });
  return server;
}

/**
 * Handles the requests of one connection one after the other, each when the response before it was taken by the
 * system: what a client does not read costs one response, however many requests it sends ahead.
 */
function handleInTurn(handler: Handler, pipelines: Pipelines, limits: DiscardLimits): Handler {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.once('close', () => {
      if (!request.complete && !socket.destroyed) discardBody(request, limits);
      const next = socket.destroyed ? undefined : pipelines.get(socket)?.shift();
      if (next === undefined) pipelines.delete(socket);
      else next();
    });
    handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const waiting = pipelines.get(socket);
    if (waiting === undefined) {
      pipelines.set(socket, []);
      handle(request, response);
    } else if (waiting.length < MAX_PIPELINED) {
      waiting.push(() => handle(request, response));
    } else {
      socket.destroy();
    }
  };
}
