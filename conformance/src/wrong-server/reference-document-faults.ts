// Faults of reference documents.
import { type Behaviour, type Fault, type ProxiedRequest, replace, respond } from './fault.js';

const isOn = ({ method, url }: ProxiedRequest, wanted: 'GET' | 'POST') =>
  method === wanted && url.pathname.endsWith('/reference-documents');

/** Changes the results of uploads. */
function changesResults(change: (body: string) => string): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (isOn(request, 'POST')) response.body = change(response.body);
    },
  });
}

/** Removes a parameter of queries. */
function ignores(parameter: string): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      if (isOn(request, 'GET')) request.url.searchParams.delete(parameter);
      return undefined;
    },
  });
}

export const referenceDocumentFaults: readonly Fault[] = [
  {
    name: 'ends an upload of reference documents at the first invalid line',
    caughtBy: ['REFD-001'],
    make: changesResults((body) => {
      const end = body.indexOf('\n', body.indexOf('REFUSED'));
      return body.includes('REFUSED') ? body.slice(0, end + 1) : body;
    }),
  },
  {
    name: 'does not name the member of a reference document that breaks a rule',
    caughtBy: ['REFD-001'],
    make: changesResults((body) => body.replaceAll(/"field":"\w+"/g, '"field":""')),
  },
  {
    name: 'keeps the first line of a reference document',
    caughtBy: ['REFD-002'],
    make: () => ({
      onRequest: (request) => {
        if (!isOn(request, 'POST')) return undefined;
        const lines = request.body.split('\n');
        const numberOf = (line: string) => /"kind":"\w+","referenceNumber":"[^"]+"/.exec(line)?.[0];
        request.body = lines
          .map((line) => {
            const number = numberOf(line);
            return (
              lines.find((other) => number !== undefined && numberOf(other) === number) ?? line
            );
          })
          .join('\n');
        return undefined;
      },
    }),
  },
  {
    name: 'reports a change for an equal reference document',
    caughtBy: ['REFD-002'],
    make: changesResults((body) => body.replaceAll('UNCHANGED', 'CHANGED')),
  },
  {
    name: 'takes two spellings of a number for two reference documents',
    caughtBy: ['REFD-003'],
    make: changesResults((body) => body.replaceAll('UNCHANGED', 'REGISTERED')),
  },
  {
    name: 'finds reference documents of every kind',
    caughtBy: ['REFD-004'],
    make: ignores('kind'),
  },
  {
    name: 'finds reference documents from the first one, whatever the marker',
    caughtBy: ['REFD-004'],
    make: ignores('marker'),
  },
  {
    name: 'finds the first page of reference documents as if it were everything',
    caughtBy: ['REFD-004'],
    make: () => ({
      onResponse: (response, request) => {
        if (isOn(request, 'GET')) delete response.headers.link;
      },
    }),
  },
  {
    name: 'shows reference documents to everybody',
    caughtBy: ['REFD-005'],
    make: () => ({
      onResponse: (response, request) => {
        if (isOn(request, 'GET') && response.status === 403) replace(response, respond(200, []));
      },
    }),
  },
  {
    name: 'ends the results of reference documents without their summary',
    caughtBy: ['REFD-006'],
    make: changesResults((body) =>
      body
        .split('\n')
        .filter((line) => !line.startsWith('{"summary"'))
        .join('\n'),
    ),
  },
];
