// What is known of a request when scenarios are chosen for it: its operation, whose it is, and the values in it.
import {
  type Operation,
  type OperationId,
  operations,
  type PlaygroundCredentials,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';
import { findIdentity, readIdentity } from './read-identity.js';

/** What scenarios select by. The functions read the request, or the delivery, only if a scenario needs it. */
export type ScenarioFacts = {
  /** Of a request; `undefined` for a delivery to a receiver. */
  operation: OperationId | undefined;
  /** Whether it requests a stream of events. */
  wantsEvents: boolean;
  /** The name of the identity that sends it; `undefined` if nothing in the request names one. */
  identity(): string | undefined;
  /** Whether its body, its address or its query has this value. */
  has(value: string): boolean;
};

/** Those of a request. */
export type RequestFacts = ScenarioFacts & { operation: OperationId };

/** Maximum number of values of a body that are compared. */
const MAX_VALUES = 100_000;

// The cast is true because these are the names and values of the table.
const operationsByRoute = new Map(
  (Object.entries(operations) as [OperationId, Operation][]).map(([operationId, operation]) => [
    `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operationId,
  ]),
);

/** The operation that a request is for; `undefined` if it is for none of the contract. */
export function operationOf({
  method: given,
  routeOptions,
}: FastifyRequest): OperationId | undefined {
  return operationsByRoute.get(`${given === 'HEAD' ? 'GET' : given} ${routeOptions.url}`);
}

/** The facts of a request; `undefined` if it is for no operation of the contract. */
export function readFacts(
  request: FastifyRequest,
  identities: readonly PlaygroundCredentials[],
): RequestFacts | undefined {
  const operation = operationOf(request);
  if (operation === undefined) return undefined;
  return {
    operation,
    wantsEvents: /\btext\/event-stream\b/i.test(request.headers.accept ?? ''),
    identity: () => readIdentity(operation, request, identities)?.name,
    has: (value) =>
      [request.params, request.query, request.body].some((part) => contains(part, value)),
  };
}

/** The facts of a delivery to a receiver, whose body is a JSON text. */
export function factsOfDelivery(
  caller: { clientId: string; organisation: string },
  body: string,
  identities: readonly PlaygroundCredentials[],
): ScenarioFacts {
  return {
    operation: undefined,
    wantsEvents: false,
    identity: () => findIdentity(caller, identities)?.name,
    has: (value) => contains(JSON.parse(body), value),
  };
}

/** Whether a parsed JSON value contains a text. A body that is read as a stream is not searched. */
function contains(value: unknown, text: string): boolean {
  const waiting = [value];
  for (let count = 0; count < MAX_VALUES && waiting.length > 0; count++) {
    const part = waiting.pop();
    if (part === text) return true;
    if (Array.isArray(part)) for (const item of part) waiting.push(item);
    else if (isPlainObject(part)) for (const member of Object.values(part)) waiting.push(member);
  }
  return false;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
