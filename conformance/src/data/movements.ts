// Lodges, replaces and cancels movement messages, and reads what became of the requests.
import {
  formatScope,
  keysOf,
  type ModeName,
  type MovementLevel,
  MovementStatus,
  modes,
  movementLevels,
  type ScopeName,
  type ValidationError,
} from '@landfall/contract';
import type { Caller, CallOptions, OperationId } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import type { Role } from '../settings/settings.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  expectValid,
  readObject,
} from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import type { Case } from '../suite/requirement.js';
import type { Message } from './movement-messages.js';
import { shortForm, subjectOf } from './subject-tokens.js';

export const modeNames: readonly ModeName[] = keysOf(modes);
export const levelNames: readonly MovementLevel[] = keysOf(movementLevels);

/** The operation that lodges at each level. */
export const lodgeOperations = {
  transport: 'lodgeTransport',
  'master-consignment': 'lodgeMasterConsignment',
  'house-consignment': 'lodgeHouseConsignment',
} as const satisfies Record<MovementLevel, OperationId>;

/** The operation that replaces at each level. */
const replaceOperations = {
  transport: 'replaceTransport',
  'master-consignment': 'replaceMasterConsignment',
  'house-consignment': 'replaceHouseConsignment',
} as const satisfies Record<MovementLevel, OperationId>;

/** One case for each mode. */
export function byMode(
  make: (mode: ModeName) => Case,
  names: readonly ModeName[] = modeNames,
): Record<string, Case> {
  return Object.fromEntries(names.map((mode) => [`by ${mode}`, make(mode)]));
}

/** Whoever lodges as a role. Throws NotTestedError if its identity lacks the scope of one of the modes. */
export function mover(
  context: CaseContext,
  role: Role = 'presenter',
  needed: readonly ModeName[] = modeNames,
): Caller {
  const { scopes, kind } = context.identity(role);
  const { scopePrefix: prefix } = context.settings;
  for (const mode of needed) {
    const scope = formatScope(modes[mode].scope, { prefix, foreign: kind === 'foreign' });
    if (!scopes.includes(scope)) {
      throw new NotTestedError(`the identity "${role}" in the settings has not the scope ${scope}`);
    }
  }
  return context.as(role);
}

/** A customs token of a role with some of its scopes. */
export async function tokenFor(
  context: CaseContext,
  role: Role,
  ...names: ScopeName[]
): Promise<string> {
  const foreign = context.identity(role).kind === 'foreign';
  const { scopePrefix: prefix } = context.settings;
  const scope = names.map((name) => formatScope(name, { prefix, foreign })).join(' ');
  const response = await context.exchange(shortForm(await subjectOf(context, role, scope)));
  expectStatus(response, 200);
  return String(readObject(response).access_token);
}

/** The values of the path of an operation. */
export function pathOf(mode: ModeName, more: Record<string, string> = {}): Record<string, string> {
  return { mode, version: modes[mode].version, ...more };
}

/** Where a message is: its mode, its level, and its MRN. */
export type Place = { mode: ModeName; level: MovementLevel; mrn: string };

/** Lodges; returns whatever the service responds. */
export function tryLodge(
  caller: Caller,
  mode: ModeName,
  level: MovementLevel,
  message: unknown,
  options: CallOptions = {},
): Promise<HttpResponse> {
  return caller.call(lodgeOperations[level], { path: pathOf(mode), json: message, ...options });
}

/** Replaces; returns whatever the service responds. */
export function tryReplace(
  caller: Caller,
  { mode, level, mrn }: Place,
  message: unknown,
): Promise<HttpResponse> {
  return caller.call(replaceOperations[level], { path: pathOf(mode, { mrn }), json: message });
}

/** Cancels; returns whatever the service responds. */
export function tryCancel(
  caller: Caller,
  { mode, level, mrn }: Place,
  options: CallOptions = {},
): Promise<HttpResponse> {
  return caller.call('cancelMovement', { path: pathOf(mode, { level, mrn }), ...options });
}

/** Reads a message; returns whatever the service responds. */
export function tryRead(caller: Caller, { mode, level, mrn }: Place): Promise<HttpResponse> {
  return caller.call('getMovement', { path: pathOf(mode, { level, mrn }) });
}

/** Reads the status of a request; returns whatever the service responds. */
export function tryReadStatus(
  caller: Caller,
  { mode, level }: Omit<Place, 'mrn'>,
  requestId: string,
  options: CallOptions = {},
): Promise<HttpResponse> {
  const path = pathOf(mode, { level, requestId });
  return caller.call('getMovementStatus', { path, ...options });
}

/** The requestId of a request that was received. */
export function requestIdOf(response: HttpResponse): string {
  expectStatus(response, 202);
  const { requestId } = readObject(response);
  expect(typeof requestId === 'string', 'the response has no requestId');
  return requestId;
}

/** The status of a request, which exists. */
export async function readOutcome(
  caller: Caller,
  place: Omit<Place, 'mrn'>,
  requestId: string,
): Promise<MovementStatus> {
  const response = await tryReadStatus(caller, place, requestId);
  expectStatus(response, 200);
  const status = readObject(response);
  expectValid(MovementStatus, status, 'the status');
  // The cast is true because the status has just been checked.
  return status as MovementStatus;
}

/** The status of what was just sent. */
export async function outcomeOf(
  caller: Caller,
  place: Omit<Place, 'mrn'>,
  response: HttpResponse,
): Promise<MovementStatus> {
  return readOutcome(caller, place, requestIdOf(response));
}

/** The MRN of a status that is SUCCESS. */
function mrnOf({ status, mrn, validationErrorList }: MovementStatus): string {
  expect(
    status === 'SUCCESS' && mrn !== undefined,
    `the status is ${status}: ${JSON.stringify(validationErrorList)}`,
  );
  return mrn;
}

/** Lodges what is accepted, and returns where it is. */
export async function lodge(
  caller: Caller,
  mode: ModeName,
  level: MovementLevel,
  message: Message,
): Promise<Place> {
  const response = await tryLodge(caller, mode, level, message);
  return { mode, level, mrn: mrnOf(await outcomeOf(caller, { mode, level }, response)) };
}

/** Lodges, and returns the status. */
export async function lodgeForStatus(
  caller: Caller,
  mode: ModeName,
  level: MovementLevel,
  message: Message,
): Promise<MovementStatus> {
  return outcomeOf(caller, { mode, level }, await tryLodge(caller, mode, level, message));
}

/** Replaces, and returns the status. */
export async function replace(
  caller: Caller,
  place: Place,
  message: Message,
): Promise<MovementStatus> {
  return outcomeOf(caller, place, await tryReplace(caller, place, message));
}

/** Cancels, and returns the status. */
export async function cancel(caller: Caller, place: Place): Promise<MovementStatus> {
  return outcomeOf(caller, place, await tryCancel(caller, place));
}

/** A message that exists, as it was last accepted, with its state. */
export async function readMovement(caller: Caller, place: Place): Promise<Message> {
  const response = await tryRead(caller, place);
  expectStatus(response, 200);
  expectSchema('getMovement', response);
  return readObject(response);
}

/** A broken rule, in the response or in a status. */
export type BrokenRule = { field: string; error: string; code: string };

/** The broken rules of a status that is FAILURE. */
export function brokenRules({ status, validationErrorList = [] }: MovementStatus): BrokenRule[] {
  expectEqual(status, 'FAILURE', 'the status');
  return validationErrorList.map(({ description, code, pointer }) => ({
    field: pointer.messageElementPath,
    error: description,
    code,
  }));
}

/** The errors of a message that is refused at once. */
export function errorsAtOnce(response: HttpResponse): BrokenRule[] {
  expectProblem(response, 400);
  // The cast is true because the problem was checked; one that is not about members has none.
  const { validationErrors = [] } = JSON.parse(response.text) as {
    validationErrors?: ValidationError[];
  };
  return validationErrors.map(({ field, error, code }) => ({ field, error, code }));
}

/** Expects that a rule was broken at a member. */
export function expectBroken(
  broken: readonly BrokenRule[],
  code: string,
  field: string,
  error?: string,
): void {
  const found = broken.some(
    (one) =>
      one.code === code && one.field === field && (error === undefined || one.error === error),
  );
  const text = error === undefined ? '' : ` "${error}"`;
  expect(found, `no error ${code} at ${field}${text}: ${JSON.stringify(broken).slice(0, 600)}`);
}
