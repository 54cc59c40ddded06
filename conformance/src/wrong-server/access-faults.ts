// Faults of the exchange, and of what a token permits.
import { decodeJwt } from 'jose';
import {
  type Behaviour,
  changeJson,
  type Fault,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
  respondProblem,
} from './fault.js';

const EXCHANGE = '/api/access/external/oauth/token';
const TEST_AUTH = '/api/movement/road/v2/test-auth';

const customsToken = {
  issued_token_type: 'access_token',
  access_token: 'wrong',
  token_type: 'Bearer',
  expires_in: 60,
};

const bearerOf = ({ headers }: ProxiedRequest) =>
  headers.authorization?.replace(/^Bearer /, '') ?? '';

/** Claims of a token, whatever its signature; none if it cannot be read. */
function claimsOf(request: ProxiedRequest): Record<string, unknown> {
  try {
    return decodeJwt(bearerOf(request));
  } catch {
    return {};
  }
}

/** `test-auth` accepts a token that the service refuses. */
function accepts(holds: (request: ProxiedRequest) => boolean): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (request.url.pathname !== TEST_AUTH || response.status !== 401 || !holds(request)) return;
      replace(response, { status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' });
    },
  });
}

/** The exchange ignores a parameter. */
function ignoresParameter(name: string): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      if (request.url.pathname !== EXCHANGE) return undefined;
      const form = new URLSearchParams(request.body);
      form.delete(name);
      request.body = form.toString();
      return undefined;
    },
  });
}

/** Changes successful responses of the exchange. */
function changesExchange(change: (body: ReturnType<typeof jsonOf>) => unknown): () => Behaviour {
  return () => ({
    onResponse: (response, { url }) => {
      if (url.pathname === EXCHANGE && response.status === 200) changeJson(response, change);
    },
  });
}

/** Issues a customs token where the service refuses it with an error. */
function exchangesDespite(holds: (description: string) => boolean): () => Behaviour {
  return () => ({
    onResponse: (response, { url }) => {
      const description = jsonOf(response)?.error_description;
      if (url.pathname === EXCHANGE && response.status === 400 && holds(String(description))) {
        replace(response, respond(200, customsToken));
      }
    },
  });
}

/** Changes every response with a status. */
function changesStatus(status: number, change: Behaviour['onResponse']): () => Behaviour {
  return () => ({
    onResponse: (response, request, forward) => {
      if (response.status === status) return change?.(response, request, forward);
    },
  });
}

export const accessFaults: readonly Fault[] = [
  {
    name: 'takes the last of two equal parameters of the exchange',
    caughtBy: ['ACCE-006'],
    make: () => ({
      onRequest: (request) => {
        if (request.url.pathname !== EXCHANGE) return undefined;
        const form = Object.fromEntries(new URLSearchParams(request.body));
        request.body = new URLSearchParams(form).toString();
        return undefined;
      },
    }),
  },
  {
    name: 'refuses foreign businesses',
    caughtBy: ['PRES-015'],
    make: () => ({
      onRequest: (request) =>
        String(claimsOf(request).scope).includes(':eu/') ? respondProblem(403) : undefined,
    }),
  },
  {
    name: 'lets token responses be cached',
    caughtBy: ['ACCE-001'],
    make: () => ({
      onResponse: (response) => {
        response.headers['cache-control'] = 'public, max-age=60';
      },
    }),
  },
  {
    name: 'always responds with the short name of the token type',
    caughtBy: ['ACCE-002'],
    make: changesExchange((body) => ({ ...body, issued_token_type: 'access_token' })),
  },
  {
    name: 'reports a longer lifetime than the token has',
    caughtBy: ['ACCE-003'],
    make: changesExchange((body) => ({ ...body, expires_in: body.expires_in + 600 })),
  },
  {
    name: 'publishes another key than the one that signs',
    caughtBy: ['ACCE-014', 'ACCE-003'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname === '/api/access/jwks') {
          changeJson(response, ({ keys }) => ({
            keys: keys.map((key: object) => ({ ...key, kid: 'other' })),
          }));
        }
      },
    }),
  },
  {
    name: 'exchanges a scope that is not granted',
    caughtBy: ['ACCE-004'],
    make: exchangesDespite((description) => description.startsWith('not authorized')),
  },
  {
    name: 'refuses a scope that is not granted in other words',
    caughtBy: ['ACCE-004'],
    make: () => ({
      onResponse: (response) => {
        response.body = response.body.replace('not authorized to request scope', 'forbidden scope');
      },
    }),
  },
  {
    name: 'exchanges the test scope',
    caughtBy: ['ACCE-013'],
    make: exchangesDespite((description) => description.includes('eu/test')),
  },
  {
    name: 'exchanges a subject token that does not verify',
    caughtBy: ['ACCE-005'],
    make: exchangesDespite((description) => !description.startsWith('not authorized')),
  },
  {
    name: 'ignores scope in the exchange',
    caughtBy: ['ACCE-007'],
    make: ignoresParameter('scope'),
  },
  {
    name: 'ignores audience in the exchange',
    caughtBy: ['ACCE-008'],
    make: ignoresParameter('audience'),
  },
  {
    name: 'accepts a token past its end',
    caughtBy: ['ACCE-012'],
    make: accepts((request) => Number(claimsOf(request).exp) * 1000 < Date.now()),
  },
  {
    name: 'accepts a token whose signature does not fit its claims',
    caughtBy: ['ACCE-010'],
    make: accepts((request) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(bearerOf(request))),
  },
  {
    name: 'accepts a token with the algorithm none',
    caughtBy: ['ACCE-010'],
    make: accepts((request) => bearerOf(request).endsWith('.')),
  },
  {
    name: "accepts the identity provider's token",
    caughtBy: ['ACCE-011'],
    make: accepts((request) => String(claimsOf(request).iss).endsWith('/idp')),
  },
  {
    name: 'refuses test-auth for Accept',
    caughtBy: ['ACCE-009'],
    make: () => ({
      onRequest: ({ url, headers }) =>
        url.pathname === TEST_AUTH && headers.accept === 'image/png'
          ? respondProblem(406)
          : undefined,
    }),
  },
  {
    name: 'sends 401 without WWW-Authenticate',
    caughtBy: ['HTTP-001'],
    make: changesStatus(401, (response) => {
      delete response.headers['www-authenticate'];
    }),
  },
  {
    name: 'sends 404 instead of 403',
    caughtBy: ['HTTP-002'],
    make: changesStatus(403, (response) => replace(response, respondProblem(404))),
  },
  {
    name: 'does not name the missing scope',
    caughtBy: ['HTTP-002'],
    make: changesStatus(403, (response) => {
      response.headers['www-authenticate'] = 'Bearer error="insufficient_scope"';
    }),
  },
  {
    name: 'lets any token find house consignments',
    caughtBy: ['ISOL-005'],
    make: changesStatus(403, (response, { url }) => {
      if (url.pathname.endsWith('/house-consignments')) replace(response, respond(200, []));
    }),
  },
];
