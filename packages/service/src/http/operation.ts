// Adds an operation of the contract to the server: its route, its access checks and content negotiation.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Check,
  type Checked,
  compileCheck,
  DEFAULT_MAX_BODY_BYTES,
  formatScope,
  isObject,
  MAX_REPORTED_ERRORS,
  type Operation,
  type OperationParameters,
  type OperationQuery,
  type ScopeName,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { toError } from '../native-error.js';
import { AccessEndedError, RECHECK_INTERVAL_MS } from './access-check.js';
import { type Caller, hasScope, InsufficientScopeError } from './caller.js';
import { countRequest, countUpload } from './count-request.js';
import { valuesOf } from './known-values.js';
import { bodyTypeOf, MULTIPART, makeNegotiation } from './media-type.js';
import { modeOfAddress } from './mode-of-address.js';
import { NDJSON } from './ndjson.js';
import type { OpenRequests } from './open-requests.js';
import { HttpError, ValidationFailedError } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import type { ReadTurns } from './read-turns.js';
import type { UnreadBytes } from './unread-bytes.js';
import type { UnreadResults } from './unread-results.js';

/** Returns the caller of a request; synchronously if the token is cached. */
export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

/** The dependencies of every module's routes. */
export type RouteContext = {
  app: FastifyInstance;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  openReads: OpenRequests;
  openUploads: OpenRequests;
  readTurns: ReadTurns;
  /** What readers have not read yet. */
  unread: UnreadBytes;
  unreadResults: UnreadResults;
  /** Why all requests are refused, if they are; what lasts ends then, so that clients go to another server. */
  findRefusal: () => Error | undefined;
  scopePrefix: string;
  /** Address of this server, without a slash at the end. */
  baseUrl: string;
  /** All of its addresses; `baseUrl` is one of them. */
  ownAddresses: { readonly all: readonly string[]; of(headers: IncomingHttpHeaders): string };
  /** The time of what callers do. Limits and timeouts are measured in real time. */
  clock: () => Date;
  /** The time of what is recorded, where it may be moved, as in a playground; elsewhere it is the database's. */
  movedClock?: (() => Date) | undefined;
};

/** A request to an operation, as its handler gets it: what the contract says of it was checked. */
export type OperationCall<Described extends Operation> = {
  params: OperationParameters<Described>;
  query: OperationQuery<Described>;
  /** The body as it was parsed; `undefined` without one. */
  body: unknown;
  caller: Caller;
  /** The media type of the response that `Accept` prefers; empty if the operation responds without content. */
  mediaType: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A request to an operation that requires no token. */
export type PublicCall<Described extends Operation> = Omit<
  OperationCall<Described>,
  'caller' | 'mediaType'
>;

/** Options in which an operation differs from the server's defaults. */
type OperationOptions = {
  /** Counts the request before its body is read. Throws HttpError 429. */
  admit?: (request: FastifyRequest) => void;
  /** Sends errors in another form than problems. */
  errorHandler?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The media type of the response, of an operation that requires a token. */
    responseType: string;
    /** Ends the turn of a read that has one. */
    endTurn: (() => void) | undefined;
  }
}

/** Adds an operation that requires a token with one of its scopes. */
export function addOperation<const Described extends Operation>(
  {
    app,
    authenticate,
    rateLimit,
    openReads,
    openUploads,
    readTurns,
    findRefusal,
    scopePrefix,
  }: RouteContext,
  operation: Described,
  handle: (call: OperationCall<Described>) => Promise<unknown>,
): void {
  const { access, method, cacheControl } = operation;
  if (access === 'public') throw new Error(`${operation.operationId} requires no token`);
  const negotiate = negotiation(operation);
  const checkContentType = contentTypeCheck(operation);
  const readQuery = queryReader(operation);
  const scopesOf = scopesReader(operation);
  const callerOf = callersOf(findRefusal);
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    // First, because refusals are logged and counted with the caller.
    request.caller = caller;
    if (cacheControl !== undefined) reply.header('cache-control', cacheControl);
    // Lines and documents are read in turns, and open uploads have a limit of their own.
    const isUpload = isUploadOf(operation, bodyTypeOf(request));
    if (isUpload) countUpload(rateLimit, caller.organisationId, request);
    else countRequest(rateLimit, caller.organisationId, request);
    const scopes = scopesOf(request);
    if (scopes !== undefined && !hasScope(caller, scopes)) {
      throw new InsufficientScopeError(
        scopes.flatMap((name) =>
          formatScope(name, { prefix: scopePrefix, foreign: caller.scopes.some(isForeign) }),
        ),
      );
    }
    request.responseType = negotiate(request.headers.accept);
    checkContentType(request);
    request.query = readQuery(request);
    if (method === 'GET') openReads.begin(caller.organisationId, reply.raw);
    else if (isUpload) request.openUpload = openUploads.begin(caller.organisationId, reply.raw);
  };
  const handleLate = async (call: OperationCall<Described>) => {
    // For a session this also confirms its rights if that is due.
    await authenticate(call.request);
    if (!(await call.caller.stillAllowed())) throw new AccessEndedError();
    return handle(call);
  };
  app.route({
    ...routeOf(operation),
    ...(method === 'GET' && !mayWait(operation) && takeTurns(readTurns)),
    // Before the body is read: a caller without a token cannot make the server read one.
    onRequest: (request, reply, done) => {
      let caller: Caller | Promise<Caller>;
      try {
        caller = authenticate(request);
        if (!(caller instanceof Promise)) admit(request, reply, caller);
      } catch (error) {
        return done(toError(error));
      }
      // Most callers are cached; their requests do not wait for a promise.
      if (!(caller instanceof Promise)) return done();
      caller.then((found) => admit(request, reply, found)).then(() => done(), done);
    },
    handler: (request, reply) => {
      const { caller, responseType: mediaType } = request;
      if (caller === null) throw new Error('a request was not authenticated');
      const call: OperationCall<Described> = {
        // The casts are true because the path of the route has these parameters, and the query was checked.
        params: request.params as OperationParameters<Described>,
        query: request.query as OperationQuery<Described>,
        body: request.body,
        caller: callerOf(caller, scopesOf(request)),
        mediaType,
        request,
        reply,
      };
      // Most bodies arrive with their headers. Access may have ended while a slow one was received.
      return reply.elapsedTime < RECHECK_INTERVAL_MS ? handle(call) : handleLate(call);
    },
  });
}

/** Adds an operation that requires no token. */
export function addPublicOperation<const Described extends Operation>(
  { app }: Pick<RouteContext, 'app'>,
  operation: Described,
  handle: (call: PublicCall<Described>) => Promise<unknown>,
  { admit, ...options }: OperationOptions = {},
): void {
  const { cacheControl } = operation;
  const readQuery = queryReader(operation);
  app.route({
    ...routeOf(operation),
    ...options,
    onRequest: (request, reply, done) => {
      try {
        admit?.(request);
        request.query = readQuery(request);
      } catch (error) {
        return done(toError(error));
      }
      if (cacheControl !== undefined) reply.header('cache-control', cacheControl);
      done();
    },
    handler: (request, reply) =>
      handle({
        // As for an operation that requires a token.
        params: request.params as OperationParameters<Described>,
        query: request.query as OperationQuery<Described>,
        body: request.body,
        request,
        reply,
      }),
  });
}

/** Whether a body of this type is read while it arrives, however long that takes. */
function isUploadOf({ body }: Operation, mediaType: string | undefined): boolean {
  const isLong = mediaType === NDJSON || mediaType === MULTIPART;
  return isLong && body?.[mediaType] !== undefined;
}

/** What every route has of its operation. */
function routeOf({
  method,
  path,
  maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  parameters,
  scopeOfMode,
}: Operation) {
  return {
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: maxBodyBytes,
    config: { indexesInBrackets: scopeOfMode === true, oneOf: valuesOf(parameters) },
  };
}

/** Makes the function that gives the scopes of which a request needs one; `undefined` if any token is sufficient. */
function scopesReader({
  access,
  scopeOfMode,
}: Operation): (request: FastifyRequest) => readonly ScopeName[] | undefined {
  const scopes = typeof access === 'string' ? undefined : access;
  if (scopeOfMode !== true) return () => scopes;
  // The same list for each request, because callers are kept by it.
  const lists = new Map(scopes?.map((scope) => [scope, [scope]]));
  return ({ params }) => {
    // The cast is true because the address of such an operation has both.
    const { scope } = modeOfAddress(params as { mode: string; version: string });
    return lists.get(scope) ?? [scope];
  };
}

/**
 * Makes the function that gives a caller for whom `stillAllowed` asks for the scopes of the operation. It is made once for
 * each token: copying the members for each request took 3 % of the server's part of a presentation.
 */
function callersOf(
  findRefusal: () => Error | undefined,
): (caller: Caller, scopes: readonly ScopeName[] | undefined) => Caller {
  const ofScopes = new Map<readonly ScopeName[] | undefined, WeakMap<Caller, Caller>>();
  return (caller, scopes) => {
    let known = ofScopes.get(scopes);
    if (known === undefined) {
      known = new WeakMap();
      ofScopes.set(scopes, known);
    }
    const found = known.get(caller);
    if (found !== undefined) return found;
    const stillAllowed = async () => {
      const refusal = findRefusal();
      if (refusal !== undefined) throw refusal;
      return caller.stillAllowed(scopes);
    };
    const made = { ...caller, stillAllowed };
    known.set(caller, made);
    return made;
  };
}

/** The hooks by which the reads of an organisation take turns, each until its response begins to be sent. */
function takeTurns(readTurns: ReadTurns): Pick<RouteShorthandOptions, 'preHandler' | 'onSend'> {
  return {
    preHandler: async (request, { raw }) => {
      if (request.caller === null) return;
      request.endTurn = await readTurns.begin(request.caller.organisationId, raw);
      raw.once('close', request.endTurn);
      if (raw.closed || raw.destroyed) request.endTurn();
    },
    onSend: async (request) => {
      request.endTurn?.();
    },
  };
}

/** Whether a read may wait for entries: what serves it takes a turn for each page. */
function mayWait({ headers }: Operation): boolean {
  return headers?.Prefer !== undefined;
}

/** How much of the name of an unknown parameter is reported, in characters. */
const MAX_PARAMETER_NAME = 100;

function isForeign({ foreign }: { foreign: boolean }): boolean {
  return foreign;
}

/** Makes the function that selects the media type of the response, and refuses a request that accepts none of them. */
function negotiation({
  responses,
  ignoresAccept,
}: Operation): (accept: string | undefined) => string {
  const offered = Object.keys(
    Object.values(responses).find(({ content }) => content !== undefined)?.content ?? {},
  );
  const [first = ''] = offered;
  if (offered.length === 0 || ignoresAccept === true) return () => first;
  const negotiate = makeNegotiation(offered);
  return (accept) => {
    const mediaType = negotiate(accept);
    if (mediaType !== undefined) return mediaType;
    throw new HttpError(406, `Accept must admit one of ${offered.join(', ')}`);
  };
}

/** Makes the check that refuses a body of a media type that the operation does not accept, although another one may. */
function contentTypeCheck({ body = {} }: Operation): (request: FastifyRequest) => void {
  const accepted = Object.keys(body);
  if (accepted.length === 0) return () => undefined;
  return (request) => {
    const mediaType = bodyTypeOf(request);
    if (mediaType === undefined || accepted.includes(mediaType)) return;
    throw new HttpError(415, `Content-Type must be ${accepted.join(' or ')}`);
  };
}

/** Makes the function that checks the query: no unknown parameter, each once, and each by its schema. */
function queryReader({ query }: Operation): (request: FastifyRequest) => unknown {
  const properties = query?.properties ?? {};
  const check = query && compileQueryCheck(query);
  return (request) => {
    const given = isObject(request.query) ? request.query : {};
    const errors: ValidationError[] = [];
    for (const name in given) {
      // One more than are reported: what is wrong with thousands of parameters is not described.
      if (errors.length > MAX_REPORTED_ERRORS) break;
      const field = name.slice(0, MAX_PARAMETER_NAME);
      if (!Object.hasOwn(properties, name)) {
        const error = 'is not a query parameter of this operation';
        errors.push({ field, error, code: 'UNKNOWN_MEMBER' });
      } else if (Array.isArray(given[name])) {
        errors.push({ field, error: 'must be given once', code: 'FORMAT' });
      }
    }
    if (errors.length > 0) throw new ValidationFailedError(errors);
    return check === undefined ? given : check(given);
  };
}

/** Compiles a check of the query; text is converted where the schema requires an integer or a boolean. */
export function compileQueryCheck<Query>(
  schema: NonNullable<Operation['query']>,
): (query: Readonly<Record<string, unknown>>) => Query {
  const check: Check<Query> = compileCheck(schema);
  const namesOf = (type: string) =>
    Object.entries(schema.properties)
      .filter(([, property]) => 'type' in property && property.type === type)
      .map(([name]) => name);
  const integers = namesOf('integer');
  const booleans = namesOf('boolean');
  return (query) => {
    const read: Record<string, unknown> = { ...query };
    for (const name of integers) {
      const text = read[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) read[name] = Number(text);
    }
    for (const name of booleans) {
      if (read[name] === 'true' || read[name] === 'false') read[name] = read[name] === 'true';
    }
    return accept(check(read));
  };
}

/**
 * Compiles a check of the body of an operation that has no rules beyond its schema. Members that the schema does not have
 * are refused: what a person or a system of the authority has spelled wrongly would be left out, such as a block.
 */
export function compileBodyCheck<Body>(
  schema: NonNullable<Operation['body']>[string],
): (body: unknown) => Body {
  const check = compileCheck<Body>(schema, { refuseUnknown: true });
  return (body) => accept(check(body));
}

function accept<Value>(checked: Checked<Value>): Value {
  if (!checked.valid) throw new ValidationFailedError(checked.errors);
  return checked.value;
}

/** Refuses the whole request for one broken rule. */
export function refuse(error: ValidationError): never {
  throw new ValidationFailedError([error]);
}
