// Faults of the authority's operations: declarations, decisions, house consignments, organisations.
import {
  type Behaviour,
  changeJson,
  type Fault,
  firstCode,
  type Json,
  jsonOf,
  type ProxiedRequest,
  type ProxiedResponse,
  replace,
  respond,
  respondProblem,
} from './fault.js';

const DECLARATIONS = '/api/authority/v1/entry-summary-declarations';
const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 };

type Change = (response: ProxiedResponse, request: ProxiedRequest) => void;

/** Changes responses of one method below a path. */
function on(method: string, path: string, change: Change): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (request.method === method && request.url.pathname.includes(path))
        change(response, request);
    },
  });
}

const withdrawn: Change = (response) => {
  const result = { mrn: '26NO00000000000001', status: 'WITHDRAWN', houseConsignments: counts };
  replace(response, respond(200, result));
};

/** Presents a declaration that was registered, whenever a request about it comes to a path. */
function presentsDeclarations(path: string): Behaviour {
  const mrns = new Map<string, string>();
  let presenter = '';
  return {
    onResponse: async (response, request, forward) => {
      const { pathname } = request.url;
      const body = jsonOf(request);
      for (const { transportDocumentHouseLevel } of body?.houseConsignments ?? []) {
        mrns.set(transportDocumentHouseLevel.documentNumber, body.mrn);
      }
      if (pathname.includes('/presentation/')) presenter = request.headers.authorization ?? '';
      const isPath = request.method !== 'GET' && pathname.includes(path) && response.status < 300;
      if (!isPath || presenter === '') return;
      const mrn = body?.mrn ?? mrns.get(body?.transportDocumentHouseLevel?.documentNumber);
      await forward({
        method: 'POST',
        url: new URL('/api/movement/presentation/v1/entry-summary-declaration', request.url),
        headers: { authorization: presenter, 'content-type': 'application/json' },
        body: JSON.stringify({
          requestId: crypto.randomUUID(),
          customsOfficeOfPresentation: 'NO351001',
          mrn,
        }),
      });
    },
  };
}

export const authorityFaults: readonly Fault[] = [
  {
    name: 'responds 200 to a new declaration',
    caughtBy: ['REGI-001'],
    make: on('PUT', DECLARATIONS, (response) => {
      if (response.status === 201) response.status = 200;
    }),
  },
  {
    name: 'does not return a member of a declaration',
    caughtBy: ['REGI-001'],
    make: on('GET', DECLARATIONS, (response) => {
      changeJson(response, ({ representative: _, ...declaration }) => declaration);
    }),
  },
  {
    name: 'reports a change for an equal declaration',
    caughtBy: ['REGI-002'],
    make: on('PUT', DECLARATIONS, (response) => {
      response.body = response.body.replace('UNCHANGED', 'CHANGED');
    }),
  },
  {
    name: 'does not remove what a declaration no longer lists',
    caughtBy: ['REGI-003'],
    make: on('PUT', DECLARATIONS, (response) => {
      response.body = response.body.replace('"removed":1', '"removed":0');
    }),
  },
  {
    name: 'withdraws what does not exist',
    caughtBy: ['REGI-004'],
    make: on('DELETE', DECLARATIONS, (response, request) => {
      if (response.status === 404) withdrawn(response, request);
    }),
  },
  {
    name: 'withdraws presented goods',
    caughtBy: ['REGI-005'],
    make: on('DELETE', DECLARATIONS, (response, request) => {
      if (firstCode(response) === 'PRESENTED') withdrawn(response, request);
    }),
  },
  {
    name: 'changes presented goods',
    caughtBy: ['REGI-005'],
    make: on('PUT', DECLARATIONS, (response) => {
      const result = { mrn: '26NO00000000000001', status: 'CHANGED', houseConsignments: counts };
      if (firstCode(response) === 'PRESENTED') replace(response, respond(200, result));
    }),
  },
  {
    name: 'ignores mrn in the body of a declaration',
    caughtBy: ['REGI-006'],
    make: on('PUT', DECLARATIONS, (response) => {
      const result = { mrn: '26NO00000000000001', status: 'REGISTERED', houseConsignments: counts };
      if (response.status === 400) replace(response, respond(201, result));
    }),
  },
  {
    name: 'ends an upload at the first invalid line',
    caughtBy: ['REGI-007'],
    make: on('POST', DECLARATIONS, (response) => {
      response.body = response.body.replace(/(REFUSED.*\n)[\s\S]*/, '$1');
    }),
  },
  {
    name: 'returns the results of an upload in another order',
    caughtBy: ['REGI-007'],
    make: on('POST', DECLARATIONS, (response) => {
      response.body = `${response.body.trimEnd().split('\n').reverse().join('\n')}\n`;
    }),
  },
  {
    name: 'lets a repeated registration replace a later decision',
    caughtBy: ['REGI-008'],
    make: () => {
      const registered = new Set<string>();
      return {
        onResponse: async (_, request, forward) => {
          if (request.method !== 'PUT' || !request.url.pathname.includes(DECLARATIONS)) return;
          const { mrn, houseConsignments = [] } = jsonOf(request) ?? {};
          if (registered.has(mrn)) {
            const url = new URL('/api/authority/v1/routing-decisions', request.url);
            const decisions = houseConsignments.map((house: Json) => ({ mrn, ...house }));
            await forward({ ...request, method: 'POST', url, body: JSON.stringify(decisions) });
          }
          registered.add(mrn);
        },
      };
    },
  },
  {
    name: 'presents the whole declaration with one house consignment',
    caughtBy: ['PRES-001'],
    make: () => presentsDeclarations('/presentation/v1/house-consignment'),
  },
  {
    name: 'presents what is added to a presented declaration',
    caughtBy: ['PRES-013'],
    make: () => presentsDeclarations(DECLARATIONS),
  },
  {
    name: 'accepts an invalid list of customs offices',
    caughtBy: ['REGI-010'],
    make: on('PUT', '/code-lists/', (response) => {
      if (response.status === 400) replace(response, respond(200, {}));
    }),
  },
  {
    name: 'does not verify the keys of registered clients',
    caughtBy: ['REGI-011'],
    make: on('POST', '/idp/token', (response) => {
      const token = { access_token: 'wrong', token_type: 'Bearer', expires_in: 60, scope: '' };
      if (response.body.includes('MP-124')) replace(response, respond(200, token));
    }),
  },
  {
    name: 'cannot block an organisation',
    caughtBy: ['REGI-012'],
    make: () => ({
      onRequest: ({ body }) => (body.includes('"blocked":true') ? respondProblem(400) : undefined),
    }),
  },
  {
    name: 'stores private keys of clients',
    caughtBy: ['REGI-009'],
    make: on('PUT', '/organisations/', (response, { body }) => {
      if (response.status === 400 && body.includes('"d"')) replace(response, respond(200, {}));
    }),
  },
  {
    name: 'registers a client of another organisation',
    caughtBy: ['REGI-009'],
    make: on('PUT', '/organisations/', (response) => {
      if (firstCode(response) === 'TAKEN') replace(response, respond(200, {}));
    }),
  },
  {
    name: 'refuses all decisions for one that is refused',
    caughtBy: ['DECI-001'],
    make: on('POST', '/routing-decisions', (response) => {
      if (response.body.includes('REFUSED')) replace(response, respondProblem(400));
    }),
  },
  {
    name: 'decides on any of several house consignments with the same document',
    caughtBy: ['DECI-002'],
    make: on('POST', '/routing-decisions', (response) => {
      response.body = response.body.replace('REFUSED', 'DECIDED');
    }),
  },
  {
    name: 'counts signals before they are issued',
    caughtBy: ['DECI-003'],
    make: on('POST', '/routing-decisions', (response) => {
      response.body = response.body.replaceAll('"signals":0', '"signals":2');
    }),
  },
  {
    name: 'returns the results of decisions as an array, whatever is requested',
    caughtBy: ['DECI-004'],
    make: () => ({
      onRequest: (request) => {
        if (request.headers.accept === 'application/x-ndjson')
          request.headers.accept = 'application/json';
        return undefined;
      },
    }),
  },
  {
    name: 'accepts an empty list of decisions',
    caughtBy: ['DECI-005'],
    make: on('POST', '/routing-decisions', (response, { body }) => {
      if (body === '[]') replace(response, respond(200, []));
    }),
  },
  {
    name: 'ignores a filter of the search',
    caughtBy: ['DECI-006'],
    make: () => ({
      onRequest: ({ url }) => {
        url.searchParams.delete('containerId');
        return undefined;
      },
    }),
  },
  {
    name: 'shows a state that does not change with the presentation',
    caughtBy: ['DECI-007'],
    make: on('GET', '/house-consignments', (response) => {
      changeJson(response, (found) =>
        Array.isArray(found)
          ? found.map((house: Json) => ({ ...house, state: 'PRE_NOTIFIED' }))
          : found,
      );
    }),
  },
  {
    name: 'has the newest event of a history first',
    caughtBy: ['DECI-008'],
    make: on('GET', '/history', (response) => {
      changeJson(response, (events) => (Array.isArray(events) ? events.reverse() : events));
    }),
  },
];
