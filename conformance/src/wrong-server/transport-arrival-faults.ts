// Faults of arrivals that the authority reports.
import { type Behaviour, type Fault, type ProxiedRequest, replace, respond } from './fault.js';

const isUpload = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.pathname.endsWith('/transport-arrivals');

/** Changes the results of uploads. */
const changesResults = (change: (body: string) => string) => (): Behaviour => ({
  onResponse: (response, request) => {
    if (isUpload(request) && response.status === 200) response.body = change(response.body);
  },
});

export const transportArrivalFaults: readonly Fault[] = [
  {
    name: 'does not count what an arrival presents',
    caughtBy: ['TARR-001'],
    make: changesResults((body) =>
      body.replaceAll(/"houseConsignments":\d+/g, '"houseConsignments":0'),
    ),
  },
  {
    name: 'takes the same line again for another arrival',
    caughtBy: ['TARR-002'],
    make: changesResults((body) => body.replaceAll('UNCHANGED', 'ARRIVED')),
  },
  {
    name: 'does not say that two transports are equally near',
    caughtBy: ['TARR-003'],
    make: changesResults((body) => body.replaceAll('REFERENCE_AMBIGUOUS', 'REFERENCE_NOT_FOUND')),
  },
  {
    name: 'does not correct when a transport has arrived',
    caughtBy: ['TARR-004'],
    make: changesResults((body) => body.replaceAll('CORRECTED', 'UNCHANGED')),
  },
  {
    name: 'does not name the member of an arrival that breaks a rule',
    caughtBy: ['TARR-005'],
    make: changesResults((body) => body.replaceAll(/"field":"\w+"/g, '"field":""')),
  },
  {
    name: 'takes arrivals in lines from everybody',
    caughtBy: ['TARR-006'],
    make: () => ({
      onResponse: (response, request) => {
        if (isUpload(request) && response.status === 403) replace(response, respond(200, []));
      },
    }),
  },
];
