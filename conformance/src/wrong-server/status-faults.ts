// Faults of the statuses of presentation requests.
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  replace,
  respond,
  respondProblem,
} from './fault.js';
import { isPresentation, isStatus, requestIdOf } from './presentation-requests.js';

/** Changes each status that is read, alone or in a list. */
function changesStatuses(change: (status: Json) => Json): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (!isStatus(request) || response.status !== 200) return;
      changeJson(response, (body) => (Array.isArray(body) ? body.map(change) : change(body)));
    },
  });
}

/** Removes a parameter of the query of statuses. */
function ignoresQuery(name: string): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      if (isStatus(request)) request.url.searchParams.delete(name);
      return undefined;
    },
  });
}

export const statusFaults: readonly Fault[] = [
  {
    name: 'changes a status whenever it is read',
    caughtBy: ['STAT-008'],
    make: changesStatuses((status) => ({
      ...status,
      notificationDate: new Date().toISOString(),
    })),
  },
  {
    name: 'sends statuses as events without ids',
    caughtBy: ['STAT-009'],
    make: () => ({ onEvent: (event) => event.replace(/^id:.*\n?/m, '') }),
  },
  {
    name: 'counts one house consignment too few',
    caughtBy: ['PRES-005', 'STAT-001'],
    make: changesStatuses((status) => ({
      ...status,
      houseConsignments: Math.max(0, status.houseConsignments - 1),
    })),
  },
  {
    name: 'does not record refused presentations',
    caughtBy: ['STAT-002'],
    make: () => ({
      onResponse: (response, request) => {
        if (isStatus(request) && jsonOf(response)?.status === 'FAILURE')
          replace(response, respondProblem(404));
      },
    }),
  },
  {
    name: 'leaves out the errors of a status',
    caughtBy: ['STAT-002'],
    make: changesStatuses(({ validationErrorList: _, ...status }) => status),
  },
  {
    name: 'does not name ignored members',
    caughtBy: ['PRES-014'],
    make: changesStatuses(({ ignoredMembers: _, ...status }) => status),
  },
  {
    name: 'does not know strict handling',
    caughtBy: ['PRES-030'],
    make: () => ({
      onRequest: (request) => {
        if (isPresentation(request)) delete request.headers.prefer;
        return undefined;
      },
    }),
  },
  {
    name: 'leaves out a member of the schema of a status',
    caughtBy: ['STAT-001'],
    make: changesStatuses(({ level: _, ...status }) => status),
  },
  {
    name: 'names a declaration where a receptacle reached several',
    caughtBy: ['STAT-003'],
    make: changesStatuses((status) => ({ mrn: '26NO00000000000001', ...status })),
  },
  {
    name: 'lists the newest statuses of a page first',
    caughtBy: ['STAT-004'],
    make: () => ({
      onResponse: (response, request) => {
        if (isStatus(request))
          changeJson(response, (body) =>
            Array.isArray(body) && body.length > 2
              ? [...body.slice(0, -1).reverse(), body.at(-1)]
              : body,
          );
      },
    }),
  },
  { name: 'ignores the filter mrn', caughtBy: ['STAT-005'], make: ignoresQuery('mrn') },
  { name: 'ignores the filter status', caughtBy: ['STAT-005'], make: ignoresQuery('status') },
  {
    name: 'ignores the marker of the statuses of a declaration',
    caughtBy: ['STAT-006'],
    make: () => ({
      onRequest: (request) => {
        if (/\/validation-status\/\d\dNO/.test(request.url.pathname))
          request.url.searchParams.delete('marker');
        return undefined;
      },
    }),
  },
  {
    name: 'responds to an unknown requestId as if it were pending',
    caughtBy: ['STAT-007'],
    make: () => ({
      onResponse: (response, request) => {
        if (isStatus(request) && response.status === 404)
          replace(response, respond(200, { status: 'PENDING' }));
      },
    }),
  },
  {
    name: 'shows the status of another organisation',
    caughtBy: ['ISOL-004'],
    make: () => {
      let presenter = '';
      return {
        onResponse: async (response, request, forward) => {
          const { authorization = '' } = request.headers;
          if (isPresentation(request)) presenter = authorization;
          if (!isStatus(request) || response.status !== 404) return;
          replace(response, await forward({ ...request, headers: { authorization: presenter } }));
        },
      };
    },
  },
  {
    name: 'sends 403 for the status of another organisation',
    caughtBy: ['ISOL-004'],
    make: () => {
      const known = new Set<string>();
      return {
        onResponse: (response, request) => {
          if (isPresentation(request)) known.add(requestIdOf(request));
          const id = request.url.pathname.split('/').at(-1) ?? '';
          if (isStatus(request) && response.status === 404 && known.has(id)) {
            replace(response, respondProblem(403));
          }
        },
      };
    },
  },
];
