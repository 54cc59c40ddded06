// Faults of goods that are lodged and in an ENS as well: a decision stays with the record on which it was made.
import { changeJson, type Fault, type Json, jsonOf } from './fault.js';
import { isRead } from './routing-reads.js';

const DECISIONS = '/api/authority/v1/routing-decisions';

/** Changes the signals of goods by what was decided on each record; `undefined` leaves one out. */
const changesSignals =
  (change: (signal: Json, decided: ReadonlyMap<string, string[]>) => Json | undefined) =>
  (): ReturnType<Fault['make']> => {
    /** The MRNs of the decisions on each document. */
    const decided = new Map<string, string[]>();
    return {
      onResponse: (response, request) => {
        if (request.url.pathname === DECISIONS) {
          for (const { mrn, transportDocumentHouseLevel: document } of jsonOf(request) ?? []) {
            const number = document?.documentNumber;
            decided.set(number, [...(decided.get(number) ?? []), mrn]);
          }
        }
        if (!isRead(request) || response.status !== 200) return;
        changeJson(response, (signals) =>
          signals.flatMap((signal: Json) => change(signal, decided) ?? []),
        );
      },
    };
  };

const numberOf = (signal: Json) => signal.transportDocumentHouseLevel?.documentNumber;
const mrnOf = (signal: Json) => signal.entrySummaryDeclarationMRN ?? signal.houseConsignmentMRN;

/** The signal with TO_ENTRY. */
const released = (signal: Json) => ({
  ...signal,
  routingResult: {
    ...signal.routingResult,
    routing: 'TO_ENTRY',
    routingControlLocation: undefined,
  },
});

export const toldTwiceFaults: readonly Fault[] = [
  {
    name: 'sends no signal of a record when the other one is decided again',
    caughtBy: ['TWCE-001'],
    make: changesSignals((signal, decided) => {
      const mrns = decided.get(numberOf(signal)) ?? [];
      const isOfOther = mrns.length > 1 && new Set(mrns).size > 1 && mrns.at(-1) !== mrnOf(signal);
      return isOfOther && signal.routingResult.routing === 'TO_ENTRY' ? undefined : signal;
    }),
  },
  {
    name: 'releases an ENS that comes after its lodged record was decided',
    caughtBy: ['TWCE-002'],
    make: changesSignals((signal, decided) => {
      const [mrn, ...more] = decided.get(numberOf(signal)) ?? [];
      const isOther =
        mrn !== undefined && more.length === 0 && signal.entrySummaryDeclarationMRN !== undefined;
      return isOther && mrn !== mrnOf(signal) ? released(signal) : signal;
    }),
  },
  {
    name: 'keeps the routing that comes with an ENS from the lodged record',
    caughtBy: ['TWCE-003'],
    make: changesSignals((signal, decided) =>
      signal.houseConsignmentMRN !== undefined && !decided.has(numberOf(signal))
        ? released(signal)
        : signal,
    ),
  },
];
