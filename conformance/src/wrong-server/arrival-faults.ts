// Faults of the arrival of transports.
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  type ProxiedRequest,
  respond,
  respondProblem,
} from './fault.js';
import { forgives } from './movement-requests.js';
import { isRead } from './routing-reads.js';

const ARRIVAL = '/api/movement/arrival/v1/transport-arrival';
const STATUS = '/api/movement/arrival/status/v1/transport-arrival/validation-status/';

const isReport = ({ method, url }: ProxiedRequest) => method === 'POST' && url.pathname === ARRIVAL;

/** Changes each status of an arrival. */
const changesStatuses = (change: (status: Json) => Json) => (): Behaviour => ({
  onResponse: (response, { url }) => {
    if (url.pathname.startsWith(STATUS) && response.status === 200) changeJson(response, change);
  },
});

/** Makes a success of a status with such an error. */
const accepts = (...codes: string[]) =>
  changesStatuses(({ validationErrorList, ...status }) =>
    validationErrorList?.some(({ code }: Json) => codes.includes(code))
      ? { ...status, status: 'SUCCESS', mrn: '26NO000000000000T0' }
      : { ...status, ...(validationErrorList && { validationErrorList }) },
  );

/** Changes the signals of lodged goods. */
const changesSignals = (change: (signal: Json) => Json | Json[]) => (): Behaviour => ({
  onResponse: (response, request) => {
    if (!isRead(request) || response.status !== 200) return;
    changeJson(response, (signals) =>
      signals.flatMap((signal: Json) =>
        signal.houseConsignmentMRN === undefined ? [signal] : change(signal),
      ),
    );
  },
});

export const arrivalFaults: readonly Fault[] = [
  {
    name: 'says that an arrival is about a message of a transport',
    caughtBy: ['ARRV-001'],
    make: changesStatuses((status) => ({ ...status, level: 'TRANSPORT' })),
  },
  {
    name: 'presents nothing when a transport arrives',
    caughtBy: ['ARRV-002'],
    make: changesSignals((signal) =>
      signal.activeBorderTransportMeans === undefined ? signal : [],
    ),
  },
  {
    name: 'leaves the transport out of signals',
    caughtBy: ['ARRV-003'],
    make: changesSignals(
      ({ estimatedTimeOfArrival, scheduledTimeOfArrival, activeBorderTransportMeans, ...signal }) =>
        signal,
    ),
  },
  {
    name: 'does not present what is lodged after the arrival',
    caughtBy: ['ARRV-004'],
    make: forgives(
      ({ code }, { operation, level }) =>
        code === 'PRESENTED' && operation === 'CANCEL' && level === 'HOUSE_CONSIGNMENT',
    ),
  },
  {
    name: 'takes any customs office, any time and any transport for an arrival',
    caughtBy: ['ARRV-005'],
    make: accepts('UNKNOWN_CODE', 'TIME_OUT_OF_RANGE', 'NOT_CURRENT'),
  },
  {
    name: 'changes when a transport has arrived',
    caughtBy: ['ARRV-006'],
    make: accepts('ALREADY_ARRIVED'),
  },
  {
    name: 'says who has lodged a transport that others report',
    caughtBy: ['ARRV-007'],
    make: () => ({
      onResponse: (response, request) => {
        if (isReport(request) && response.status === 404) {
          Object.assign(response, respondProblem(403));
        }
      },
    }),
  },
  {
    name: 'takes a report that lacks members',
    caughtBy: ['ARRV-008'],
    make: () => ({
      onRequest: (request) => {
        const body = isReport(request) ? jsonOf(request) : undefined;
        if (body === undefined || body.mrn !== undefined) return undefined;
        return respond(202, { requestId: body.requestId });
      },
    }),
  },
  {
    name: 'cancels a transport that has arrived',
    caughtBy: ['ARRV-009'],
    make: forgives(
      ({ code }, { operation, level }) =>
        code === 'PRESENTED' && operation === 'CANCEL' && level === 'TRANSPORT',
    ),
  },
];
