// Adds a control address: for the callers of `controlAccess`, with its query and its body checked.
import { type Check, compileCheck, type ValidationError } from '@landfall/contract';
import {
  CompressibleText,
  compileQueryCheck,
  ValidationFailedError,
} from '@landfall/service/assembly';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { CONTROL_PATH } from '../control-path.js';
import type { Admission } from './control-access.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Who may call the control addresses; a server with control addresses has it before the first of them. */
    controlAccess: Admission;
  }
}

/** A control address. */
export type ControlOperation = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** After `/playground`. */
  path: string;
  /** The query parameters that it has. A list is separated by commas. */
  query?: TObject;
  /** The schema of the body; without one, a body is ignored. */
  body?: TObject;
  /** Whether a member that is null breaks the schema; default: it is as one that is left out. */
  refusesNull?: boolean;
  /** Who may call it; default: `controlAccess`. */
  admission?: Admission;
};

/** Returns the value that is sent as JSON, compressed if the caller accepts it, or sends the response. */
type Handle<Body, Query> = (
  input: { body: Body; query: Query; params: Record<string, string> },
  reply: FastifyReply,
  request: FastifyRequest,
) => unknown;

/** Adds the address. */
export function addControlOperation<Body = undefined, Query = unknown>(
  app: FastifyInstance,
  { method, path, query = Type.Object({}), body, refusesNull = false, admission }: ControlOperation,
  handle: Handle<Body, Query>,
): void {
  const checkBody: Check<Body> | undefined =
    body && compileCheck<Body>(body, { strict: refusesNull });
  const checkQuery = compileQueryCheck<Query>(query);
  app.route({
    method,
    url: `${CONTROL_PATH}${path}`,
    // Before the body is read.
    onRequest: async (request) => (admission ?? request.server.controlAccess).admit(request),
    handler: async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      // The casts are true because the query and the parameters are parsed to objects of text.
      const given = request.query as Record<string, unknown>;
      refuseUnknown(given, query);
      const input = {
        body: checkBody === undefined ? (undefined as Body) : accept(checkBody, request.body),
        query: checkQuery(splitLists(given, query)),
        params: request.params as Record<string, string>,
      };
      const value = await handle(input, reply, request);
      if (reply.sent) return reply;
      reply.type('application/json; charset=utf-8');
      return new CompressibleText(JSON.stringify(value)).send(request, reply);
    },
  });
}

function accept<Value>(check: Check<Value>, value: unknown): Value {
  const checked = check(value);
  if (!checked.valid) throw new ValidationFailedError(checked.errors);
  return checked.value;
}

function refuseUnknown(given: Record<string, unknown>, { properties }: TObject): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const errors: ValidationError[] = unknown.map((name) => ({
    field: name.slice(0, 100),
    error: 'is not a query parameter of this operation',
    code: 'UNKNOWN_MEMBER',
  }));
  if (errors.length > 0) throw new ValidationFailedError(errors);
}

/** Makes a list of a text where the schema requires one. */
function splitLists(given: Record<string, unknown>, { properties }: TObject) {
  const entries = Object.entries(given).map(([name, value]) => {
    const schema = properties[name];
    const isList = schema !== undefined && Type.IsArray(schema) && typeof value === 'string';
    return [name, isList ? value.split(',') : value];
  });
  return Object.fromEntries(entries);
}
