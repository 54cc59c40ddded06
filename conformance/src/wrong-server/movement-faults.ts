// Faults of the statuses and keys of movement messages.
import {
  changeJson,
  type Fault,
  firstCode,
  type Json,
  jsonOf,
  replace,
  respondProblem,
} from './fault.js';
import {
  answersSome,
  changesMovementStatuses,
  documentOfBody,
  forgives,
  isLodging,
  type isReading,
  isSending,
  type MadeStatuses,
  movementOf,
  movementStatusOf,
  readsAsOthers,
} from './movement-requests.js';

const FEED = '/api/movement/status/v1/validation-status';
/** Takes a key that is taken, at one level. */
const takesKeys = (level: string) =>
  forgives((error, status) => error.code === 'DUPLICATE' && status.level === level);

/** Refuses a message whose document an earlier one had, in whatever this says of both. */
const refusesSecond = (
  makeKey: (request: Parameters<typeof isReading>[0]) => string,
  isTaken: (earlier: string, mode: string) => boolean,
) => {
  const seen = new Map<string, string>();
  return (request: Parameters<typeof isReading>[0], statuses: MadeStatuses) => {
    const { mode = 'road' } = movementOf(request) ?? {};
    const key = makeKey(request);
    const earlier = seen.get(key);
    if (earlier !== undefined && isTaken(earlier, mode)) {
      return statuses.fail(request, { code: 'DUPLICATE', field: '', error: 'is already in use' });
    }
    seen.set(key, mode);
    return undefined;
  };
};

const keyOf = (request: Parameters<typeof isReading>[0]) =>
  `${movementOf(request)?.level} ${documentOfBody(jsonOf(request))}`;

export const movementFaults: readonly Fault[] = [
  {
    name: 'leaves empty lists in the statuses of movement messages',
    caughtBy: ['MSTA-001'],
    make: changesMovementStatuses((status) => ({ validationErrorList: [], ...status })),
  },
  {
    name: 'does not say why goods are incomplete',
    caughtBy: ['MSTA-002', 'HABI-005'],
    make: changesMovementStatuses(({ incompleteDocumentationReasonList: _, ...status }) => status),
  },
  {
    name: 'names the first broken rule of a movement message alone',
    caughtBy: ['MSTA-003'],
    make: changesMovementStatuses(({ validationErrorList, ...status }) => ({
      ...status,
      ...(validationErrorList && { validationErrorList: validationErrorList.slice(0, 1) }),
    })),
  },
  {
    name: 'shows the status of a movement message to everybody',
    caughtBy: ['MSTA-004', 'MSTA-005'],
    make: readsAsOthers((request) => movementStatusOf(request) !== undefined),
  },
  {
    name: 'shows a status at every mode and level',
    caughtBy: ['MSTA-004'],
    make: () => {
      const addresses = new Map<string, string>();
      return {
        onResponse: async (response, request, forward) => {
          const { pathname } = request.url;
          const id = movementStatusOf(request)?.id;
          if (id === undefined) {
            const { requestId } = jsonOf(response) ?? {};
            const location = response.headers.location;
            if (location !== undefined) addresses.set(requestId, new URL(location).pathname);
            return;
          }
          const own = addresses.get(id) ?? pathname;
          if (response.status !== 404 || own === pathname) return;
          const url = new URL(own, request.url);
          replace(response, await forward({ ...request, url }));
        },
      };
    },
  },
  {
    name: 'gives the statuses of road alone in the feed of movement statuses',
    caughtBy: ['MSTA-006'],
    make: () => ({
      onResponse: (response, request) => {
        if (request.url.pathname === FEED && response.status === 200) {
          changeJson(response, (all) => all.filter(({ mode }: Json) => mode === 'road'));
        }
      },
    }),
  },
  {
    name: 'begins the movement statuses anew after a marker that it does not know',
    caughtBy: ['MSTA-007'],
    make: () => ({
      onResponse: async (response, request, forward) => {
        if (request.url.pathname !== FEED || firstCode(response) !== 'UNKNOWN_MARKER') return;
        const url = new URL(request.url);
        url.searchParams.delete('marker');
        replace(response, await forward({ ...request, url }));
      },
    }),
  },
  {
    name: 'changes the status of a movement message whenever it is read',
    caughtBy: ['MSTA-008', 'LODG-018'],
    make: changesMovementStatuses((status) => ({
      ...status,
      notificationDate: new Date().toISOString(),
    })),
  },
  {
    name: 'forgets the statuses of a message that has ended',
    caughtBy: ['LODG-018', 'HABI-002'],
    make: () => {
      const ended = new Set<string>();
      return {
        onResponse: (response, request) => {
          if (isSending(request) && request.method === 'DELETE' && response.status === 202) {
            ended.add(movementOf(request)?.id ?? '');
          }
          const { mrn, operation } = jsonOf(response) ?? {};
          if (movementStatusOf(request) === undefined || operation === 'CANCEL') return;
          if (ended.has(mrn)) replace(response, respondProblem(404));
        },
      };
    },
  },
  {
    name: 'takes a transport twice',
    caughtBy: ['MKEY-001', 'MKEY-007'],
    make: takesKeys('TRANSPORT'),
  },
  {
    name: 'takes the document of a master consignment twice',
    caughtBy: ['MKEY-002', 'MKEY-007'],
    make: takesKeys('MASTER_CONSIGNMENT'),
  },
  {
    name: 'takes the document of a house consignment twice',
    caughtBy: ['MKEY-003', 'MKEY-007'],
    make: takesKeys('HOUSE_CONSIGNMENT'),
  },
  {
    name: 'takes the key of a message of somebody else',
    caughtBy: ['MKEY-004'],
    make: forgives(
      ({ code, description }) => code === 'DUPLICATE' && /already in use$/.test(description),
    ),
  },
  {
    name: 'tells the MRN of somebody else with a duplicate',
    caughtBy: ['MKEY-005'],
    make: () => {
      let last = '';
      return {
        onResponse: (response, request) => {
          if (movementStatusOf(request) === undefined || response.status !== 200) return;
          last = jsonOf(response)?.mrn ?? last;
          response.body = response.body.replace(/already in use"/, `already in use: ${last}"`);
        },
      };
    },
  },
  {
    name: 'does not tell the MRN of an own message with a duplicate',
    caughtBy: ['MKEY-005', 'HABI-001'],
    make: () => ({
      onResponse: (response, request) => {
        if (movementStatusOf(request) === undefined) return;
        response.body = response.body.replace(/already in use: \w+"/, 'already in use"');
      },
    }),
  },
  {
    name: 'has one key for all modes',
    caughtBy: ['MKEY-006'],
    make: () => {
      const refuse = refusesSecond(keyOf, (earlier, mode) => earlier !== mode);
      return answersSome((request, statuses) =>
        isLodging(request) ? refuse(request, statuses) : undefined,
      )();
    },
  },
  {
    name: 'keeps the key of a message that was cancelled',
    caughtBy: ['MKEY-008'],
    make: () => {
      const refuse = refusesSecond(keyOf, () => true);
      return answersSome((request, statuses) =>
        isLodging(request) ? refuse(request, statuses) : undefined,
      )();
    },
  },
  {
    name: 'makes MRNs without a check digit',
    caughtBy: ['MKEY-009'],
    make: changesMovementStatuses((status) => ({
      ...status,
      ...(status.mrn && {
        mrn: status.mrn.replace(/\d$/, (digit: string) => `${(Number(digit) + 1) % 10}`),
      }),
    })),
  },
];
