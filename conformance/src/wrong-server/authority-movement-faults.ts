// Faults of what the authority reads of movement messages, and of cancelling them.
import {
  type Behaviour,
  changeJson,
  type Fault,
  firstCode,
  type Json,
  type ProxiedRequest,
  replace,
  respond,
} from './fault.js';

const TRANSPORTS = '/api/authority/v1/transports';
const MOVEMENTS = '/api/authority/v1/movements/';

const isAbout = ({ url }: ProxiedRequest) =>
  url.pathname === TRANSPORTS || url.pathname.startsWith(MOVEMENTS);

/** Lists transports without a filter. */
const ignores = (name: string): Fault => ({
  name: `ignores the filter ${name} of the list of transports`,
  caughtBy: ['MAUT-002'],
  make: () => ({
    onRequest: ({ url }) => {
      if (url.pathname === TRANSPORTS) url.searchParams.delete(name);
      return undefined;
    },
  }),
});

/** Changes responses about one message. */
const changes = (method: string, change: (message: Json) => Json) => (): Behaviour => ({
  onResponse: (response, request) => {
    const isMessage = request.method === method && request.url.pathname.startsWith(MOVEMENTS);
    if (isMessage && response.status === 200) changeJson(response, change);
  },
});

export const authorityMovementFaults: readonly Fault[] = [
  {
    name: 'lists transports, the last to arrive first',
    caughtBy: ['MAUT-001'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname === TRANSPORTS && response.status === 200) {
          changeJson(response, (list: Json) => list.reverse());
        }
      },
    }),
  },
  {
    name: 'lists the first page of transports as if it were everything',
    caughtBy: ['MAUT-001'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname === TRANSPORTS) delete response.headers.link;
      },
    }),
  },
  ...['mode', 'office', 'state', 'arrived', 'from', 'to'].map(ignores),
  {
    name: 'does not say what a message is coupled to',
    caughtBy: ['MAUT-003'],
    make: changes('GET', (message) => ({ ...message, above: [], below: [] })),
  },
  {
    name: 'leaves the text out of what the authority reads',
    caughtBy: ['MAUT-003'],
    make: changes('GET', ({ message: _, ...rest }) => rest),
  },
  {
    name: 'tells nobody that the authority has cancelled a message',
    caughtBy: ['MAUT-004'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (!url.pathname.endsWith('/movement/status/v1/validation-status')) return;
        response.body = response.body.replaceAll(',"cancelledBy":"AUTHORITY"', '');
      },
    }),
  },
  {
    name: 'says of a message that was cancelled before that it is cancelled now',
    caughtBy: ['MAUT-004'],
    make: changes('DELETE', (result) => ({ ...result, status: 'CANCELLED' })),
  },
  {
    name: 'says that the authority has cancelled what is presented',
    caughtBy: ['MAUT-005'],
    make: () => ({
      onResponse: (response, request) => {
        if (request.method !== 'DELETE' || !isAbout(request)) return;
        if (firstCode(response) === 'PRESENTED') replace(response, respond(200, {}));
      },
    }),
  },
  {
    name: 'cancels messages for the authority without a reason',
    caughtBy: ['MAUT-005'],
    make: () => ({
      onRequest: (request) => {
        if (request.method === 'DELETE' && isAbout(request) && request.body === '{}') {
          request.body = '{"reason":"none"}';
        }
        return undefined;
      },
    }),
  },
  {
    name: 'lets everybody list transports and read any message',
    caughtBy: ['MAUT-006'],
    make: () => ({
      onResponse: (response, request) => {
        if (isAbout(request) && response.status === 403) replace(response, respond(200, []));
      },
    }),
  },
];
