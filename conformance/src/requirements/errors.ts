// Requirements on problems, health and the description of the service.
import { DEFAULT_MAX_BODY_BYTES, operations } from '@landfall/contract';
import { operationIds, pathValues } from '../data/every-operation.js';
import { makeDeclaration } from '../data/goods.js';
import { newMrn, newOrganisation } from '../data/identifiers.js';
import { presentationOf } from '../data/presentations.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem, expectStatus, readObject } from '../suite/expect.js';
import { type Area, api, architecture, decision, rfc } from '../suite/requirement.js';

export const errors: Area = {
  name: 'Errors',
  requirements: [
    {
      id: 'HTTP-008',
      sentence: 'A body over the limit of an operation is 413.',
      sources: [rfc(9110, '15.5.14'), decision(67)],
      needs: ['presenter', 'authority'],
      cases: {
        'a presentation with one byte too many': async (context) => {
          const body = JSON.stringify(presentationOf({ mrn: newMrn() }));
          const raw = body.padEnd(DEFAULT_MAX_BODY_BYTES + 1, ' ');
          const response = await context
            .as('presenter')
            .call('presentEntrySummaryDeclaration', { raw });
          expectProblem(response, 413);
        },
        'a presentation of the largest size': async (context) => {
          const body = JSON.stringify(presentationOf({ mrn: newMrn() }));
          const raw = body.padEnd(DEFAULT_MAX_BODY_BYTES, ' ');
          const response = await context
            .as('presenter')
            .call('presentEntrySummaryDeclaration', { raw });
          expectProblem(response, 400, { code: 'REFERENCE_NOT_FOUND' });
        },
      },
    },
    {
      id: 'HTTP-009',
      sentence: 'A body that is not JSON, not UTF-8 or not an object is 400.',
      sources: [rfc(8259, '8.1'), decision(25)],
      needs: ['presenter', 'authority'],
      cases: Object.fromEntries(
        [
          ['not complete', '{'],
          ['empty', ''],
          ['an array', '[]'],
          ['null', 'null'],
        ]
          .map(([name = '', raw = '']) => [
            name,
            async (context: CaseContext) => {
              expectProblem(await context.as('presenter').call('presentContainer', { raw }), 400);
            },
          ])
          .concat([
            [
              'not UTF-8',
              async (context: CaseContext) => {
                const declaration = makeDeclaration();
                const text = JSON.stringify({ ...declaration, declarant: 'NTRDE-X' });
                const raw = new Uint8Array(Buffer.from(text));
                raw[text.indexOf('NTRDE')] = 0xff;
                const { mrn } = declaration;
                const response = await context
                  .as('authority')
                  .call('putEntrySummaryDeclaration', { path: { mrn }, raw });
                expectProblem(response, 400);
              },
            ],
          ]),
      ),
    },
    {
      id: 'HTTP-010',
      sentence: 'Every problem has its own instance, so that it can be found in the log.',
      sources: [rfc(9457, '3.1.5')],
      needs: ['presenter'],
      cases: {
        'two problems': async (context) => {
          const path = { reference: pathValues.reference };
          const read = async () => {
            const response = await context.as('presenter').call('getValidationStatus', { path });
            expectProblem(response, 404);
            return JSON.parse(response.text).instance;
          };
          const [first, second] = [await read(), await read()];
          expect(first !== second, 'two problems have the same instance');
        },
      },
    },
    {
      id: 'HTTP-011',
      sentence: 'An address that does not exist is 404.',
      sources: [rfc(9110, '15.5.5')],
      needs: ['presenter'],
      cases: {
        'below each of the paths': async (context) => {
          for (const path of ['/api/movement/nothing', '/api/authority/v1/nothing', '/nothing']) {
            expectProblem(await context.as('presenter').request('GET', path), 404);
          }
        },
        'an organisation that does not exist': async (context) => {
          const path = { id: newOrganisation() };
          expectProblem(await context.as('authority').call('getOrganisation', { path }), 404);
        },
      },
    },
    {
      id: 'HTTP-012',
      sentence: 'Health needs no token: the process is alive, and the service is ready.',
      sources: [api('getLiveness', 'getReadiness')],
      needs: [],
      cases: {
        'both addresses': async (context) => {
          expectStatus(await context.anonymous.call('getLiveness'), 200);
          expectStatus(await context.anonymous.call('getReadiness'), 200);
        },
      },
    },
    {
      id: 'HTTP-013',
      sentence:
        'The OpenAPI document has every operation of the contract, at its address and with its method.',
      sources: [architecture('Packages'), { text: 'OpenAPI Specification 3.1' }],
      needs: [],
      cases: {
        'each operation': async (context) => {
          const response = await context.anonymous.request('GET', '/openapi.json');
          expectStatus(response, 200);
          // The cast is true or the comparison fails.
          const { paths } = readObject(response) as {
            paths: Record<string, Record<string, { operationId?: string }>>;
          };
          const { baseUrl, identityProvider } = context.settings;
          const hasProvider = identityProvider.url.startsWith(`${baseUrl}/`);
          const expected = operationIds.filter(
            (id) => hasProvider || !operations[id].path.startsWith('/idp'),
          );
          for (const id of expected) {
            const { path, method } = operations[id];
            const found = paths?.[path]?.[method.toLowerCase()]?.operationId;
            expectEqual(found, id, `operationId of ${method} ${path}`);
          }
        },
      },
    },
  ],
};
