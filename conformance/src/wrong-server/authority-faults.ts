// Faults of the authority's operations: declarations, decisions, house consignments, organisations.
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Forward,
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

const RUNS = '/api/authority/v1/routing-runs';
const PROFILES = '/api/authority/v1/routing-profiles';
const LIVE_PROFILE = '/api/authority/v1/live-routing-profile';

type Change = (
  response: ProxiedResponse,
  request: ProxiedRequest,
  forward: Forward,
) => void | Promise<void>;

/** Changes responses of one method below a path. */
function on(method: string, path: string, change: Change): () => Behaviour {
  return () => ({
    onResponse: (response, request, forward) => {
      const isOn = request.method === method && request.url.pathname.includes(path);
      return isOn ? change(response, request, forward) : undefined;
    },
  });
}

/** Changes runs before they are created. */
function changesRuns(change: (run: Json) => Json): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      const run = jsonOf(request);
      if (request.url.pathname !== RUNS || run?.select === undefined) return undefined;
      request.body = JSON.stringify(change(run));
      return undefined;
    },
  });
}

/** Removes a member of decisions before they are posted. */
function withoutMember(name: string): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      if (!request.url.pathname.endsWith('/routing-decisions')) return undefined;
      const sent: unknown = jsonOf(request);
      if (!Array.isArray(sent)) return undefined;
      request.body = JSON.stringify(sent.map((each: Json) => ({ ...each, [name]: undefined })));
      return undefined;
    },
  });
}

const withdrawn = (response: ProxiedResponse) => {
  const result = { mrn: '26NO00000000000001', status: 'WITHDRAWN', houseConsignments: counts };
  replace(response, respond(200, result));
};

/** Another request of the same caller. */
function withoutBody(
  { headers: { authorization = '' } }: ProxiedRequest,
  method: string,
  url: URL,
): ProxiedRequest {
  return { method, url, headers: { authorization }, body: '' };
}

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
    make: on('DELETE', DECLARATIONS, (response) => {
      if (response.status === 404) withdrawn(response);
    }),
  },
  {
    name: 'withdraws presented goods',
    caughtBy: ['REGI-005'],
    make: on('DELETE', DECLARATIONS, (response) => {
      if (firstCode(response) === 'PRESENTED') withdrawn(response);
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
      const end = response.body.indexOf('\n', response.body.indexOf('REFUSED'));
      if (response.body.includes('REFUSED')) response.body = response.body.slice(0, end + 1);
    }),
  },
  {
    name: 'ends the results of an upload without their summary',
    caughtBy: ['REGI-022'],
    make: on('POST', DECLARATIONS, (response) => {
      const lines = response.body.split('\n').filter((line) => !line.startsWith('{"summary"'));
      response.body = lines.join('\n');
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
    name: 'adds a list of customs offices to the previous one',
    caughtBy: ['REGI-013'],
    make: () => {
      let rows: string[] = [];
      let added = '';
      return {
        onRequest: (request) => {
          if (request.method !== 'PUT' || !request.url.pathname.includes('/code-lists/')) return;
          const [header = '', ...given] = request.body.trim().split('\n');
          added = String(given.length);
          rows = [...new Set([...rows, ...given])];
          request.body = [header, ...rows].join('\n');
          return undefined;
        },
        onResponse: (response, { url }) => {
          if (!url.pathname.includes('/code-lists/')) return;
          response.body = response.body.replace(/"entries":\d+/, `"entries":${added}`);
        },
      };
    },
  },
  {
    name: 'replaces a list of customs offices by one that removes most of it',
    caughtBy: ['REGI-021'],
    make: on('PUT', '/code-lists/', (response, { url }) => {
      const isRefused = response.status === 400 && response.body.includes('expectedRemovals');
      if (isRefused && url.search === '') replace(response, respond(200, {}));
    }),
  },
  {
    name: 'ignores how many customs offices an import is expected to remove',
    caughtBy: ['REGI-021'],
    make: () => ({
      onRequest: ({ url }) => {
        url.searchParams.delete('expectedRemovals');
        return undefined;
      },
    }),
  },
  {
    name: 'carries out the preview of an import',
    caughtBy: ['REGI-021'],
    make: () => ({
      onRequest: async (request, forward) => {
        const { searchParams, pathname } = request.url;
        if (!pathname.includes('/code-lists/') || !searchParams.has('preview')) return undefined;
        const { removed } = JSON.parse((await forward(request)).body);
        searchParams.delete('preview');
        searchParams.set('expectedRemovals', String(removed.count));
        return undefined;
      },
    }),
  },
  {
    name: 'does not decide by the live profile',
    caughtBy: ['DECI-009'],
    make: on('PUT', LIVE_PROFILE, async (_, request, forward) => {
      await forward(withoutBody(request, 'DELETE', request.url));
    }),
  },
  {
    name: 'decides on earlier goods when a profile becomes live',
    caughtBy: ['DECI-009'],
    make: on('PUT', LIVE_PROFILE, async (_, request, forward) => {
      await forward(withoutBody(request, 'POST', new URL(`${LIVE_PROFILE}/apply`, request.url)));
    }),
  },
  {
    name: 'stores an equal profile as another version',
    caughtBy: ['DECI-010'],
    make: () => {
      // Requirements that run at the same time write profiles of their own.
      const lastBodies = new Map<string, string>();
      return {
        onResponse: (response, { method, url, body }) => {
          if (method !== 'PUT' || !url.pathname.includes(PROFILES)) return;
          if (body === lastBodies.get(url.pathname)) {
            response.body = response.body.replace('"version":1', '"version":2');
          }
          lastBodies.set(url.pathname, body);
        },
      };
    },
  },
  {
    name: 'ignores a condition that it does not know',
    caughtBy: ['DECI-010'],
    make: on('PUT', PROFILES, (response) => {
      if (firstCode(response) === 'UNKNOWN_MEMBER') replace(response, respond(200, {}));
    }),
  },
  {
    name: 'lists profiles from the first one, whatever the marker',
    caughtBy: ['DECI-022'],
    make: () => ({
      onRequest: ({ method, url }) => {
        if (method === 'GET' && url.pathname.endsWith(PROFILES)) url.searchParams.delete('marker');
        return undefined;
      },
    }),
  },
  {
    name: 'lists the first page of profiles as if it were everything',
    caughtBy: ['DECI-022'],
    make: on('GET', PROFILES, (response) => {
      delete response.headers.link;
    }),
  },
  {
    name: 'leaves out in a dry run what would be decided',
    caughtBy: ['DECI-011'],
    make: on('POST', PROFILES, (response) => {
      response.body = response.body.replaceAll(/"decided":\d+/g, '"decided":0');
    }),
  },
  {
    name: 'counts nothing for the conditions of a rule in a dry run',
    caughtBy: ['DECI-011'],
    make: on('POST', PROFILES, (response) => {
      response.body = response.body.replaceAll(/("condition":"\w+","held":)\d+/g, '$10');
    }),
  },
  {
    name: 'decides in a dry run',
    caughtBy: ['DECI-011'],
    make: () => {
      let registered: Json;
      return {
        onResponse: async (_, request, forward) => {
          const { method, url } = request;
          if (method === 'PUT' && url.pathname.includes(DECLARATIONS)) registered = jsonOf(request);
          if (!url.pathname.endsWith('/dry-run')) return;
          const { mrn, houseConsignments } = registered;
          const [{ transportDocumentHouseLevel }] = houseConsignments;
          const decision = { mrn, transportDocumentHouseLevel, routing: 'TO_ENTRY' };
          const to = new URL('/api/authority/v1/routing-decisions', url);
          await forward({ ...request, url: to, body: JSON.stringify([decision]) });
        },
      };
    },
  },
  ...[
    'importProcedure',
    'outgoingProcedure',
    'carrierIdentificationNumber',
    'consignorCountry',
    'grossMassFrom',
    'notified',
  ].map(
    (condition): Fault => ({
      name: `ignores the condition ${condition} of a profile`,
      caughtBy: ['DECI-024'],
      make: () => ({
        onRequest: (request) => {
          if (request.method !== 'PUT' || !request.url.pathname.includes(PROFILES))
            return undefined;
          const profile: Json = jsonOf(request);
          if (!Array.isArray(profile?.rules)) return undefined;
          const rules = profile.rules.map(
            ({ when: { [condition]: _, ...when } = {}, ...rule }: Json) => ({ ...rule, when }),
          );
          request.body = JSON.stringify({ ...profile, rules });
          return undefined;
        },
      }),
    }),
  ),
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
    name: 'lists organisations from the first one, whatever the marker',
    caughtBy: ['REGI-016'],
    make: () => ({
      onRequest: ({ method, url }) => {
        if (method === 'GET' && url.pathname.endsWith('/organisations')) {
          url.searchParams.delete('marker');
        }
        return undefined;
      },
    }),
  },
  {
    name: 'names no organisation',
    caughtBy: ['REGI-043'],
    make: on('GET', '/organisation-names', (response) => {
      if (response.status === 200) replace(response, respond(200, []));
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
    name: 'reads a code list from its first code, whatever the marker',
    caughtBy: ['REGI-041'],
    make: () => ({
      onRequest: ({ method, url }) => {
        if (method === 'GET' && url.pathname.includes('/code-lists/v1/')) {
          url.searchParams.delete('marker');
        }
        return undefined;
      },
    }),
  },
  {
    name: 'finds codes whatever their names are',
    caughtBy: ['REGI-041'],
    make: () => ({
      onRequest: ({ method, url }) => {
        if (method === 'GET' && url.pathname.includes('/code-lists/v1/')) {
          url.searchParams.delete('text');
        }
        return undefined;
      },
    }),
  },
  {
    name: 'takes places whose code has another form',
    caughtBy: ['REGI-042'],
    make: on('PUT', '/code-lists/cl144', (response) => {
      if (response.status === 400) replace(response, respond(200, {}));
    }),
  },
  {
    name: 'gives an identification number to two organisations',
    caughtBy: ['REGI-040'],
    make: on('PUT', '/organisations/', (response, { body }) => {
      if (body.includes('identificationNumbers') && firstCode(response) === 'TAKEN') {
        replace(response, respond(200, {}));
      }
    }),
  },
  {
    name: 'replaces an organisation that has changed since it was read',
    caughtBy: ['REGI-014'],
    make: () => ({
      onRequest: ({ headers }) => {
        if (headers['if-match'] !== undefined) headers['if-match'] = '*';
        return undefined;
      },
    }),
  },
  {
    name: 'replaces an organisation that is to be created',
    caughtBy: ['REGI-015'],
    make: () => ({
      onRequest: ({ headers }) => {
        delete headers['if-none-match'];
        return undefined;
      },
    }),
  },
  {
    name: 'replaces an organisation without a precondition',
    caughtBy: ['REGI-025'],
    make: () => ({
      onRequest: ({ method, url, headers, body }) => {
        const isReplacement = method === 'PUT' && url.pathname.includes('/organisations/');
        if (isReplacement && body.includes('"Changed"')) headers['if-match'] = '*';
        return undefined;
      },
    }),
  },
  {
    name: 'removes what a change of an organisation does not name',
    caughtBy: ['REGI-026'],
    make: on('PATCH', '/organisations/', (response) => {
      changeJson(response, (organisation: Json) => ({ ...organisation, grantedScopes: [] }));
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
    name: 'searches for whole identifiers alone',
    caughtBy: ['DECI-012'],
    make: on('GET', '/house-consignment-search', (response) => {
      changeJson(response, (found) => ({ ...found, houseConsignments: [] }));
    }),
  },
  {
    name: 'lists no goods that wait for a decision',
    caughtBy: ['DECI-013'],
    make: on('GET', '/undecided-arrivals', (response) => {
      replace(response, respond(200, []));
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
  {
    name: 'has the newest decision on a house consignment first',
    caughtBy: ['DECI-014'],
    make: on('GET', '/decisions', (response) => {
      changeJson(response, (kept) => (Array.isArray(kept) ? kept.reverse() : kept));
    }),
  },
  {
    name: 'does not list decisions that were registered',
    caughtBy: ['DECI-014'],
    make: on('GET', '/routing-decisions', (response) => {
      changeJson(response, (kept) =>
        Array.isArray(kept) ? kept.filter(({ origin }) => origin !== 'REGISTRATION') : kept,
      );
    }),
  },
  {
    name: 'makes a decision again that was made before',
    caughtBy: ['DECI-015'],
    make: withoutMember('decisionId'),
  },
  {
    name: 'replaces a decision that is not the expected one',
    caughtBy: ['DECI-016'],
    make: withoutMember('expected'),
  },
  {
    name: 'takes back a decision on goods that may have been released',
    caughtBy: ['DECI-017'],
    make: on('POST', '/routing-decisions', (response) => {
      if (!response.body.includes('RELEASED')) return;
      replace(response, respond(200, [{ line: 1, status: 'DECIDED', signals: 0 }]));
    }),
  },
  {
    name: 'ignores a filter of a run',
    caughtBy: ['DECI-018'],
    make: changesRuns(({ select: { state: _, ...select }, ...run }) => ({ ...run, select })),
  },
  {
    name: 'creates a run of another count than the expected one',
    caughtBy: ['DECI-019'],
    make: changesRuns(({ expectedCount: _, ...run }) => run),
  },
  {
    name: 'says that a completed run is paused',
    caughtBy: ['DECI-020'],
    make: on('PUT', RUNS, (response) => {
      if (response.status === 400) replace(response, respond(200, {}));
    }),
  },
  {
    name: 'changes a run without knowing its state',
    caughtBy: ['DECI-023'],
    make: on('PUT', RUNS, (response) => {
      if (response.status === 428) replace(response, respond(200, {}));
    }),
  },
  {
    name: 'says that a reversal has decided what somebody has decided since',
    caughtBy: ['DECI-021'],
    make: on('GET', '/results', (response) => {
      response.body = response.body.replaceAll('CONFLICT', 'DECIDED');
    }),
  },
  {
    name: 'gives goods that return another id',
    caughtBy: ['REGI-017'],
    make: on('GET', '/house-consignments', (response, { url }) => {
      if (url.searchParams.get('state') !== 'WITHDRAWN') return;
      const id = '00000000-0000-7000-8000-000000000000';
      changeJson(response, (found) =>
        Array.isArray(found) ? found.map((house: Json) => ({ ...house, id })) : found,
      );
    }),
  },
  {
    name: 'finds no house consignment by another spelling of its document',
    caughtBy: ['REGI-019'],
    make: on('GET', '/house-consignments', (response, { url }) => {
      if (/[a-z\s]/.test(url.searchParams.get('documentNumber') ?? '')) {
        replace(response, respond(200, []));
      }
    }),
  },
  {
    name: 'registers two house consignments that differ only in spelling',
    caughtBy: ['REGI-020'],
    make: on('PUT', '/entry-summary-declarations', (response) => {
      if (!response.body.includes('composed letters')) return;
      const houseConsignments = { added: 2, changed: 0, removed: 0, unchanged: 0 };
      replace(response, respond(201, { mrn: '', status: 'REGISTERED', houseConsignments }));
    }),
  },
  {
    name: 'takes an older version of a declaration',
    caughtBy: ['REGI-027'],
    make: () => ({
      onRequest: (request) => {
        if (request.url.pathname.startsWith(DECLARATIONS)) {
          request.body = request.body.replaceAll(/,"version":\d+/g, '');
        }
        return undefined;
      },
    }),
  },
  {
    name: 'replaces a declaration that has changed since it was read',
    caughtBy: ['REGI-018'],
    make: () => ({
      onRequest: ({ headers, url }) => {
        if (url.pathname.startsWith(DECLARATIONS)) delete headers['if-match'];
        return undefined;
      },
    }),
  },
];
