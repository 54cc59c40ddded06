// Faults of queries of movement messages and of the entry status.
import {
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  type ProxiedRequest,
  respond,
} from './fault.js';
import { readsAsOthers } from './movement-requests.js';

const PREFIX = /^\/api\/movement\/(?:road|air|rail|maritime)\/status\/v\d\//;

/** The path of a query below its mode; `undefined` for other requests. */
function queryOf({ method, url }: ProxiedRequest): string | undefined {
  if (method !== 'GET' || !PREFIX.test(url.pathname)) return undefined;
  const path = url.pathname.replace(PREFIX, '');
  return path.includes('validation-status') ? undefined : path;
}

/** Changes the responses of the queries whose path matches. */
const changes =
  (path: RegExp, change: (body: Json, request: ProxiedRequest) => Json) =>
  (): ReturnType<Fault['make']> => ({
    onResponse: (response, request) => {
      if (response.status === 200 && path.test(queryOf(request) ?? '')) {
        changeJson(response, (body) => change(body, request));
      }
    },
  });

const tree = /^transport\/\w+\/status-with-descendants$/;
const masterTree = /^master-consignment\/\w+\/status-with-descendants$/;
const masters = /^transport\/\w+\/master-consignment\/transport-document\/status$/;
const houses = /^transport\/\w+\/house-consignment\/transport-document\/status$/;
const one = /^house-consignment\/(?:\w+\/)?transport-document\/status$/;
const receptacle = /postal-receptacle/;
const entry = /^entry\/status\//;

export const movementQueryFaults: readonly Fault[] = [
  {
    name: 'leaves direct house consignments out of a tree',
    caughtBy: ['MQRY-001'],
    make: changes(tree, ({ houseConsignments: _, ...body }) => body),
  },
  {
    name: 'has an empty list of direct house consignments in each tree',
    caughtBy: ['MQRY-001'],
    make: changes(tree, (body) => ({ houseConsignments: [], ...body })),
  },
  {
    name: 'says that everything that a transport names is received',
    caughtBy: ['MQRY-002'],
    make: changes(masters, (body: Json[]) => body.map((each) => ({ ...each, received: true }))),
  },
  {
    name: 'leaves out direct consignments that are not lodged',
    caughtBy: ['MQRY-002'],
    make: changes(houses, (body: Json[]) => body.filter(({ received }) => received)),
  },
  {
    name: 'says that a master consignment is complete as soon as it is lodged',
    caughtBy: ['MQRY-003'],
    make: changes(masters, (body: Json[]) =>
      body.map((each) => ({ ...each, ...(each.received && { documentStatus: 'SUCCESS' }) })),
    ),
  },
  {
    name: 'sends an empty list of reasons of what is complete',
    caughtBy: ['MQRY-003'],
    make: changes(houses, (body: Json[]) =>
      body.map((each) => ({ incompleteDocumentationReasonList: [], ...each })),
    ),
  },
  {
    name: 'sorts the house consignments of a transport by their documents',
    caughtBy: ['MQRY-004'],
    make: changes(houses, (body: Json[]) =>
      body.sort((a, b) => (a.documentNumber < b.documentNumber ? -1 : 1)),
    ),
  },
  {
    name: 'has the tree of a master consignment in a list',
    caughtBy: ['MQRY-005'],
    make: changes(masterTree, (body) => [body]),
  },
  {
    name: 'has the status of one house consignment in a list',
    caughtBy: ['MQRY-006'],
    make: changes(one, (body) => [body]),
  },
  {
    name: 'finds nothing in place of saying that no message has a document',
    caughtBy: ['MQRY-007'],
    make: () => ({
      onResponse: (response, request) => {
        const isByDocument = request.url.searchParams.has('documentNumber');
        if (response.status === 404 && queryOf(request) !== undefined && isByDocument) {
          Object.assign(response, respond(200, []));
        }
      },
    }),
  },
  {
    name: 'finds documents of any carrier',
    caughtBy: ['MQRY-007'],
    make: () => ({
      onRequest: (request) => {
        const { searchParams } = request.url;
        if (queryOf(request) !== undefined && searchParams.has('documentNumber')) {
          if (!searchParams.has('carrierId')) searchParams.set('carrierId', 'ANY');
        }
        return undefined;
      },
    }),
  },
  {
    name: 'lists what others have in a receptacle',
    caughtBy: ['MQRY-008'],
    make: () => {
      const tokens = new Set<string>();
      return {
        onResponse: async (response, request, forward) => {
          tokens.add(request.headers.authorization ?? '');
          if (response.status !== 200 || !receptacle.test(queryOf(request) ?? '')) return;
          const all: Json[] = [];
          for (const authorization of tokens) {
            const other = await forward({ ...request, headers: { authorization } });
            if (other.status === 200) all.push(...jsonOf(other));
          }
          changeJson(response, () => all);
        },
      };
    },
  },
  {
    name: 'counts a house consignment for each of its master consignments',
    caughtBy: ['MQRY-009'],
    make: changes(tree, (body) => ({
      ...body,
      sumOfWeightForHouseConsignments: [
        ...body.masterConsignments.map((each: Json) => each.sumOfWeightForHouseConsignments),
        ...(body.houseConsignments ?? []).map((each: Json) => each.weight ?? 0),
      ].reduce((sum, weight) => sum + weight, 0),
    })),
  },
  {
    name: 'responds to the queries of anybody',
    caughtBy: ['MQRY-010'],
    make: readsAsOthers((request) => queryOf(request) !== undefined),
  },
  {
    name: 'says that goods may be unloaded before they have arrived',
    caughtBy: ['ENTR-001'],
    make: changes(entry, ({ mrn }) => ({ validEntry: true, mrn })),
  },
  {
    name: 'gives one reason at most why goods may not be unloaded',
    caughtBy: ['ENTR-001'],
    make: changes(entry, (body) => ({ ...body, reasons: body.reasons?.slice(0, 1) })),
  },
  {
    name: 'does not wait for an entry status to change',
    caughtBy: ['ENTR-002'],
    make: () => ({
      onRequest: (request) => {
        if (entry.test(queryOf(request) ?? '')) delete request.headers.prefer;
        return undefined;
      },
    }),
  },
];
