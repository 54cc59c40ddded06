// Faults of replacing, cancelling, reading and listing movement messages.
import { changeJson, type Fault, type Json, jsonOf } from './fault.js';
import {
  answersSome,
  changesBodies,
  forgives,
  isList,
  isReading,
  MadeStatuses,
  movementOf,
  readsAsOthers,
} from './movement-requests.js';

const isCode =
  (code: string, ...operations: string[]) =>
  (error: Json, status: Json) =>
    error.code === code && (operations.length === 0 || operations.includes(status.operation));

/** Changes the page of a list of messages. */
const changesLists = (change: (entries: Json[]) => Json[]) => (): ReturnType<Fault['make']> => ({
  onResponse: (response, request) => {
    if (isList(request) && response.status === 200) changeJson(response, change);
  },
});

/** Removes a parameter of the query of a list of messages. */
const ignoresQuery = (name: string) => (): ReturnType<Fault['make']> => ({
  onRequest: (request) => {
    if (isList(request)) request.url.searchParams.delete(name);
    return undefined;
  },
});

export const movementChangeFaults: readonly Fault[] = [
  {
    name: 'keeps members that a replacement leaves out',
    caughtBy: ['AMND-001'],
    make: () => ({
      onRequest: async (request, forward) => {
        if (request.method !== 'PUT' || movementOf(request) === undefined) return undefined;
        const { authorization = '' } = request.headers;
        const current = await forward({
          ...request,
          method: 'GET',
          headers: { authorization },
          body: '',
        });
        const { message = {} } = jsonOf(current) ?? {};
        request.body = JSON.stringify({ ...message, ...jsonOf(request) });
        return undefined;
      },
    }),
  },
  {
    name: 'counts a replacement that changes nothing',
    caughtBy: ['AMND-002'],
    make: () => {
      const replacedAt = new Map<string, string>();
      return {
        onResponse: (response, request) => {
          const mrn = movementOf(request)?.id ?? '';
          if (request.method === 'PUT') replacedAt.set(mrn, new Date().toISOString());
          const time = replacedAt.get(mrn);
          if (isReading(request) && time !== undefined) {
            changeJson(response, (body) => ({ ...body, replacedAt: time }));
          }
        },
      };
    },
  },
  {
    name: 'changes the key of a message',
    caughtBy: ['AMND-003', 'AMND-004'],
    make: forgives(isCode('KEY_CHANGED')),
  },
  {
    name: 'judges a replacement by its key alone',
    caughtBy: ['AMND-005'],
    make: forgives(
      (error, { operation }) => operation === 'REPLACE' && error.code !== 'KEY_CHANGED',
    ),
  },
  {
    name: 'refuses to replace a transport whose estimated arrival has passed',
    caughtBy: ['AMND-006'],
    make: answersSome((request, statuses) => {
      if (request.method !== 'PUT') return undefined;
      const field = 'estimatedDateAndTimeOfArrival';
      const late = Date.now() - Date.parse(jsonOf(request)?.[field]) > 600_000;
      const error = 'has passed';
      return late ? statuses.fail(request, { code: 'TIME_OUT_OF_RANGE', field, error }) : undefined;
    }),
  },
  {
    name: 'refuses to cancel a message twice',
    caughtBy: ['AMND-007', 'HABI-003'],
    make: () => {
      const ended = new Set<string>();
      return answersSome((request, statuses) => {
        if (request.method !== 'DELETE') return undefined;
        const mrn = movementOf(request)?.id ?? '';
        if (ended.has(mrn)) {
          return statuses.fail(request, { code: 'NOT_CURRENT', field: 'mrn', error: 'has ended' });
        }
        ended.add(mrn);
        return undefined;
      })();
    },
  },
  {
    name: 'replaces messages that have ended',
    caughtBy: ['AMND-008'],
    make: forgives(isCode('NOT_CURRENT')),
  },
  {
    name: 'refuses a replacement while another one is applied',
    caughtBy: ['AMND-009'],
    make: () => {
      const applied = new Map<string, number>();
      const statuses = new MadeStatuses();
      return {
        onRequest: (request) => {
          const mrn = movementOf(request)?.id;
          if (request.method !== 'PUT' || mrn === undefined) return statuses.read(request);
          const count = applied.get(mrn) ?? 0;
          if (count > 0) {
            return statuses.fail(request, { code: 'NOT_CURRENT', field: 'mrn', error: 'is busy' });
          }
          applied.set(mrn, count + 1);
          return undefined;
        },
        onResponse: (_, request) => {
          const mrn = movementOf(request)?.id;
          if (request.method === 'PUT' && mrn !== undefined) applied.delete(mrn);
        },
      };
    },
  },
  {
    name: 'does not know the representative of a message',
    caughtBy: ['MPAR-001'],
    make: changesBodies((body) => {
      const { representative } = body;
      if (representative) representative.identificationNumber = 'NO999999999';
      return body;
    }),
  },
  {
    name: 'shows movement messages to everybody',
    caughtBy: ['MPAR-002', 'MPAR-003', 'LODG-005'],
    make: readsAsOthers(isReading),
  },
  {
    name: 'does not say in which state a message is',
    caughtBy: ['MREA-001'],
    make: () => ({
      onResponse: (response, request) => {
        if (isReading(request)) changeJson(response, ({ state: _, ...body }) => body);
      },
    }),
  },
  {
    name: 'lists the oldest messages first',
    caughtBy: ['MREA-002'],
    make: changesLists((entries) => entries.reverse()),
  },
  {
    name: 'ignores the carrier in the query of messages',
    caughtBy: ['MREA-003'],
    make: ignoresQuery('carrierId'),
  },
  {
    name: 'ignores the state in the query of messages',
    caughtBy: ['MREA-003', 'HABI-004'],
    make: ignoresQuery('state'),
  },
  {
    name: 'ignores the marker of a list of messages',
    caughtBy: ['MREA-004'],
    make: ignoresQuery('marker'),
  },
  {
    name: 'lists messages without what they hang on',
    caughtBy: ['MREA-005'],
    make: changesLists((entries) => entries.map(({ masterDocument: _, ...entry }) => entry)),
  },
];
