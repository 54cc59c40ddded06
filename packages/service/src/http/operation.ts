// Adds an operation of the contract to the server: its route, its access checks and content negotiation.
import {
  type Check,
  compileCheck,
  DEFAULT_MAX_BODY_BYTES,
  formatScope,
  MAX_REPORTED_ERRORS,
  type Operation,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessEndedError, RECHECK_INTERVAL_MS } from './access-check.js';
import { type Caller, hasScope, InsufficientScopeError } from './caller.js';
import { preferredMediaType } from './media-type.js';
import type { OpenReads } from './open-reads.js';
import { HttpError, ValidationFailedError } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import type { UnreadBytes } from './unread-bytes.js';
import type { UnreadResults } from './unread-results.js';

/** Returns the caller of a request; synchronously if the token is cached. */
export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

/** The dependencies of every module's routes. */
export type RouteContext = {
  app: FastifyInstance;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  openReads: OpenReads;
  /** What readers have not read yet. */
  unread: UnreadBytes;
  unreadResults: UnreadResults;
  scopePrefix: string;
  /** Address of this server, without a slash at the end. */
  baseUrl: string;
  /** The time of what callers do. Limits and timeouts are measured in real time. */
  clock: () => Date;
};

/** Handles an operation that requires a token. */
export type CallerHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
) => Promise<unknown>;

/** Handles an operation that requires no token. */
export type PublicHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Options in which an operation differs from the server's defaults. */
type OperationOptions = {
  /** Ignores `Accept` instead of refusing with 406. */
  ignoreAccept?: boolean;
  /** Sends errors in another form than problems. */
  errorHandler?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;
};

/** Adds an operation that requires a token with one of its scopes. */
export function addOperation(
  { app, authenticate, rateLimit, openReads, scopePrefix }: RouteContext,
  operation: Operation,
  handler: CallerHandler,
  { ignoreAccept = false, ...options }: OperationOptions = {},
): void {
  const { access } = operation;
  if (access === 'public') throw new Error(`${operation.operationId} requires no token`);
  const checkAccept = ignoreAccept ? () => undefined : acceptChecker(operation);
  const checkContentType = contentTypeChecker(operation);
  const checkParameters = queryParameterChecker(operation);
  const admit = (request: FastifyRequest, { raw }: FastifyReply, caller: Caller) => {
    // First, because refusals are logged and counted with the caller.
    request.caller = caller;
    rateLimit.count(caller.organisationId, Date.now());
    if (access !== 'any-token' && !hasScope(caller, access)) {
      throw new InsufficientScopeError(
        access.flatMap((name) =>
          formatScope(name, { prefix: scopePrefix, foreign: caller.scopes.some(isForeign) }),
        ),
      );
    }
    checkAccept(request);
    checkContentType(request);
    checkParameters(request);
    if (operation.method === 'GET') openReads.begin(caller.organisationId, raw);
  };
  const handleLate = async (request: FastifyRequest, reply: FastifyReply, admitted: Caller) => {
    // For a session this also confirms its rights if that is due.
    await authenticate(request);
    if (!(await admitted.stillAllowed())) throw new AccessEndedError();
    return handler(request, reply, admitted);
  };
  app.route({
    method: operation.method,
    url: toRoutePath(operation.path),
    bodyLimit: operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    ...options,
    // Before the body is read: a caller without a token cannot make the server read one.
    onRequest: (request, reply, done) => {
      let caller: Caller | Promise<Caller>;
      try {
        caller = authenticate(request);
        if (!(caller instanceof Promise)) admit(request, reply, caller);
      } catch (error) {
        // The cast is true because only errors are thrown.
        return done(error as Error);
      }
      // Most callers are cached; their requests do not wait for a promise.
      if (!(caller instanceof Promise)) return done();
      caller.then((found) => admit(request, reply, found)).then(() => done(), done);
    },
    handler: (request, reply) => {
      const { caller } = request;
      if (caller === null) throw new Error('a request was not authenticated');
      const admitted =
        access === 'any-token'
          ? caller
          : { ...caller, stillAllowed: () => caller.stillAllowed(access) };
      // Most bodies arrive with their headers. Access may have ended while a slow one was received.
      return reply.elapsedTime < RECHECK_INTERVAL_MS
        ? handler(request, reply, admitted)
        : handleLate(request, reply, admitted);
    },
  });
}

/** Adds an operation that requires no token. */
export function addPublicOperation(
  { app }: Pick<RouteContext, 'app'>,
  operation: Operation,
  handler: PublicHandler,
  options: OperationOptions = {},
): void {
  const checkParameters = queryParameterChecker(operation);
  app.route({
    method: operation.method,
    url: toRoutePath(operation.path),
    bodyLimit: operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    ...options,
    onRequest: async (request) => checkParameters(request),
    handler,
  });
}

/** How much of the name of an unknown parameter is reported, in characters. */
const MAX_PARAMETER_NAME = 100;

function isForeign({ foreign }: { foreign: boolean }): boolean {
  return foreign;
}

function toRoutePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Refuses a request that accepts none of the media types of the operation's response. */
function acceptChecker(operation: Operation): (request: FastifyRequest) => void {
  const offered = Object.keys(
    Object.values(operation.responses).find(({ content }) => content !== undefined)?.content ?? {},
  );
  return (request) => {
    const accept = request.headers.accept;
    if (accept === undefined || accept === '*/*' || offered.length === 0) return;
    if (preferredMediaType(accept, offered) === undefined) {
      throw new HttpError(406, `Accept must admit one of ${offered.join(', ')}`);
    }
  };
}

/** Refuses a body of a media type that the operation does not accept, although another operation may. */
function contentTypeChecker(operation: Operation): (request: FastifyRequest) => void {
  const accepted = Object.keys(operation.body ?? {});
  return (request) => {
    const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (mediaType === undefined || accepted.length === 0 || accepted.includes(mediaType)) return;
    throw new HttpError(415, `Content-Type must be ${accepted.join(' or ')}`);
  };
}

/** Refuses query parameters that the operation does not have, and any that is given more than once. */
function queryParameterChecker({ query }: Operation): (request: FastifyRequest) => void {
  const known = query?.properties ?? {};
  return (request) => {
    // The cast is true because the query is parsed to an object; of a parameter that is repeated it has a list.
    const parameters = Object.entries(request.query as object);
    // One more than are reported: what is wrong with thousands of parameters is not described.
    const errors = parameters
      .slice(0, MAX_REPORTED_ERRORS + 1)
      .flatMap(([name, value]): ValidationError[] => {
        const field = name.slice(0, MAX_PARAMETER_NAME);
        if (!Object.hasOwn(known, name)) {
          const error = 'is not a query parameter of this operation';
          return [{ field, error, code: 'UNKNOWN_MEMBER' }];
        }
        return Array.isArray(value) ? [{ field, error: 'must be given once', code: 'FORMAT' }] : [];
      });
    if (errors.length > 0) throw new ValidationFailedError(errors);
  };
}

/** Compiles a check of the query; text is converted to a number where the schema requires an integer. */
export function compileQueryCheck<Query>(
  schema: NonNullable<Operation['query']>,
): (query: unknown) => Query {
  const check: Check<Query> = compileCheck(schema);
  const integers = Object.entries(schema.properties)
    .filter(([, property]) => 'type' in property && property.type === 'integer')
    .map(([name]) => name);
  return (query) => {
    const read: Record<string, unknown> = { ...(query as Record<string, unknown>) };
    for (const name of integers) {
      const text = read[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) read[name] = Number(text);
    }
    const checked = check(read);
    if (!checked.valid) throw new ValidationFailedError(checked.errors);
    return checked.value;
  };
}

/** Refuses the whole request for one broken rule. */
export function refuse(error: ValidationError): never {
  throw new ValidationFailedError([error]);
}
