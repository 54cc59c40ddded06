// Adds a control address: for callers on this machine, with its query and its body checked.
import { type Check, compileCheck, type ValidationError } from '@landfall/contract';
import { ValidationFailedError } from '@landfall/service/assembly';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { CONTROL_PATH } from '../control-path.js';
import { admitCaller } from './admit-caller.js';

/** A control address. */
export type ControlOperation = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** After `/playground`. */
  path: string;
  /** The query parameters that it has. */
  query?: TObject;
  /** The schema of the body; without one, a body is ignored. */
  body?: TObject;
};

type Handle<Body> = (
  input: { body: Body; query: Record<string, string>; params: Record<string, string> },
  reply: FastifyReply,
  request: FastifyRequest,
) => unknown;

/** Adds the address. */
export function addControlOperation<Body = undefined>(
  app: FastifyInstance,
  { method, path, query, body }: ControlOperation,
  handle: Handle<Body>,
): void {
  const checkBody: Check<Body> | undefined = body && compileCheck<Body>(body);
  app.route({
    method,
    url: `${CONTROL_PATH}${path}`,
    // Before the body is read.
    onRequest: async (request) => admitCaller(request),
    handler: async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      // The casts are true because the query and the parameters are parsed to objects of text.
      const given = request.query as Record<string, string>;
      checkQuery(given, query);
      const input = {
        body: checkBody === undefined ? (undefined as Body) : accept(checkBody, request.body),
        query: given,
        params: request.params as Record<string, string>,
      };
      return handle(input, reply, request);
    },
  });
}

function accept<Value>(check: Check<Value>, value: unknown): Value {
  const checked = check(value);
  if (!checked.valid) throw new ValidationFailedError(checked.errors);
  return checked.value;
}

function checkQuery(given: Record<string, unknown>, schema: TObject | undefined): void {
  const unknown = Object.keys(given).filter(
    (name) => !Object.hasOwn(schema?.properties ?? {}, name),
  );
  const errors: ValidationError[] = unknown.map((name) => ({
    field: name.slice(0, 100),
    error: 'is not a query parameter of this operation',
    code: 'UNKNOWN_MEMBER',
  }));
  if (errors.length > 0) throw new ValidationFailedError(errors);
  if (schema !== undefined) accept(compileCheck(schema), given);
}
