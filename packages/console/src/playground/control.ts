// The addresses that control a playground, as operations that the client library calls. They are not in the contract:
// production servers do not have them.
import {
  type CollectedResponse,
  Connection,
  type Operation,
  type OperationInput,
} from '@landfall/client';
import { link, MAX_ATTEMPTS } from '../session/link.js';
import type { Exchange } from './exchange.js';
import type { ScenarioKind, ScenarioState } from './scenarios.js';
import type { Inspection } from './tokens.js';

/** An identity of the playground. */
export type Identity = {
  name: string;
  kind: 'domestic' | 'foreign';
  organisation: string;
  client_id: string;
  scopes: string[];
};

/** The clock of the playground. */
export type Clock = { time: string; running: boolean };

const jsonBody: NonNullable<Operation['body']> = {
  contentType: 'application/json',
  open: (body = {}) => ({ canResend: true, size: 0, open: () => JSON.stringify(body) }),
};

/** A response without a body has the result `undefined`. */
async function readJson(open: CollectedResponse): Promise<unknown> {
  const text = await open.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** An operation at a control address. */
export function control<Input extends OperationInput, Result>(
  method: Operation['method'],
  path: string,
): Operation<Input, Result> {
  return {
    operationId: `${method} ${path}`,
    method,
    path,
    access: 'public',
    idempotent: true,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: jsonBody }),
    result: { contentType: 'application/json', read: readJson },
  };
}

/** Lists the identities that one can sign in as. */
export const listIdentities = control<OperationInput, { identities: Identity[] }>(
  'GET',
  '/playground/identities',
);

/** Signs in to the console as an identity. */
export const signIn = control<{ body: { identity: string } }, void>('POST', '/playground/sign-in');

export const readClock = control<OperationInput, Clock>('GET', '/playground/clock');

/** Sets, advances, stops or starts the clock. */
export const changeClock = control<
  { body: { time?: string; advance?: number; running?: boolean } },
  Clock
>('PUT', '/playground/clock');

/** Returns to the data and the clock of the start. */
export const reset = control<OperationInput, void>('POST', '/playground/reset');

/** Lists the recorded requests, oldest first. */
export const listRequests = control<OperationInput, { requests: Exchange[] }>(
  'GET',
  '/playground/requests',
);

/** Forgets the recorded requests. */
export const clearRequests = control<OperationInput, void>('DELETE', '/playground/requests');

export const listScenarioKinds = control<OperationInput, { kinds: ScenarioKind[] }>(
  'GET',
  '/playground/scenario-kinds',
);

export const listScenarios = control<OperationInput, { scenarios: ScenarioState[] }>(
  'GET',
  '/playground/scenarios',
);

/** Adds a scenario; it takes effect on requests from now on. */
export const addScenario = control<{ body: Record<string, unknown> }, ScenarioState>(
  'POST',
  '/playground/scenarios',
);

export const deleteScenario = control<{ parameters: { id: string } }, void>(
  'DELETE',
  '/playground/scenarios/{id}',
);

export const deleteScenarios = control<OperationInput, void>('DELETE', '/playground/scenarios');

/** Inspects a token, or a new grant of an identity. */
export const inspectToken = control<{ body: { token: string } | { identity: string } }, Inspection>(
  'POST',
  '/playground/token-inspections',
);

/** The connection to these addresses. */
export const playground = new Connection({
  baseUrl: location.origin,
  retry: { maxAttempts: MAX_ATTEMPTS },
  fetch: link.fetch,
});
