// Faults of presentations.
import {
  type Behaviour,
  changeJson,
  type Fault,
  firstCode,
  type Json,
  jsonOf,
  type ProxiedRequest,
  type ProxiedResponse,
  replace,
  respond,
  respondProblem,
} from './fault.js';
import { BASE, isPresentation, requestIdOf } from './presentation-requests.js';

const accepted = (request: ProxiedRequest): ProxiedResponse => {
  const requestId = requestIdOf(request);
  const response = respond(202, { requestId });
  response.headers.location = `${BASE}validation-status/${requestId}`;
  return response;
};

/** Changes responses to presentations. */
function onPresented(
  change: (response: ProxiedResponse, request: ProxiedRequest) => void,
): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (isPresentation(request)) change(response, request);
    },
  });
}

/** Accepts what the service refuses with a code. */
function acceptsDespite(...codes: string[]): () => Behaviour {
  return onPresented((response, request) => {
    if (response.status === 400 && codes.includes(firstCode(response) ?? ''))
      replace(response, accepted(request));
  });
}

/** Changes each validation error of refused presentations. */
function changesErrors(
  change: (errors: Json[], request: ProxiedRequest) => Json[],
): () => Behaviour {
  return onPresented((response, request) => {
    if (jsonOf(response)?.validationErrors === undefined) return;
    changeJson(response, (body) => ({
      ...body,
      validationErrors: change(body.validationErrors, request),
    }));
  });
}

/** Gives a presentation another requestId where it should be refused, and responds with the one that was sent. */
function reusesRequestIds(mayReuse: (before: number[]) => boolean): () => Behaviour {
  return () => {
    const seen = new Map<string, number[]>();
    return {
      onRequest: async (request, forward) => {
        if (!isPresentation(request)) return undefined;
        const requestId = requestIdOf(request);
        const key = `${requestId} ${request.headers.authorization}`;
        const before = seen.get(key) ?? [];
        seen.set(key, before);
        const body = mayReuse(before)
          ? request.body.replace(requestId, crypto.randomUUID())
          : request.body;
        const response = await forward({ ...request, body });
        before.push(response.status);
        return response.status === 202 ? accepted(request) : response;
      },
    };
  };
}

export const presentationFaults: readonly Fault[] = [
  {
    name: 'lets a requestId be used twice',
    caughtBy: ['PRES-008'],
    make: reusesRequestIds((before) => before.length > 0),
  },
  {
    name: 'accepts several concurrent calls with one requestId',
    caughtBy: ['PRES-009'],
    make: () => ({
      onResponse: (response, request) => {
        if (firstCode(response) === 'REQUEST_ID_REUSED') replace(response, accepted(request));
      },
    }),
  },
  {
    name: 'lets the requestId of a refused presentation be used again',
    caughtBy: ['PRES-028'],
    make: reusesRequestIds((before) => before.includes(400)),
  },
  {
    name: 'keeps requestIds for all organisations together',
    caughtBy: ['PRES-010'],
    make: () => {
      const owners = new Map<string, string | undefined>();
      return {
        onRequest: (request) => {
          if (!isPresentation(request)) return undefined;
          const { authorization } = request.headers;
          const owner = owners.get(requestIdOf(request)) ?? authorization;
          owners.set(requestIdOf(request), owner);
          const error = { field: 'requestId', error: 'used', code: 'REQUEST_ID_REUSED' };
          return owner === authorization ? undefined : respondProblem(400, [error]);
        },
      };
    },
  },
  {
    name: 'refuses to present what is presented already',
    caughtBy: ['PRES-011'],
    make: () => {
      const presented = new Set<string>();
      return {
        onRequest: (request) => {
          const mrn = jsonOf(request)?.mrn ?? jsonOf(request)?.receptacleId;
          if (!isPresentation(request) || mrn === undefined) return undefined;
          if (presented.has(mrn) || presented.size > 0) return respondProblem(400);
          presented.add(mrn);
          return undefined;
        },
      };
    },
  },
  {
    name: 'responds 202 before the presentation can be read',
    caughtBy: ['PRES-007'],
    make: () => ({
      onRequest: (request, forward) => {
        if (!isPresentation(request)) return undefined;
        setTimeout(() => void forward(request).catch(() => undefined), 150);
        return accepted(request);
      },
    }),
  },
  {
    name: 'sends no Location',
    caughtBy: ['PRES-006'],
    make: onPresented((response) => {
      delete response.headers.location;
    }),
  },
  {
    name: 'responds 200 instead of 202',
    caughtBy: ['PRES-006'],
    make: onPresented((response) => {
      if (response.status === 202) response.status = 200;
    }),
  },
  {
    name: 'responds to a presentation without the requestId',
    caughtBy: ['PRES-006'],
    make: onPresented((response) => {
      if (response.status === 202) response.body = '{}';
    }),
  },
  {
    name: 'accepts references that are not pre-notified',
    caughtBy: ['PRES-020'],
    make: acceptsDespite('REFERENCE_NOT_FOUND'),
  },
  {
    name: 'presents any of several declarations with the same document',
    caughtBy: ['PRES-021'],
    make: acceptsDespite('REFERENCE_AMBIGUOUS'),
  },
  {
    name: 'does not check customs offices',
    caughtBy: ['PRES-024'],
    make: acceptsDespite('UNKNOWN_CODE'),
  },
  {
    name: 'reports the first error only',
    caughtBy: ['PRES-023'],
    make: changesErrors((errors) => errors.slice(0, 1)),
  },
  {
    name: 'does not check the check digit of containers',
    caughtBy: ['PRES-026'],
    make: changesErrors((errors, { url }) =>
      url.pathname.endsWith('/container')
        ? errors.map((error) => ({ ...error, code: 'REFERENCE_NOT_FOUND' }))
        : errors,
    ),
  },
  {
    name: 'names members without their path',
    caughtBy: ['PRES-022'],
    make: changesErrors((errors) =>
      errors.map((error) => ({ ...error, field: error.field.split('.').at(-1) })),
    ),
  },
  {
    name: 'takes a null for a wrong type',
    caughtBy: ['PRES-022'],
    make: changesErrors((errors, { body }) =>
      errors.map((error) => (body.includes('null') ? { ...error, code: 'FORMAT' } : error)),
    ),
  },
  {
    name: 'accepts document numbers of any length',
    caughtBy: ['PRES-027'],
    make: acceptsDespite('SIZE'),
  },
  {
    name: 'refuses members that it does not have',
    caughtBy: ['PRES-014'],
    make: () => ({
      onRequest: (request) =>
        isPresentation(request) && request.body.includes('somethingNew')
          ? respondProblem(400)
          : undefined,
    }),
  },
  {
    name: 'takes the last of two members with the same name',
    caughtBy: ['PRES-029'],
    make: () => ({
      onRequest: (request) => {
        const body = jsonOf(request);
        if (isPresentation(request) && body !== undefined) request.body = JSON.stringify(body);
        return undefined;
      },
    }),
  },
  {
    name: 'lacks a code of CL754',
    caughtBy: ['PRES-025'],
    make: () => ({
      onRequest: (request) => {
        const field = 'transportDocumentHouseLevel.type';
        const error = { field, error: 'unknown', code: 'UNKNOWN_CODE' };
        return request.body.includes('"C624"') ? respondProblem(400, [error]) : undefined;
      },
    }),
  },
];
