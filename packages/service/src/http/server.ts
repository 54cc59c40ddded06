// The HTTP server without any module: body parsing, errors as problems, refusals by HTTP's own rules.
import {
  METHODS as ALL_METHODS,
  type IncomingMessage,
  maxHeaderSize,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import formbody from '@fastify/formbody';
import { DEFAULT_MAX_BODY_BYTES, operations } from '@landfall/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { FailedRequests } from '../metrics/failed-requests.js';
import { codeOf, toError } from '../native-error.js';
import { newId } from '../new-id.js';
import { CountedBody } from './count-request.js';
import { CrossOrigins } from './cross-origin.js';
import { DEFAULT_HEADERS } from './default-headers.js';
import { endConnectionsOnClose, endOldConnections, refuseWhileClosing } from './end-connections.js';
import { endSocket } from './end-socket.js';
import { type HeaderLimits, headerLimits, makeHeaderCheck } from './header-limits.js';
import {
  CONNECT_REFUSED,
  type ConnectionLimits,
  defaultConnectionLimits,
  makeHttpServer,
} from './http-server.js';
import { hasKnownValues } from './known-values.js';
import { limitBodyTime } from './limit-body-time.js';
import type { DroppedConnections } from './limit-connections.js';
import { limitUnread } from './limit-unread.js';
import { type ObservedRequests, observeRequests } from './observe-requests.js';
import { OtherMethods } from './other-methods.js';
import { HttpError, makeProblem } from './problem.js';
import { addressKey } from './rate-limit.js';
import { checkCoding, hasBody, readJsonStrictly } from './read-body.js';
import { RefusalLines } from './refusal-lines.js';
import { logAborted, logError, UNREADABLE_REQUEST, type UnreadableRequest } from './request-log.js';
import { toTrustProxy } from './trusted-proxies.js';
import type { UnreadBytes } from './unread-bytes.js';

/** Every method that Node.js reads, but CONNECT, which is no request to an address: 405 where an address has others. */
const METHODS = ALL_METHODS.filter((method) => method !== 'CONNECT');

/** The server. */
export type Server = {
  app: FastifyInstance;
  observed: ObservedRequests;
  /** Connections that were closed because there were too many. */
  droppedConnections: Readonly<DroppedConnections>;
};

/** The options of a server; what is left out has a default. */
export type ServerOptions = {
  /** One of pino's: `silent`, `error`, `warn`, `info`, `debug`. */
  logLevel?: string;
  /** Receives the lines of the log; default: standard output. */
  logTo?: { write(line: string): void };
  /** The log of another server, instead of one of its own. */
  log?: FastifyBaseLogger;
  /** Whose X-Forwarded-For is trusted, as the configuration has it; default: nobody's. */
  trustedProxies?: string;
  /** Whose pages may call the API, as the configuration has it; default: none of another origin. */
  corsOrigins?: string;
  connectionLimits?: Partial<ConnectionLimits>;
  /** Headers that are read beside those of the service. */
  furtherHeaders?: HeaderLimits | undefined;
  /** Whether each request is logged; default: off. */
  accessLog?: 'off' | 'on';
  /** Counts what clients have not read of whole responses; default: they are not limited. */
  unread?: UnreadBytes;
  /** Why all requests are refused but those of operators, if they are; default: they are not. */
  findRefusal?: () => Error | undefined;
  /** The address that the router sees for the address of a request; default: the same. */
  rewriteUrl?: (url: string) => string;
  /** Handles a request instead of this server, within its limits of connections; returns whether it does. Default: none. */
  takeRequest?: TakeRequest | undefined;
};

/** See `ServerOptions.takeRequest`. */
export type TakeRequest = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What operators need to see why a server refuses requests. */
const forOperators = new Set<string | undefined>(
  [operations.getLiveness, operations.getReadiness, operations.getMetrics].map(({ path }) => path),
);

/** Makes the server. */
export async function makeServer({
  logLevel = 'warn',
  logTo,
  log,
  trustedProxies = '',
  corsOrigins = '',
  connectionLimits,
  furtherHeaders,
  accessLog = 'off',
  unread,
  findRefusal = () => undefined,
  rewriteUrl = (url) => url,
  takeRequest = () => false,
}: ServerOptions): Promise<Server> {
  const limits = { ...defaultConnectionLimits, ...connectionLimits };
  const droppedConnections: DroppedConnections = { inAll: 0, byAddress: 0 };
  const app = Fastify({
    serverFactory: (handler) =>
      makeHttpServer(
        (request, response) => {
          if (!takeRequest(request, response)) handler(request, response);
        },
        limits,
        trustedProxies,
        droppedConnections,
      ),
    bodyLimit: DEFAULT_MAX_BODY_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newId,
    // Log lines name the request's id, so a logger for each request is not needed.
    childLoggerFactory: (logger) => logger,
    ...(log === undefined
      ? { logger: { level: logLevel, ...(logTo === undefined ? {} : { stream: logTo }) } }
      : { loggerInstance: log }),
    trustProxy: toTrustProxy(trustedProxies),
    frameworkErrors: sendProblem,
    clientErrorHandler: refuseUnreadable,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '' }) => rewriteUrl(url),
  });
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  const refusalLines = new RefusalLines(app.log);
  app.decorate('refusalLines', refusalLines);
  app.decorate('failedRequests', new FailedRequests());
  app.addHook('onClose', async () => refusalLines.flush());
  app.decorateRequest('caller', null);
  app.decorateRequest('responseType', '');
  app.decorateRequest('endTurn', undefined);
  app.decorateRequest('countChunk', undefined);
  app.decorateRequest('openUpload', undefined);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler(async (request) => {
    throw notFound(request);
  });
  await app.register(formbody, {
    bodyLimit: DEFAULT_MAX_BODY_BYTES,
    // More than any form has. Whoever has no token yet may make the server read thousands.
    parser: (text) => parse(text, '&', '=', { maxKeys: 100 }),
  });
  readJsonStrictly(app);
  const { observed, observeNowhere } = observeRequests(app, accessLog === 'on');
  const allHeaderLimits = { ...headerLimits, ...furtherHeaders };
  app.decorate('headerLimits', allHeaderLimits);
  const checkHeaders = makeHeaderCheck(allHeaderLimits);
  const checkOpen = refuseWhileClosing(app);
  const watchBody = limitBodyTime();
  const setConnection = endOldConnections(app.server, limits.maxConnectionAgeMs, findRefusal);
  const otherMethods = new OtherMethods(app);
  const origins = new CrossOrigins(corsOrigins);
  // What every request passes through is in these three hooks, in this order.
  app.addHook('onRequest', (request, reply, done) => {
    const { is404 } = request;
    // What only looks like an address with parameters is an address of its own, or none.
    const isUnknown = is404 || !hasKnownValues(request.routeOptions.config.oneOf, request.params);
    reply.headers(DEFAULT_HEADERS);
    // The address as the browser has it: paths of the console may be served as those of the API.
    const crossOrigin = origins.headersFor(request.originalUrl, request.headers);
    if (crossOrigin !== undefined) reply.headers(crossOrigin);
    if (is404) observeNowhere(request, reply);
    const error = checkHeaders(request.raw) ?? checkHost(request.raw) ?? checkOpen();
    const preflight = is404 ? origins.preflight(request.method, crossOrigin) : undefined;
    if (error === undefined && preflight !== undefined && otherMethods.refuse(request)) {
      reply.code(204).headers(preflight).send();
      return;
    }
    // Before the body is read: bodies for unknown addresses are not read.
    done(
      error ??
        (isUnknown ? (otherMethods.refuse(request) ?? notFound(request)) : undefined) ??
        (forOperators.has(request.routeOptions.url) ? undefined : findRefusal()),
    );
  });
  app.addHook('preParsing', ({ raw, countChunk }, _reply, payload, done) => {
    if (!hasBody(raw.headers)) return done(null, payload);
    watchBody(raw);
    const counted = countChunk === undefined ? payload : new CountedBody(raw, countChunk);
    done(checkCoding(raw.headers), counted);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    setConnection(request, reply);
    // Fastify would read it to its end, which that of events never reaches.
    if (request.method === 'HEAD' && payload instanceof Readable) {
      payload.destroy();
      return done(null, Readable.from([]));
    }
    let sent = payload;
    try {
      if (unread !== undefined) sent = limitUnread(unread, request, reply, payload);
    } catch (error) {
      return done(toError(error));
    }
    done(null, sent);
  });
  endConnectionsOnClose(app);
  return {
    app,
    observed,
    droppedConnections,
  };
}

/** Whether there is an error only because the client has closed its connection: that is no failure of the service. */
function hasLeft(error: unknown, { raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (raw.destroyed && !raw.complete) return true;
  // A response that began after the client had sent everything and left: its stream is closed before its end.
  return reply.raw.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
}

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const aborted = hasLeft(error, request, reply);
  if (aborted) logAborted(request);
  else logError(request, error);
  const { problem, headers } = makeProblem(
    aborted ? new HttpError(400, 'The request was aborted') : error,
    request.id,
  );
  return (
    reply
      .code(problem.status)
      // Also of a request that no hook has seen, because its address is not readable.
      .headers(DEFAULT_HEADERS)
      .headers(headers)
      .header('content-type', 'application/problem+json')
      .send(Buffer.from(JSON.stringify(problem)))
  );
}

/** Refuses unreadable HTTP, and `CONNECT`. There is no request to respond to, only a socket. */
function refuseUnreadable(this: FastifyInstance, error: Error, socket: Socket): void {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const id = newId();
  const { problem, headers: ofProblem } = makeProblem(toRefusal(code), id);
  const refusal: UnreadableRequest = { id, status: problem.status, code };
  const body = JSON.stringify(problem);
  const headers = Object.entries({
    ...DEFAULT_HEADERS,
    ...ofProblem,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  endSocket(
    socket,
    `HTTP/1.1 ${problem.status} ${problem.title}\r\n${headers.join('')}\r\n${body}`,
  );
  const refused = { status: problem.status, organisation: undefined };
  const address = addressKey(socket.remoteAddress ?? '');
  if (this.refusalLines.admit({ ...refused, address })) {
    this.log.info({ ...refusal, method: 'none', route: 'none' }, 'refused');
  }
  this.server.emit(UNREADABLE_REQUEST, refusal);
}

function toRefusal(code: unknown): HttpError {
  switch (code) {
    case CONNECT_REFUSED:
      // There is nothing that could be connected to, so no method is allowed.
      return new HttpError(405, 'This server is not a proxy', { Allow: '' });
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(
        400,
        `The address and the headers of a request must have at most ${maxHeaderSize / 1024} KiB together`,
      );
    default:
      return new HttpError(400, 'The request is not readable HTTP');
  }
}

/** RFC 9112, section 3.2. */
function checkHost({ httpVersion, headers }: IncomingMessage): HttpError | undefined {
  return httpVersion === '1.1' && headers.host === undefined
    ? new HttpError(400, 'A request of HTTP/1.1 must have the header Host')
    : undefined;
}

function notFound(request: FastifyRequest): HttpError {
  return new HttpError(404, `There is nothing at ${request.method} ${pathOf(request)}`);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
