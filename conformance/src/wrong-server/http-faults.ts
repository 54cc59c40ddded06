// Faults of HTTP and of problems.
import {
  type Behaviour,
  changeJson,
  type Fault,
  replace,
  respond,
  respondProblem,
} from './fault.js';

/** Changes every response with this status. */
function onStatus(status: number, change: NonNullable<Behaviour['onResponse']>): () => Behaviour {
  return () => ({
    onResponse: (response, request, forward) => {
      if (response.status === status) return change(response, request, forward);
    },
  });
}

const isProblem = (mediaType = '') => mediaType.startsWith('application/problem+json');

export const httpFaults: readonly Fault[] = [
  {
    name: 'sends problems as application/json',
    caughtBy: ['HTTP-001'],
    make: () => ({
      onResponse: ({ headers }) => {
        if (isProblem(headers['content-type'])) headers['content-type'] = 'application/json';
      },
    }),
  },
  {
    name: 'sends problems with another status than the response has',
    caughtBy: ['HTTP-001'],
    make: () => ({
      onResponse: (response) => {
        if (isProblem(response.headers['content-type'])) {
          changeJson(response, (problem) => ({ ...problem, status: 500 }));
        }
      },
    }),
  },
  {
    name: 'sends problems without detail',
    caughtBy: ['HTTP-011'],
    make: () => ({
      onResponse: (response) => {
        if (isProblem(response.headers['content-type'])) {
          changeJson(response, ({ detail: _, ...problem }) => problem);
        }
      },
    }),
  },
  {
    name: 'ignores unknown query parameters',
    caughtBy: ['HTTP-003'],
    make: () => ({
      onRequest: ({ url }) => {
        url.searchParams.delete('sorted');
        return undefined;
      },
    }),
  },
  {
    name: 'takes the last of two equal query parameters',
    caughtBy: ['HTTP-004'],
    make: () => ({
      onRequest: ({ url }) => {
        for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, value);
        return undefined;
      },
    }),
  },
  {
    name: 'sends JSON whatever Accept says',
    caughtBy: ['HTTP-005'],
    make: () => ({
      onRequest: ({ headers }) => {
        delete headers.accept;
        return undefined;
      },
    }),
  },
  {
    name: 'sends 400 for a body of another media type',
    caughtBy: ['HTTP-006'],
    make: onStatus(415, (response) => replace(response, respondProblem(400))),
  },
  {
    name: 'sends 404 for another method',
    caughtBy: ['HTTP-007'],
    make: onStatus(405, (response) => replace(response, respondProblem(404))),
  },
  {
    name: 'sends 405 without Allow',
    caughtBy: ['HTTP-007'],
    make: onStatus(405, ({ headers }) => {
      delete headers.allow;
    }),
  },
  {
    name: 'sends 400 for a body over the limit',
    caughtBy: ['HTTP-008'],
    make: onStatus(413, (response) => replace(response, respondProblem(400))),
  },
  {
    name: 'fails at a body that is not JSON',
    caughtBy: ['HTTP-009'],
    make: () => ({
      onRequest: ({ body }) => (body === '{' ? respondProblem(500) : undefined),
    }),
  },
  {
    name: 'sends every problem with the same instance',
    caughtBy: ['HTTP-010'],
    make: () => ({
      onResponse: (response) => {
        response.body = response.body.replace(
          /urn:uuid:[0-9a-f-]*/,
          'urn:uuid:00000000-0000-4000-8000-000000000000',
        );
      },
    }),
  },
  {
    name: 'redirects unknown addresses',
    caughtBy: ['HTTP-011'],
    make: onStatus(404, (response) =>
      replace(response, { status: 302, headers: { location: '/' }, body: '' }),
    ),
  },
  {
    name: 'is not ready',
    caughtBy: ['HTTP-012'],
    make: () => ({
      onRequest: ({ url }) => (url.pathname === '/readyz' ? respond(500, {}) : undefined),
    }),
  },
  {
    name: 'describes an operation at another address',
    caughtBy: ['HTTP-013'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname === '/openapi.json')
          response.body = response.body.replaceAll('/house-consignment"', '/house"');
      },
    }),
  },
];
