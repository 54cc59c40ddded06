// Faults of batches of house consignments.
import { type Behaviour, type Fault, type ProxiedRequest, replace, respond } from './fault.js';

const isBatch = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.pathname.endsWith('/house-consignment/batch');

/** Changes the results of batches. */
const changesResults = (change: (body: string) => string) => (): Behaviour => ({
  onResponse: (response, request) => {
    if (isBatch(request) && response.status === 200) response.body = change(response.body);
  },
});

export const presentationBatchFaults: readonly Fault[] = [
  {
    name: 'returns the results of a batch in another order',
    caughtBy: ['BATC-001'],
    make: changesResults((body) => `${body.trimEnd().split('\n').reverse().join('\n')}\n`),
  },
  {
    name: 'leaves the requestId of a line out',
    caughtBy: ['BATC-001'],
    make: changesResults((body) => body.replaceAll(/"requestId":"[^"]*",/g, '')),
  },
  {
    name: 'presents a line with a requestId of its own',
    caughtBy: ['BATC-002'],
    make: () => ({
      onRequest: (request) => {
        if (!isBatch(request)) return;
        request.body = request.body.replaceAll(
          /"requestId":"([0-9a-f]{2})/g,
          (_, digits) => `"requestId":"${digits === 'ff' ? '00' : 'ff'}`,
        );
      },
    }),
  },
  {
    name: 'does not name what a line breaks',
    caughtBy: ['BATC-003'],
    make: changesResults((body) => body.replaceAll('"validationErrors":', '"other":')),
  },
  {
    name: 'accepts a line that is sent again',
    caughtBy: ['BATC-004'],
    make: changesResults((body) =>
      body
        .split('\n')
        .map((line) =>
          line.includes('REQUEST_ID_REUSED')
            ? line.replace('"status":400', '"status":202').replace(/,"validationErrors":.*/, '}')
            : line,
        )
        .join('\n'),
    ),
  },
  {
    name: 'ends a batch without a summary',
    caughtBy: ['BATC-005'],
    make: changesResults((body) =>
      body
        .split('\n')
        .filter((line) => !line.startsWith('{"summary"'))
        .join('\n'),
    ),
  },
  {
    name: 'takes batches from everybody',
    caughtBy: ['BATC-006'],
    make: () => ({
      onResponse: (response, request) => {
        if (isBatch(request) && response.status === 403) replace(response, respond(200, []));
      },
    }),
  },
];
