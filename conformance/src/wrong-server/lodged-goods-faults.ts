// Faults of goods that were lodged: presented, decided, signalled, searched, and kept once they are presented.
import {
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
  respondProblem,
} from './fault.js';
import {
  forgives,
  isLodging,
  isSending,
  movementOf,
  movementStatusOf,
} from './movement-requests.js';
import { BASE, isPresentation } from './presentation-requests.js';
import { isRead } from './routing-reads.js';

const DECISIONS = '/api/authority/v1/routing-decisions';

/** Changes the signals of lodged goods that are read; `undefined` leaves one out. */
const changesSignals =
  (change: (signal: Json, request: ProxiedRequest) => Json | Json[] | undefined) =>
  (): ReturnType<Fault['make']> => ({
    onResponse: (response, request) => {
      if (!isRead(request) || response.status !== 200) return;
      changeJson(response, (signals) =>
        signals.flatMap((signal: Json) =>
          signal.houseConsignmentMRN === undefined ? [signal] : (change(signal, request) ?? []),
        ),
      );
    },
  });

/** The document of a presentation. */
const presented = (request: ProxiedRequest) =>
  jsonOf(request)?.transportDocumentHouseLevel?.documentNumber;

const isPresented = (...operations: string[]) =>
  forgives(({ code }, { operation }) => code === 'PRESENTED' && operations.includes(operation));

/** Notes the MRNs of lodged house consignments by the numbers of their documents. */
class Lodged {
  readonly #numbers = new Map<string, string>();
  readonly mrns = new Map<string, string>();

  note(response: { body: string }, request: ProxiedRequest): void {
    const number =
      jsonOf(request)?.consignmentHouseLevel?.transportDocumentHouseLevel?.documentNumber;
    const { requestId, mrn } = jsonOf(response) ?? {};
    if (isLodging(request) && number !== undefined) this.#numbers.set(requestId, number);
    const found = this.#numbers.get(movementStatusOf(request)?.id ?? '');
    if (found !== undefined && mrn !== undefined && !this.mrns.has(found))
      this.mrns.set(found, mrn);
  }
}

export const lodgedGoodsFaults: readonly Fault[] = [
  {
    name: 'names lodged goods as those of an ENS',
    caughtBy: ['LGDS-001'],
    make: changesSignals(({ houseConsignmentMRN, ...signal }) => ({
      entrySummaryDeclarationMRN: houseConsignmentMRN,
      ...signal,
    })),
  },
  {
    name: 'presents lodged goods when they are decided',
    caughtBy: ['LGDS-002'],
    make: () => {
      let authorization = '';
      return {
        onResponse: async (_, request, forward) => {
          if (isLodging(request)) authorization = request.headers.authorization ?? '';
          if (request.url.pathname !== DECISIONS) return;
          for (const { mrn, transportDocumentHouseLevel } of jsonOf(request) ?? []) {
            const body = {
              requestId: crypto.randomUUID(),
              customsOfficeOfPresentation: 'NO351001',
              mrn,
              transportDocumentHouseLevel,
            };
            const url = new URL(`${BASE}house-consignment`, request.url);
            const headers = { authorization, 'content-type': 'application/json' };
            await forward({ method: 'POST', url, headers, body: JSON.stringify(body) });
          }
        },
      };
    },
  },
  {
    name: 'does not decide on lodged goods',
    caughtBy: ['LGDS-003'],
    make: () => ({
      onRequest: (request) => {
        const [decision] = request.url.pathname === DECISIONS ? (jsonOf(request) ?? []) : [];
        return /T\d$/.test(decision?.mrn ?? '')
          ? respond(200, [{ status: 'ACCEPTED' }])
          : undefined;
      },
    }),
  },
  {
    name: 'takes a document that stands under an ENS for lodged goods',
    caughtBy: ['LGDS-004', 'LGDS-005'],
    make: () => {
      const lodged = new Lodged();
      return {
        onRequest: (request) => {
          const mrn = isPresentation(request) ? lodged.mrns.get(presented(request)) : undefined;
          if (mrn !== undefined) request.body = JSON.stringify({ mrn, ...jsonOf(request) });
          return undefined;
        },
        onResponse: (response, request) => lodged.note(response, request),
      };
    },
  },
  {
    name: 'does not reach lodged goods by their container',
    caughtBy: ['LGDS-006'],
    make: changesSignals((signal) => (signal.containerId === undefined ? signal : undefined)),
  },
  {
    name: 'presents goods that were cancelled',
    caughtBy: ['LGDS-007'],
    make: () => ({
      onResponse: (response, request) => {
        if (isPresentation(request) && response.status === 400) {
          replace(response, respond(202, { requestId: jsonOf(request)?.requestId }));
        }
      },
    }),
  },
  {
    name: 'sends the signals of lodged goods to the presenter alone',
    caughtBy: ['LGDS-008'],
    make: () => {
      const presenters = new Set<string>();
      const keyOf = (document: string, { headers }: ProxiedRequest) =>
        `${document} ${headers.authorization}`;
      const { onResponse } = changesSignals((signal, request) => {
        const { documentNumber } = signal.transportDocumentHouseLevel;
        return presenters.has(keyOf(documentNumber, request)) ? signal : undefined;
      })();
      return {
        onRequest: (request) => {
          if (isPresentation(request)) presenters.add(keyOf(presented(request), request));
          return undefined;
        },
        ...(onResponse && { onResponse }),
      };
    },
  },
  {
    name: 'cancels messages whose goods are presented',
    caughtBy: ['LGDS-011'],
    make: isPresented('CANCEL'),
  },
  {
    name: 'takes away what presented goods were reached by',
    caughtBy: ['LGDS-012', 'LGDS-013'],
    make: isPresented('REPLACE'),
  },
  {
    name: 'sends the signal of lodged goods again when they are replaced',
    caughtBy: ['LGDS-014'],
    make: () => {
      const replaced = new Set<string>();
      const { onResponse } = changesSignals((signal) =>
        replaced.has(signal.houseConsignmentMRN) ? [signal, signal] : signal,
      )();
      return {
        onRequest: (request) => {
          if (isSending(request) && request.method === 'PUT')
            replaced.add(movementOf(request)?.id ?? '');
          return undefined;
        },
        ...(onResponse && { onResponse }),
      };
    },
  },
  {
    name: 'does not find statuses by the MRN of lodged goods',
    caughtBy: ['LGDS-009'],
    make: () => ({
      onRequest: ({ url }) =>
        /\/validation-status\/\w{16}T\d$/.test(url.pathname) ? respond(200, []) : undefined,
    }),
  },
  {
    name: 'does not find lodged goods for the authority',
    caughtBy: ['LGDS-015'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname !== '/api/authority/v1/house-consignments') return;
        changeJson(response, (found) =>
          Array.isArray(found)
            ? found.filter(({ houseConsignmentMRN }) => houseConsignmentMRN === undefined)
            : found,
        );
      },
    }),
  },
  {
    name: 'answers everybody about lodged goods',
    caughtBy: ['LGDS-016'],
    make: () => {
      let authorization = '';
      return {
        onResponse: async (response, request, forward) => {
          if (isLodging(request)) authorization = request.headers.authorization ?? '';
          if (!request.url.pathname.endsWith('/release')) return;
          if (jsonOf(response)?.outcome !== 'UNKNOWN') return;
          replace(response, await forward({ ...request, headers: { authorization } }));
        },
      };
    },
  },
  {
    name: 'does not know the MRN of lodged goods in a presentation',
    caughtBy: ['LGDS-001'],
    make: () => ({
      onRequest: (request) =>
        isPresentation(request) && /T\d$/.test(jsonOf(request)?.mrn ?? '')
          ? respondProblem(400)
          : undefined,
    }),
  },
];
