// The HTTP server below Fastify: one request at a time for each connection, and limits of connections.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type DiscardLimits, discardBody } from './discard-body.js';
import { destroySoon } from './end-socket.js';
import {
  type ConnectionCounts,
  type DroppedConnections,
  limitConnections,
} from './limit-connections.js';
import { addressKey } from './rate-limit.js';
import { RequestTurns } from './request-turns.js';

/** Limits of connections. */
export type ConnectionLimits = DiscardLimits &
  ConnectionCounts & {
    /** How long the headers of a request may take, in milliseconds. */
    headersTimeoutMs: number;
    /** Age after which a connection is closed with its next response, in milliseconds. */
    maxConnectionAgeMs: number;
    /** How long a client may read nothing of a response, in milliseconds. */
    stalledAfterMs: number;
  };

export const defaultConnectionLimits: ConnectionLimits = {
  maxConnections: 10_000,
  maxAddressConnections: 1000,
  headersTimeoutMs: 60_000,
  maxConnectionAgeMs: 3_600_000,
  stalledAfterMs: 60_000,
  maxDiscardedBytes: 16 * 1024 * 1024,
  maxDiscardMs: 30_000,
};

/** Requests that may wait on a connection behind the current one; a connection with more is closed. */
const MAX_PIPELINED = 32;

/** How long an idle connection is kept, in milliseconds: longer than load balancers keep theirs. */
const KEEP_ALIVE_MS = 72_000;

/** How often Node.js looks for late headers within the time for them. */
const HEADER_CHECKS = 6;

/** The code of the error with which a request to connect to another server is refused. */
export const CONNECT_REFUSED = 'CONNECT_REFUSED';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The requests of one connection: whether one is handled, and those that wait for it. */
type Pipeline = { busy: boolean; waiting: (() => void)[] };

/** Makes the server. `dropped` counts the connections that are closed because there are too many. */
export function makeHttpServer(
  handler: Handler,
  limits: ConnectionLimits,
  trustedProxies: string,
  dropped: DroppedConnections,
): Server {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.headersTimeoutMs / HEADER_CHECKS,
    // It is required as the other rules of headers are: Node.js would respond without a problem.
    requireHostHeader: false,
  });
  const admits = limitConnections(server, limits, trustedProxies, dropped);
  const handle = handleInTurn(handler, pipelines, limits);
  const admitAndHandle: Handler = (request, response) => {
    if (admits(request, response)) handle(request, response);
  };
  server.on('request', admitAndHandle);
  // An expectation that the server does not know is ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', admitAndHandle);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node.js has left the connection to this function.
    socket.on('error', () => socket.destroy());
    // A response to an earlier request is not complete.
    if (pipelines.get(socket)?.busy === true) socket.destroy();
    else {
      const error = Object.assign(new Error('this server is not a proxy'), {
        code: CONNECT_REFUSED,
      });
      server.emit('clientError', error, socket.resume());
    }
  });
  server.on('connection', (socket: Socket) => {
    pipelines.set(socket, { busy: false, waiting: [] });
    // Node.js ends connections as well.
    socket.once('finish', () => destroySoon(socket));
  });
  // Node.js limits the time of headers, limit-body-time.ts that of bodies.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // Node.js calls back when no byte was received or sent for so long.
  server.setTimeout(limits.stalledAfterMs, (socket) => {
    const isStalled = socket.writableLength > 0;
    if (isStalled || pipelines.get(socket)?.busy !== true) socket.destroy();
    else socket.setTimeout(limits.stalledAfterMs);
  });
  return server;
}

/** Each limit listens for the end of a response, and so do Fastify and Node.js: a stream that fails has eleven. */
const MAX_LISTENERS = 20;

/**
 * Handles the requests of one connection one after the other, each after the previous response was sent: a client that
 * does not read costs one response, however many requests it pipelines. Connections take turns by their address.
 */
function handleInTurn(
  handler: Handler,
  pipelines: WeakMap<Socket, Pipeline>,
  limits: DiscardLimits,
): Handler {
  const turns = new RequestTurns();
  const begin = (request: IncomingMessage, response: ServerResponse, pipeline: Pipeline) => {
    pipeline.busy = true;
    const { socket } = request;
    let hasBegun = false;
    let isPaused = false;
    turns.begin(addressKey(socket.remoteAddress ?? ''), () => {
      hasBegun = true;
      if (socket.destroyed) return;
      if (isPaused) socket.resume();
      handle(request, response, pipeline);
    });
    if (hasBegun) return;
    // What follows on this connection is not received before.
    isPaused = true;
    socket.pause();
  };
  const handle = (request: IncomingMessage, response: ServerResponse, pipeline: Pipeline) => {
    const { socket } = request;
    // What the client wants: see end-connections.ts for a response to an incomplete body.
    const keepAlive = response.shouldKeepAlive;
    response.setMaxListeners(MAX_LISTENERS);
    // Of a body that nobody has begun to read, Node.js would discard the rest itself, and nobody could count its chunks.
    if (request.headers['transfer-encoding'] !== undefined) request.read(0);
    response.once('close', () => {
      if (!request.complete && !socket.destroyed) discardBody(request, limits, keepAlive);
      pipeline.busy = false;
      if (!socket.destroyed) pipeline.waiting.shift()?.();
    });
    handler(request, response);
  };
  return (request, response) => {
    const pipeline = pipelines.get(request.socket);
    if (pipeline === undefined) throw new Error('a request came without a connection');
    if (!pipeline.busy) {
      begin(request, response, pipeline);
    } else if (pipeline.waiting.length < MAX_PIPELINED) {
      pipeline.waiting.push(() => begin(request, response, pipeline));
    } else {
      request.socket.destroy();
    }
  };
}
