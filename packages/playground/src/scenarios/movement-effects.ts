// The effects of the scenarios around movement declarations. What they change within the service is noted for the request.
import {
  type DocumentKey,
  keyOfDocument,
  type Registers,
  type ScenarioOf,
} from '@landfall/contract';
import type { Effects } from './effect.js';

/** The scenarios that have held back a status, each of one request. */
const held = new WeakSet<ScenarioOf<'late-status'>>();

/** Whether a scenario holds back a status that was recorded at a time. */
export function holdsBack(
  scenario: ScenarioOf<'late-status'>,
  recordedAt: Date,
  now: Date,
): boolean {
  const isLate = now.getTime() < recordedAt.getTime() + scenario.foundAfter * 1000;
  if (isLate) held.add(scenario);
  return isLate;
}

/** The documents about which a register did not answer, of one request. */
const unanswered = new WeakMap<ScenarioOf<'silent-register'>, Map<string, DocumentKey>>();

type DocumentRegisters = Pick<Registers, 'documentState'>;

/** The registers, of which the one of customs declarations does not answer. */
export function silence(
  scenario: ScenarioOf<'silent-register'>,
  { documentState }: DocumentRegisters,
): DocumentRegisters {
  const documents = new Map<string, DocumentKey>();
  return {
    documentState: (document) => {
      const state = documentState(document);
      if (state !== 'VALID' || document.kind !== 'CUDE') return state;
      const key = keyOfDocument(document);
      unanswered.set(scenario, documents.set(key.reference, key));
      return 'UNANSWERED';
    },
  };
}

export const movementEffects = {
  'late-status': {
    before: (scenario) => async () => held.has(scenario),
  },
  'silent-register': {
    before:
      (scenario, { reply, later }) =>
      async () => {
        const documents = unanswered.get(scenario);
        if (documents === undefined || reply.statusCode === 400) return false;
        await later.confirm([...documents.values()], scenario.answersAfter);
        return true;
      },
  },
  'seen-arrival': {
    before:
      ({ afterEstimated }, { request, reply, later }) =>
      async () => {
        const { caller } = request;
        const requestId = String(reply.getHeader('location')).split('/').at(-1) ?? '';
        if (caller === null || reply.statusCode !== 202) return false;
        return later.see(caller.organisationId, requestId, afterEstimated);
      },
  },
} satisfies Partial<Effects>;
