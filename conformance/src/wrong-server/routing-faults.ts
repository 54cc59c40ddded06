// Faults of routing signals: what they contain, and who receives them.
import { randomUUID } from 'node:crypto';
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Forward,
  type Json,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
  respondProblem,
} from './fault.js';
import { changesPages, idOf, isRead } from './routing-reads.js';

const documentOf = (signal: Json): string =>
  `${signal.entrySummaryDeclarationMRN} ${signal.transportDocumentHouseLevel.documentNumber}`;

/** Changes each signal. */
function changesSignals(change: (signal: Json) => Json): () => Behaviour {
  return changesPages((signals) => signals.map(change));
}

/** Changes the result of each signal. */
function changesResults(change: (result: Json) => Json): () => Behaviour {
  return changesSignals((signal) => ({ ...signal, routingResult: change(signal.routingResult) }));
}

/** Changes each check of a release. */
function changesChecks(change: (check: Json) => Json): () => Behaviour {
  return () => ({
    onResponse: (response, { url }) => {
      if (url.pathname.endsWith('/release') && response.status === 200) {
        changeJson(response, change);
      }
    },
  });
}

/** All signals of an organisation. */
async function readWholeFeed(
  request: ProxiedRequest,
  authorization: string,
  forward: Forward,
): Promise<Json[]> {
  const all: Json[] = [];
  for (let page: Json[] | undefined; page === undefined || page.length > 0; all.push(...page)) {
    const url = new URL(request.url);
    url.search = all.length === 0 ? '' : `?marker=${idOf(all.at(-1))}`;
    page = jsonOf(await forward({ ...request, url, headers: { authorization } })) as Json[];
  }
  return all;
}

export const routingFaults: readonly Fault[] = [
  {
    name: 'accepts a marker of another organisation',
    caughtBy: ['ISOL-003'],
    make: () => {
      const issued = new Set<string>();
      return {
        onResponse: (response, request) => {
          if (!isRead(request)) return;
          const body = jsonOf(response);
          if (Array.isArray(body)) for (const signal of body) issued.add(idOf(signal));
          const marker = request.url.searchParams.get('marker') ?? '';
          if (response.status === 400 && issued.has(marker)) replace(response, respond(200, []));
        },
      };
    },
  },
  {
    name: "shows another organisation's signals",
    caughtBy: ['ISOL-001'],
    make: () => {
      let presenter = '';
      const presented = new Set<string>();
      const shown = new Set<string>();
      return {
        onRequest: (request) => {
          const { method, url, headers } = request;
          if (method === 'POST' && url.pathname.includes('/presentation/')) {
            presenter = headers.authorization ?? '';
            presented.add(jsonOf(request)?.mrn);
          }
          return shown.has(url.searchParams.get('marker') ?? '') ? respond(200, []) : undefined;
        },
        onResponse: async (response, request, forward) => {
          const isOther = presenter !== '' && request.headers.authorization !== presenter;
          if (!isRead(request) || !isOther || response.status !== 200) return;
          const foreign = await readWholeFeed(request, presenter, forward);
          const added = foreign.filter(({ entrySummaryDeclarationMRN: mrn }) => presented.has(mrn));
          for (const signal of added) shown.add(idOf(signal));
          changeJson(response, (signals) => [...signals, ...added]);
        },
      };
    },
  },
  {
    name: 'gives signals only to organisations that presented',
    caughtBy: ['ISOL-002'],
    make: () => {
      const presented = new Set<string>();
      return {
        onRequest: (request) => {
          const { mrn } = request.method === 'POST' ? (jsonOf(request) ?? {}) : {};
          presented.add(`${request.headers.authorization} ${mrn}`);
          return undefined;
        },
        onResponse: (response, request) => {
          if (!isRead(request) || response.status !== 200) return;
          const { authorization } = request.headers;
          changeJson(response, (signals) =>
            signals.filter((signal: Json) =>
              presented.has(`${authorization} ${signal.entrySummaryDeclarationMRN}`),
            ),
          );
        },
      };
    },
  },
  ...(
    [
      ['receptacleId', 'receptacle', 'PRES-004'],
      ['containerId', 'container', 'PRES-003'],
      ['transportDocumentMasterLevel', 'master document', 'PRES-002'],
    ] as const
  ).map(([member, noun, id]) => ({
    name: `issues no signal for the last house consignment of a ${noun}`,
    caughtBy: [id],
    make: changesPages((signals) =>
      signals.filter(
        (signal) => signal[member] === undefined || signal.routingResult.routing === 'TO_ENTRY',
      ),
    ),
  })),
  {
    name: 'gives signals only to the first organisation that presents',
    caughtBy: ['PRES-012'],
    make: () => {
      const owners = new Map<string, string | undefined>();
      return {
        onRequest: (request) => {
          const { authorization } = request.headers;
          const mrn = request.method === 'POST' ? jsonOf(request)?.mrn : undefined;
          if (mrn !== undefined && !owners.has(mrn)) owners.set(mrn, authorization);
          return undefined;
        },
        onResponse: (response, request) => {
          if (!isRead(request) || response.status !== 200) return;
          const { authorization } = request.headers;
          changeJson(response, (signals) =>
            signals.filter(
              ({ entrySummaryDeclarationMRN: mrn }: Json) => owners.get(mrn) === authorization,
            ),
          );
        },
      };
    },
  },
  {
    name: 'issues no signal when the decision comes after the presentation',
    caughtBy: ['ROUT-001'],
    make: () => {
      const decided = new Set<string>();
      const presented = new Set<string>();
      return {
        onRequest: (request) => {
          const body = jsonOf(request);
          if (Array.isArray(body)) {
            for (const { mrn } of body) if (presented.has(mrn)) decided.add(mrn);
          } else if (request.method === 'POST' && body?.mrn !== undefined) presented.add(body.mrn);
          return undefined;
        },
        onResponse: (response, request) => {
          if (!isRead(request) || response.status !== 200) return;
          changeJson(response, (signals) =>
            signals.filter((signal: Json) => !decided.has(signal.entrySummaryDeclarationMRN)),
          );
        },
      };
    },
  },
  {
    name: 'releases goods that are not decided',
    caughtBy: ['ROUT-002'],
    make: () => {
      let mrn = '';
      return {
        onRequest: (request) => {
          if (request.method === 'POST') mrn = jsonOf(request)?.mrn ?? mrn;
          return request.url.searchParams.get('marker') === mrn ? respond(200, []) : undefined;
        },
        onResponse: (response, request) => {
          if (!isRead(request) || response.status !== 200 || mrn === '') return;
          changeJson(response, (signals) =>
            signals.length > 0
              ? signals
              : [
                  {
                    entrySummaryDeclarationMRN: mrn,
                    routingResult: { id: mrn, routing: 'TO_ENTRY' },
                  },
                ],
          );
        },
      };
    },
  },
  {
    name: 'issues one signal for each house consignment, whatever changes',
    caughtBy: ['ROUT-003'],
    make: () => {
      const first = new Map<string, string>();
      return changesPages((signals) =>
        signals.filter((signal) => {
          const known = first.get(documentOf(signal)) ?? idOf(signal);
          first.set(documentOf(signal), known);
          return known === idOf(signal);
        }),
      )();
    },
  },
  {
    name: 'leaves out a required member of a signal',
    caughtBy: ['ROUT-004'],
    make: changesResults(({ documentIssueDate: _, ...result }) => result),
  },
  {
    name: 'sends null for what is not known',
    caughtBy: ['ROUT-004'],
    make: changesSignals((signal) => ({ receptacleId: null, ...signal })),
  },
  {
    name: 'leaves out the means of transport',
    caughtBy: ['ROUT-004'],
    make: changesSignals(({ activeBorderTransportMeans: _, ...signal }) => signal),
  },
  {
    name: 'sends no referenceNumber',
    caughtBy: ['ROUT-005'],
    make: changesSignals((signal) => {
      const { referenceNumber: _, ...document } = signal.transportDocumentHouseLevel;
      return { ...signal, transportDocumentHouseLevel: document };
    }),
  },
  {
    name: 'sends a place of control with TO_ENTRY',
    caughtBy: ['ROUT-006'],
    make: changesResults((result) => ({ routingControlLocation: 'ON_ENTRY', ...result })),
  },
  {
    name: 'releases goods of which some are not decided',
    caughtBy: ['ROUT-007'],
    make: changesChecks((check) =>
      check.outcome === 'UNDECIDED' && check.toEntry > 0
        ? { ...check, outcome: 'TO_ENTRY' }
        : check,
    ),
  },
  {
    name: 'says of goods of others that they are not decided',
    caughtBy: ['ISOL-006'],
    make: () => {
      const registered = new Set<string>();
      return {
        onRequest: ({ method, url }) => {
          if (method === 'PUT') registered.add(url.pathname.split('/').at(-1) ?? '');
          return undefined;
        },
        onResponse: (response, { url }) => {
          const isForeign = registered.has(url.searchParams.get('identifier') ?? '');
          if (!url.pathname.endsWith('/release') || !isForeign) return;
          changeJson(response, (check) =>
            check.outcome === 'UNKNOWN' ? { ...check, outcome: 'UNDECIDED' } : check,
          );
        },
      };
    },
  },
  {
    name: 'does not wait with a check',
    caughtBy: ['ROUT-021'],
    make: () => ({
      onRequest: ({ url, headers }) => {
        if (url.pathname.endsWith('/release')) delete headers.prefer;
        return undefined;
      },
    }),
  },
  {
    name: 'explains goods of others as not presented',
    caughtBy: ['ISOL-007'],
    make: () => {
      const registered = new Set<string>();
      return {
        onRequest: ({ method, url }) => {
          if (method === 'PUT') registered.add(url.pathname.split('/').at(-1) ?? '');
          return undefined;
        },
        onResponse: (response, { url }) => {
          const isForeign = registered.has(url.searchParams.get('mrn') ?? '');
          if (!url.pathname.endsWith('/explanation') || !isForeign) return;
          changeJson(response, (explained) =>
            explained.code === 'NOT_PRE_NOTIFIED_OR_NOT_YOURS'
              ? { ...explained, code: 'NOT_PRESENTED' }
              : explained,
          );
        },
      };
    },
  },
  {
    name: 'explains with the marker of another signal',
    caughtBy: ['ROUT-022'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (!url.pathname.endsWith('/explanation') || response.status !== 200) return;
        changeJson(response, (explained) =>
          explained.marker === undefined ? explained : { ...explained, marker: randomUUID() },
        );
      },
    }),
  },
  {
    name: 'is overloaded without end',
    caughtBy: ['ROUT-001'],
    make: () => ({ onRequest: (request) => (isRead(request) ? respondProblem(503) : undefined) }),
  },
  {
    name: 'says that it decides a result that it does not have',
    caughtBy: ['ROUT-023'],
    make: () => ({
      onResponse: (response, { body }) => {
        if (!/ENTRY_(?:PENDING|DENIED)/.test(body)) return;
        changeJson(response, (results) =>
          Array.isArray(results)
            ? results.map((result) =>
                result.status === 'REFUSED'
                  ? { line: result.line, status: 'DECIDED', signals: 1 }
                  : result,
              )
            : results,
        );
      },
    }),
  },
];
