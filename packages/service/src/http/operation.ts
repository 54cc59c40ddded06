// Puts an operation of the contract on the server: its address, its access, and what HTTP asks of it.
import {
  type Check,
  compileCheck,
  DEFAULT_MAX_BODY_BYTES,
  formatScope,
  type Operation,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, hasScope, InsufficientScopeError } from './caller.js';
import { preferredMediaType } from './media-type.js';
import { HttpError, ValidationFailedError } from './problem.js';
import type { RateLimit } from './rate-limit.js';

/** Says who calls; synchronously where the token is cached. */
export type Authenticate = (request: FastifyRequest) => Caller | Promise<Caller>;

/** What every module's routes are given. */
export type RouteContext = {
  app: FastifyInstance;
  authenticate: Authenticate;
  rateLimit: RateLimit;
  scopePrefix: string;
  /** Where this server is reached, without a slash at the end. */
  baseUrl: string;
};

/** Answers an operation that needs a token. */
export type CallerHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
) => Promise<unknown>;

/** Answers an operation that needs none. */
export type PublicHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** What one operation has otherwise than the server. */
type OperationOptions = {
  /** Answers whatever `Accept` says, instead of 406. */
  ignoreAccept?: boolean;
  /** Answers errors in another form than problems. */
  errorHandler?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;
};

/** Adds an operation that needs a token with one of its scopes. */
export function addOperation(
  { app, authenticate, rateLimit, scopePrefix }: RouteContext,
  operation: Operation,
  handler: CallerHandler,
  { ignoreAccept = false, ...options }: OperationOptions = {},
): void {
  const { access } = operation;
  if (access === 'public') throw new Error(`${operation.operationId} needs no token`);
  const checkAccept = ignoreAccept ? () => undefined : acceptChecker(operation);
  const checkContentType = contentTypeChecker(operation);
  const checkParameters = queryParameterChecker(operation);
  const admit = (request: FastifyRequest, caller: Caller) => {
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
    request.caller = caller;
  };
  app.route({
    method: operation.method,
    url: toRoutePath(operation.path),
    bodyLimit: operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    ...options,
    // Before the body is read: nobody without a token makes us read one.
    onRequest: (request, _reply, done) => {
      let caller: Caller | Promise<Caller>;
      try {
        caller = authenticate(request);
        if (!(caller instanceof Promise)) admit(request, caller);
      } catch (error) {
        // The cast is true because only errors are thrown.
        return done(error as Error);
      }
      // Nearly every caller is cached: then nothing waits for a promise.
      if (!(caller instanceof Promise)) return done();
      caller.then((found) => admit(request, found)).then(() => done(), done);
    },
    handler: (request, reply) => {
      if (request.caller === null) throw new Error('a request came past its authentication');
      return handler(request, reply, request.caller);
    },
  });
}

/** Adds an operation that anyone may call. */
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

/** Refuses a request that would take none of the media types that the operation answers with. */
function acceptChecker(operation: Operation): (request: FastifyRequest) => void {
  const offered = Object.keys(
    Object.values(operation.answers).find(({ content }) => content !== undefined)?.content ?? {},
  );
  return (request) => {
    const accept = request.headers.accept;
    if (accept === undefined || accept === '*/*' || offered.length === 0) return;
    if (preferredMediaType(accept, offered) === undefined) {
      throw new HttpError(406, `Accept must admit one of ${offered.join(', ')}`);
    }
  };
}

/** Refuses a body of another media type than the operation takes, though another operation may take it. */
function contentTypeChecker(operation: Operation): (request: FastifyRequest) => void {
  const taken = Object.keys(operation.body ?? {});
  return (request) => {
    const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (mediaType === undefined || taken.length === 0 || taken.includes(mediaType)) return;
    throw new HttpError(415, `Content-Type must be ${taken.join(' or ')}`);
  };
}

/** Refuses query parameters that the operation does not have, and any that is given more than once. */
function queryParameterChecker({ query }: Operation): (request: FastifyRequest) => void {
  const known = query?.properties ?? {};
  return (request) => {
    // The cast is true because the query is parsed to an object; of a parameter that is repeated it has a list.
    const errors = Object.entries(request.query as object).flatMap(
      ([name, value]): ValidationError[] => {
        const field = name.slice(0, MAX_PARAMETER_NAME);
        if (!Object.hasOwn(known, name)) {
          const error = 'is not a query parameter of this operation';
          return [{ field, error, code: 'UNKNOWN_MEMBER' }];
        }
        return Array.isArray(value) ? [{ field, error: 'must be given once', code: 'FORMAT' }] : [];
      },
    );
    if (errors.length > 0) throw new ValidationFailedError(errors);
  };
}

/** Makes a check of the query; numbers come as text and are read where the schema asks for an integer. */
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

/** One broken rule as the error of a whole request. */
export function refuse(error: ValidationError): never {
  throw new ValidationFailedError([error]);
}
