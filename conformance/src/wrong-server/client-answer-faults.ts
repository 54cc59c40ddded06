// Faults of the responses that a public client of the national service parses and searches.
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  replace,
  respond,
} from './fault.js';
import {
  changesMovementStatuses,
  isSending,
  movementOf,
  movementStatusOf,
} from './movement-requests.js';

/** Changes successful JSON responses at the addresses that match. */
const changes = (path: RegExp, change: (body: Json) => Json) => () => {
  const behaviour: Behaviour = {
    onResponse: (response, { method, url }) => {
      const isSuch = response.status === 200 && method === 'GET' && path.test(url.pathname);
      if (isSuch) changeJson(response, change);
    },
  };
  return behaviour;
};

const changesErrors = (change: (error: Json) => Json) =>
  changesMovementStatuses((status) => ({
    ...status,
    ...(status.validationErrorList && {
      validationErrorList: status.validationErrorList.map(change),
    }),
  }));

/** Replaces a part of each text of an error in the statuses of a level. */
const rewords = (part: string, text: string, level = '') =>
  changesMovementStatuses((status) => ({
    ...status,
    ...(String(status.level).startsWith(level) &&
      status.validationErrorList && {
        validationErrorList: status.validationErrorList.map((error: Json) => ({
          ...error,
          description: error.description.replace(part, text),
        })),
      }),
  }));

export const clientAnswerFaults: readonly Fault[] = [
  {
    name: 'has the texts of errors in each language',
    caughtBy: ['PARS-001'],
    make: changesErrors(({ description, ...error }) => ({
      ...error,
      description: { en: description, nb: description },
    })),
  },
  {
    name: 'has reasons as objects with a code',
    caughtBy: ['PARS-001'],
    make: changesMovementStatuses((status) => ({
      ...status,
      ...(status.incompleteDocumentationReasonList && {
        incompleteDocumentationReasonList: status.incompleteDocumentationReasonList.map(
          (code: string) => ({ code }),
        ),
      }),
    })),
  },
  {
    name: 'names an MRN in the status of a failure',
    caughtBy: ['PARS-001'],
    make: changesMovementStatuses((status) => ({ mrn: '26NO000000000000T0', ...status })),
  },
  {
    name: 'has reasons in the list of errors of what is incomplete',
    caughtBy: ['PARS-001'],
    make: changesMovementStatuses((status) => ({
      ...status,
      ...(status.status === 'SUCCESS' && {
        validationErrorList: [{ description: 'none', pointer: { messageElementPath: '' } }],
      }),
    })),
  },
  {
    name: 'has a list of requestIds in the response to a message',
    caughtBy: ['PARS-001'],
    make: () => ({
      onResponse: (response, request) => {
        if (response.status === 202 && isSending(request) && movementOf(request)?.mode === 'rail') {
          changeJson(response, ({ requestId }) => [{ requestId }]);
        }
      },
    }),
  },
  {
    name: 'has weights with their unit by rail',
    caughtBy: ['PARS-002'],
    make: changes(/\/rail\/status\/v1\/transport\/\w+\/status-with-descendants$/, (body) => ({
      ...body,
      sumOfWeightForMasterConsignments: {
        value: body.sumOfWeightForMasterConsignments,
        unit: 'kg',
      },
    })),
  },
  {
    name: 'has the tree of a transport by air in a list',
    caughtBy: ['PARS-002'],
    make: changes(/\/air\/status\/v1\/transport\/\w+\/status-with-descendants$/, (body) => [body]),
  },
  {
    name: 'has the tree of a master consignment by sea in a list',
    caughtBy: ['PARS-002'],
    make: changes(
      /\/maritime\/status\/v1\/master-consignment\/\w+\/status-with-descendants$/,
      (body) => [body],
    ),
  },
  {
    name: 'has the document of a house consignment by rail in a list',
    caughtBy: ['PARS-002'],
    make: changes(
      /\/rail\/status\/v1\/house-consignment\/\w+\/transport-document\/status$/,
      (body) => [body],
    ),
  },
  {
    name: 'has the documents of a master consignment by air under a name',
    caughtBy: ['PARS-002'],
    make: changes(
      /\/air\/status\/v1\/master-consignment\/\w+\/transport-document\/status$/,
      (items) => ({
        items,
      }),
    ),
  },
  {
    name: 'says with a word whether a document is received',
    caughtBy: ['PARS-002'],
    make: changes(/\/master-consignment\/transport-document\/status$/, (list: Json[]) =>
      list.map((each) => ({ ...each, received: each.received ? 'yes' : 'no' })),
    ),
  },
  {
    name: 'says with a word whether goods may be unloaded',
    caughtBy: ['PARS-003'],
    make: changes(/\/entry\/status\//, (body) => ({
      ...body,
      validEntry: body.validEntry ? 'yes' : 'no',
    })),
  },
  {
    name: 'has the office of entry as an object',
    caughtBy: ['PARS-003'],
    make: changes(/\/entry\/status\//, ({ customsOfficeOfEntry, ...body }) => ({
      ...body,
      ...(customsOfficeOfEntry && {
        customsOfficeOfEntry: { referenceNumber: customsOfficeOfEntry },
      }),
    })),
  },
  {
    name: 'has the routing of a signal as an object',
    caughtBy: ['PARS-004'],
    make: changes(/\/routing\/v1\/house-consignment$/, (list: Json[]) =>
      list.map(({ routingResult, ...each }) => ({
        ...each,
        routingResult: { ...routingResult, routing: { code: routingResult.routing } },
      })),
    ),
  },
  {
    name: 'has the means of transport of a signal in a list',
    caughtBy: ['PARS-004'],
    make: changes(/\/routing\/v1\/house-consignment$/, (list: Json[]) =>
      list.map(({ activeBorderTransportMeans: means, ...each }) => ({
        ...each,
        ...(means && { activeBorderTransportMeans: [means] }),
      })),
    ),
  },
  {
    name: 'says until when a customs token is valid in place of how long',
    caughtBy: ['PARS-005'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (response.status === 200 && url.pathname.endsWith('/oauth/token')) {
          changeJson(response, (body) => ({
            ...body,
            expires_in: new Date(Date.now() + 1000 * body.expires_in).toISOString(),
          }));
        }
      },
    }),
  },
  {
    name: 'has a text of its own for an arrival that has passed',
    caughtBy: ['PARS-006'],
    make: rewords('has already passed', 'is over'),
  },
  {
    name: 'has a text of its own for a customs declaration that is not valid',
    caughtBy: ['PARS-006'],
    make: rewords('Customs declaration is not valid', 'No such customs declaration'),
  },
  {
    name: 'has a text of its own for a transit that is not valid',
    caughtBy: ['PARS-006'],
    make: rewords('in wrong state', 'that was used before'),
  },
  {
    name: 'has a text of its own for a master consignment that is lodged already',
    caughtBy: ['PARS-007'],
    make: rewords('is already in use', 'was lodged before', 'MASTER'),
  },
  {
    name: 'forgets the status of a request when the next one fails',
    caughtBy: ['PARS-007'],
    make: () => {
      // Cases of several modes run at once.
      const last = new Map<string, string>();
      const failed = new Set<string>();
      return {
        onResponse: (response, request) => {
          const { id, mode = '' } = movementStatusOf(request) ?? {};
          if (id === undefined || response.status !== 200) return;
          const { mrn: _, ...lost } = jsonOf(response);
          if (failed.has(id)) replace(response, respond(200, { ...lost, status: 'FAILURE' }));
          else if (lost.status === 'FAILURE') failed.add(last.get(mode) ?? '');
          last.set(mode, id);
        },
      };
    },
  },
  {
    name: 'has words of its own in the status line',
    caughtBy: ['PARS-008'],
    make: () => ({
      onResponse: (response) => {
        if (response.status === 404) response.reason = 'No Such Request';
      },
    }),
  },
];
