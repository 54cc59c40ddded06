// Faults of relations.
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
  respondProblem,
} from './fault.js';

const ADDRESS = /^\/api\/movement\/(road|rail)\/(v\d)\/relation(?:\/(\w+))?$/;
const STATUS = /\/status\/v\d\/relation\/validation-status\//;
const TREE = /\/transport\/\w+\/status-with-descendants$/;
const MESSAGE = /\/(?:transport|master-consignment|house-consignment)\/\w+$/;
const MADE = '26NO111111111111T1';

const isRelating = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && ADDRESS.test(url.pathname);

/** The MRN of the relation that a request cancels. */
const cancelled = ({ method, url }: ProxiedRequest) =>
  method === 'DELETE' ? ADDRESS.exec(url.pathname)?.[3] : undefined;

/** Changes the responses whose path matches. */
const changes = (path: RegExp, change: (body: Json) => Json) => (): Behaviour => ({
  onResponse: (response, { url }) => {
    if (response.status === 200 && path.test(url.pathname)) changeJson(response, change);
  },
});

/** Makes a success of a status whose broken rules are all of a code. */
const forgives = (code: string) =>
  changes(STATUS, (status) => {
    const { validationErrorList = [], ...about } = status;
    const isForgiven =
      validationErrorList.length > 0 &&
      validationErrorList.every((error: Json) => error.code === code);
    return isForgiven ? { ...about, status: 'SUCCESS', mrn: MADE } : status;
  });

/** Answers some requests with a status of its own. */
const answers = (
  outcomeOf: (request: ProxiedRequest) => Json | undefined,
  more: Behaviour = {},
): Behaviour => {
  const statuses = new Map<string, Json>();
  return {
    ...more,
    onRequest: (request) => {
      const { pathname } = request.url;
      const status = statuses.get(pathname.split('/').at(-1) ?? '');
      if (status !== undefined) return respond(200, status);
      const outcome = outcomeOf(request);
      if (outcome === undefined) return undefined;
      const requestId = jsonOf(request)?.requestId ?? crypto.randomUUID();
      statuses.set(requestId, {
        requestId,
        notificationDate: new Date().toISOString(),
        mode: 'road',
        level: 'RELATION',
        operation: request.method === 'POST' ? 'LODGE' : 'CANCEL',
        ...outcome,
      });
      const response = respond(202, { requestId });
      const path = `/api/movement/road/status/v2/relation/validation-status/${requestId}`;
      response.headers.location = new URL(path, request.url).href;
      return response;
    },
  };
};

const success = { status: 'SUCCESS', mrn: MADE };
const failure = (code: string, field: string) => ({
  status: 'FAILURE',
  validationErrorList: [{ description: code, code, pointer: { messageElementPath: field } }],
});

export const relationFaults: readonly Fault[] = [
  {
    name: 'gives a relation the level of a message',
    caughtBy: ['MREL-001'],
    make: changes(STATUS, (status) => ({ ...status, level: 'TRANSPORT' })),
  },
  {
    name: 'reads the representative of a relation as an object alone',
    caughtBy: ['MREL-001'],
    make: () => ({
      onRequest: (request) =>
        isRelating(request) && typeof jsonOf(request)?.representative === 'string'
          ? respondProblem(400)
          : undefined,
    }),
  },
  {
    name: 'hangs any message on any other',
    caughtBy: ['MREL-002'],
    make: forgives('INCOMPATIBLE'),
  },
  {
    name: 'relates messages that are not there',
    caughtBy: ['MREL-003'],
    make: forgives('REFERENCE_NOT_FOUND'),
  },
  {
    name: 'says that a message exists to whoever knows no more than its MRN',
    caughtBy: ['MREL-003'],
    make: () => {
      const known = new Set<string>();
      const asked = new Map<string, string>();
      return {
        onResponse: (response, request) => {
          const { requestId, mrn, validationErrorList } = jsonOf(response) ?? {};
          if (isRelating(request)) asked.set(requestId, jsonOf(request)?.childObjectReference);
          if (mrn !== undefined) known.add(mrn);
          if (!STATUS.test(request.url.pathname) || validationErrorList === undefined) return;
          if (!known.has(asked.get(requestId) ?? '')) return;
          changeJson(response, (status) => ({
            ...status,
            validationErrorList: validationErrorList.map((error: Json) => ({
              ...error,
              description: `${error.description}: it is another one`,
            })),
          }));
        },
      };
    },
  },
  {
    name: 'names one error of a relation alone',
    caughtBy: ['MREL-004'],
    make: () => ({
      onResponse: (response, request) => {
        if (!isRelating(request) || response.status !== 400) return;
        changeJson(response, (problem) => ({
          ...problem,
          validationErrors: problem.validationErrors?.slice(0, 1),
        }));
      },
    }),
  },
  {
    name: 'leaves what hangs by relations out of trees',
    caughtBy: ['MREL-005', 'MREL-007', 'MREL-011'],
    make: changes(TREE, (tree) => ({
      ...tree,
      masterConsignments: tree.masterConsignments.filter((each: Json) => !each.relation),
      houseConsignments: tree.houseConsignments?.filter((each: Json) => !each.relation) ?? [],
    })),
  },
  {
    name: 'goes on following relations that were cancelled',
    caughtBy: ['MREL-005'],
    make: () =>
      answers((request) => (cancelled(request) === undefined ? undefined : { ...success })),
  },
  {
    name: 'replaces relations',
    caughtBy: ['MREL-006'],
    make: () => ({
      onRequest: ({ method, url }) =>
        method === 'PUT' && ADDRESS.test(url.pathname)
          ? respond(202, { requestId: crypto.randomUUID() })
          : undefined,
    }),
  },
  {
    name: 'lets nobody relate messages but those who lodged one',
    caughtBy: ['MREL-007'],
    make: () => {
      const lodged = new Set<string | undefined>();
      return answers((request) => {
        const { authorization } = request.headers;
        if (request.method !== 'POST') return undefined;
        if (!isRelating(request)) lodged.add(authorization);
        else if (!lodged.has(authorization)) {
          return failure('REFERENCE_NOT_FOUND', 'parentObjectReference');
        }
        return undefined;
      });
    },
  },
  {
    name: 'lets anybody cancel a relation',
    caughtBy: ['MREL-008'],
    make: () => {
      const tokens = new Set<string>();
      return {
        onResponse: async (response, request, forward) => {
          tokens.add(request.headers.authorization ?? '');
          if (cancelled(request) === undefined || response.status !== 404) return;
          for (const authorization of tokens) {
            const other = await forward({ ...request, headers: { authorization } });
            if (other.status === 202) replace(response, other);
          }
        },
      };
    },
  },
  {
    name: 'lets nobody cancel a relation but whoever made it',
    caughtBy: ['MREL-008'],
    make: () => {
      let maker: string | undefined;
      return {
        onRequest: (request) => {
          const { authorization } = request.headers;
          if (isRelating(request)) maker = authorization;
          return cancelled(request) !== undefined && authorization !== maker
            ? respondProblem(404)
            : undefined;
        },
      };
    },
  },
  {
    name: 'cancels relations because of which goods were presented',
    caughtBy: ['MREL-009'],
    make: forgives('PRESENTED'),
  },
  {
    name: 'relates a pair as often as it is asked',
    caughtBy: ['MREL-010'],
    make: forgives('DUPLICATE'),
  },
  {
    name: 'refuses to cancel a relation twice',
    caughtBy: ['MREL-011'],
    make: () => {
      const ended = new Set<string>();
      return answers((request) => {
        const mrn = cancelled(request);
        if (mrn === undefined) return undefined;
        if (ended.has(mrn)) return failure('NOT_CURRENT', 'MRN');
        ended.add(mrn);
        return undefined;
      });
    },
  },
  {
    name: 'makes relations that nothing follows',
    caughtBy: ['MREL-012', 'MREL-005'],
    make: () => answers((request) => (isRelating(request) ? success : undefined)),
  },
  {
    name: 'presents nothing that is related after the arrival',
    caughtBy: ['MREL-013'],
    make: () => {
      const arrived = new Set<string>();
      return answers((request) => {
        if (request.url.pathname.endsWith('/transport-arrival')) {
          arrived.add(jsonOf(request)?.mrn);
        }
        const isLate = isRelating(request) && arrived.has(jsonOf(request)?.parentObjectReference);
        return isLate ? success : undefined;
      });
    },
  },
  {
    name: 'cancels relations of messages that have ended',
    caughtBy: ['MREL-014'],
    make: forgives('NOT_CURRENT'),
  },
  {
    name: 'does not name the relations of a message',
    caughtBy: ['MREL-015'],
    make: changes(MESSAGE, ({ relations: _, ...message }) => message),
  },
];
