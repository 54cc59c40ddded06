// Requirements on HTTP, for every operation of the contract.
import { formatScope, operations } from '@landfall/contract';
import { callAny, operationIds, pathValues, roleFor } from '../data/every-operation.js';
import { type OperationId, operationOf } from '../http/caller.js';
import type { Role } from '../settings/settings.js';
import { expect, expectProblem } from '../suite/expect.js';
import { type Area, api, type Case, decision, rfc } from '../suite/requirement.js';

/** Operations that take no body and change data of the tested service: one that it does not refuse would do harm. */
const harmful: readonly OperationId[] = [
  'activateRoutingProfile',
  'applyRoutingProfile',
  'deactivateRoutingProfile',
];

/** The operations that need a customs token. */
const protectedIds = operationIds.filter((id) => operations[id].access !== 'public');

const harmlessIds = protectedIds.filter((id) => !harmful.includes(id));

/** A role whose token has no scope of the operation. */
function roleWithout(operationId: OperationId): Role {
  return roleFor(operationId) === 'presenter' ? 'reader' : 'presenter';
}

/** One case for each operation, named after it. */
function forEach(
  ids: readonly OperationId[],
  make: (operationId: OperationId) => Case,
): Record<string, Case> {
  return Object.fromEntries(ids.map((id) => [id, make(id)]));
}

/** A body for an operation that has one, so that a request is refused for its only fault. */
const bodyFor = (operationId: OperationId) =>
  operationOf(operationId).body === undefined
    ? {}
    : { raw: '{}', type: mediaTypesOf(operationId)[0] ?? '' };

const mediaTypesOf = (operationId: OperationId) => Object.keys(operationOf(operationId).body ?? {});

/** A method that the address of an operation does not have. */
function methodWithout(operationId: OperationId): string {
  const { path } = operationOf(operationId);
  const own = operationIds.map(operationOf).filter((each) => each.path === path);
  const other = ['PATCH', 'DELETE', 'PUT'].find((name) =>
    own.every(({ method }) => method !== name),
  );
  if (other === undefined) throw new Error(`${path} has every method`);
  return other;
}

/** Whether a response of success has a media type that Accept could leave out. */
const hasContent = (id: OperationId) =>
  Object.values<{ content?: object }>(operationOf(id).responses).some(
    ({ content }) => content !== undefined,
  );

const isScoped = (id: OperationId) => Array.isArray(operationOf(id).access);

export const http: Area = {
  name: 'HTTP',
  requirements: [
    {
      id: 'HTTP-001',
      sentence: 'An operation that needs a token is 401 without one.',
      sources: [rfc(6750, '3'), api('testAuth')],
      needs: [],
      cases: forEach(protectedIds, (operationId) => async (context) => {
        const response = await context.anonymous.call(operationId, {
          path: pathValues,
          ...bodyFor(operationId),
        });
        expectProblem(response, 401);
        const header = response.headers.get('www-authenticate') ?? '';
        expect(header.startsWith('Bearer'), `WWW-Authenticate is "${header}"`);
      }),
    },
    {
      id: 'HTTP-002',
      sentence:
        'An operation is 403 with a token that lacks its scope, and WWW-Authenticate names the scope.',
      sources: [rfc(6750, '3.1'), decision(73)],
      needs: ['presenter', 'reader'],
      // Whoever reads any feed may have subscriptions, and every role reads one.
      cases: forEach(
        protectedIds.filter((id) => isScoped(id) && operationOf(id).tag !== 'Push'),
        (operationId) => async (context) => {
          const caller = context.as(roleWithout(operationId));
          const response = await caller.call(operationId, {
            path: pathValues,
            ...bodyFor(operationId),
          });
          expectProblem(response, 403);
          const header = response.headers.get('www-authenticate') ?? '';
          expect(header.includes('error="insufficient_scope"'), `WWW-Authenticate is "${header}"`);
          const { access } = operationOf(operationId);
          const [name] = Array.isArray(access) ? access : [];
          if (name === undefined) return;
          const scope = formatScope(name, { prefix: context.settings.scopePrefix });
          expect(header.includes(scope), `WWW-Authenticate does not name ${scope}: "${header}"`);
        },
      ),
    },
    {
      id: 'HTTP-003',
      sentence: 'A query parameter that an operation does not have is UNKNOWN_MEMBER.',
      sources: [decision(68), api('readRoutingSignals')],
      needs: ['presenter', 'reader', 'authority', 'publisher'],
      cases: forEach(harmlessIds, (operationId) => async (context) => {
        const response = await callAny(context, operationId, {
          query: { sorted: 'yes' },
          ...bodyFor(operationId),
        });
        expectProblem(response, 400, { code: 'UNKNOWN_MEMBER', field: 'sorted' });
      }),
    },
    {
      id: 'HTTP-004',
      sentence: 'A query parameter that is given twice is refused.',
      sources: [api('readRoutingSignals', 'listHouseConsignments')],
      needs: ['presenter', 'authority'],
      cases: {
        'two limits': async (context) => {
          const query: [string, string][] = [
            ['limit', '1'],
            ['limit', '2'],
          ];
          const response = await context.as('presenter').call('readRoutingSignals', { query });
          expectProblem(response, 400, { code: 'FORMAT', field: 'limit' });
        },
      },
    },
    {
      id: 'HTTP-005',
      sentence: 'An operation is 406 if Accept admits none of its media types.',
      sources: [rfc(9110, '12.5.1')],
      needs: ['presenter', 'reader', 'authority', 'publisher'],
      cases: forEach(
        harmlessIds.filter((id) => id !== 'testAuth' && hasContent(id)),
        (operationId) => async (context) => {
          const response = await callAny(context, operationId, {
            headers: { accept: 'image/png' },
            ...bodyFor(operationId),
          });
          expectProblem(response, 406);
        },
      ),
    },
    {
      id: 'HTTP-006',
      sentence: 'An operation is 415 for a body of another media type.',
      sources: [rfc(9110, '15.5.16')],
      needs: ['presenter', 'authority', 'publisher'],
      cases: forEach(
        protectedIds.filter((id) => operationOf(id).body !== undefined),
        (operationId) => async (context) => {
          const response = await callAny(context, operationId, {
            raw: '<a/>',
            type: 'application/xml',
          });
          expectProblem(response, 415);
        },
      ),
    },
    {
      id: 'HTTP-007',
      sentence: 'Another method is 405, and Allow names the methods of the address.',
      sources: [rfc(9110, '15.5.6')],
      needs: [],
      cases: forEach(protectedIds, (operationId) => async (context) => {
        const { method } = operationOf(operationId);
        const response = await context.anonymous.call(operationId, {
          path: pathValues,
          method: methodWithout(operationId),
        });
        expectProblem(response, 405);
        const allowed = (response.headers.get('allow') ?? '').split(',').map((name) => name.trim());
        expect(allowed.includes(method), `Allow is "${allowed.join(', ')}", without ${method}`);
      }),
    },
  ],
};
