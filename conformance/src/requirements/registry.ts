import { EntrySummaryDeclaration, EntrySummaryDeclarationResult } from '@landfall/contract';
import { makeDeclaration, register } from '../data/goods.js';
import { newContainerId, newDocumentNumber, newMrn, newOrganisation } from '../data/identifiers.js';
import { present } from '../data/presentations.js';
import { memberOf } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  expectValid,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const PUT = 'putEntrySummaryDeclaration';
const GET = 'getEntrySummaryDeclaration';
const DELETE = 'deleteEntrySummaryDeclaration';

/** Registers a declaration, and returns the status code and the result. */
async function putResult(context: CaseContext, declaration: EntrySummaryDeclaration) {
  const response = await context
    .as('authority')
    .call(PUT, { path: { mrn: declaration.mrn }, json: declaration });
  expectStatus(response, 200, 201);
  expectSchema(PUT, response);
  return { code: response.status, result: readObject(response) };
}

export const registry: Area = {
  name: 'Pre-notification',
  requirements: [
    {
      id: 'REGI-001',
      sentence: 'A new declaration is 201 REGISTERED, and is read back as it was registered.',
      sources: [api(PUT, GET)],
      needs: ['authority'],
      cases: {
        'with every kind of member': async (context) => {
          const declaration = makeDeclaration({
            houses: [
              {
                transportDocumentMasterLevel: { documentNumber: newDocumentNumber(), type: 'N741' },
                containerId: [newContainerId()],
                harmonizedSystemSubheadingCode: ['870323', '940360'],
                routing: 'TO_CONTROL',
                routingControlLocation: 'ON_ENTRY',
              },
              {},
            ],
            representative: newOrganisation(),
            estimatedTimeOfArrival: '2026-01-17T09:30:00.000Z',
            activeBorderTransportMeans: {
              identificationNumber: 'SK4711',
              typeOfIdentification: '40',
            },
          });
          const { code, result } = await putResult(context, declaration);
          expectEqual([code, result.status], [201, 'REGISTERED'], 'the result');
          expectEqual(memberOf(result, 'houseConsignments.added'), 2, 'houseConsignments.added');
          const read = await context.as('authority').call(GET, { path: { mrn: declaration.mrn } });
          expectStatus(read, 200);
          expectEqual(readObject(read), declaration, 'the declaration');
          expectValid(EntrySummaryDeclaration, readObject(read), 'the declaration');
        },
      },
    },
    {
      id: 'REGI-002',
      sentence: 'Registering the same declaration again is 200 UNCHANGED.',
      sources: [api(PUT), decision(42)],
      needs: ['authority'],
      cases: {
        'also after it was decided': async (context) => {
          const declaration = await register(context);
          const { code, result } = await putResult(context, declaration);
          expectEqual([code, result.status], [200, 'UNCHANGED'], 'the result');
          expectEqual(
            result.houseConsignments,
            { added: 0, changed: 0, removed: 0, unchanged: 1 },
            'houseConsignments',
          );
        },
      },
    },
    {
      id: 'REGI-003',
      sentence:
        'A changed declaration is CHANGED, with what changed; it replaces the whole declaration.',
      sources: [api(PUT), decision(42)],
      needs: ['authority'],
      cases: {
        'one house consignment is removed, one added, one changed': async (context) => {
          const declaration = await register(context, { houses: [{}, {}, {}] });
          const [first, second] = declaration.houseConsignments;
          const added = makeDeclaration().houseConsignments;
          const changed = {
            ...declaration,
            estimatedTimeOfArrival: '2026-02-01T00:00:00.000Z',
            houseConsignments: [first, { ...second, containerId: [newContainerId()] }, ...added],
          } as EntrySummaryDeclaration;
          const { result } = await putResult(context, changed);
          expectEqual(result.status, 'CHANGED', 'status');
          expectEqual(result.changed, ['estimatedTimeOfArrival'], 'changed');
          expectEqual(
            result.houseConsignments,
            { added: 1, changed: 1, removed: 1, unchanged: 1 },
            'houseConsignments',
          );
        },
      },
    },
    {
      id: 'REGI-004',
      sentence: 'A withdrawn declaration is gone: reading and withdrawing it again are 404.',
      sources: [api(DELETE, GET)],
      needs: ['authority', 'presenter'],
      cases: {
        'it is withdrawn once': async (context) => {
          const { mrn } = await register(context);
          const authority = context.as('authority');
          const response = await authority.call(DELETE, { path: { mrn } });
          expectStatus(response, 200);
          expectValid(EntrySummaryDeclarationResult, readObject(response), 'the result');
          expectEqual(readObject(response).status, 'WITHDRAWN', 'status');
          expectProblem(await authority.call(GET, { path: { mrn } }), 404);
          expectProblem(await authority.call(DELETE, { path: { mrn } }), 404);
        },
        'one that never existed': async (context) => {
          const path = { mrn: newMrn() };
          expectProblem(await context.as('authority').call(GET, { path }), 404);
          expectProblem(await context.as('authority').call(DELETE, { path }), 404);
        },
      },
    },
    {
      id: 'REGI-005',
      sentence:
        'Presented goods are never changed or withdrawn: the request is PRESENTED and changes nothing.',
      sources: [api(PUT, DELETE), decision(42)],
      needs: ['authority', 'presenter'],
      cases: {
        'the declaration is withdrawn': async (context) => {
          const { mrn } = await register(context);
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const response = await context.as('authority').call(DELETE, { path: { mrn } });
          expectProblem(response, 400, { code: 'PRESENTED' });
          expectStatus(await context.as('authority').call(GET, { path: { mrn } }), 200);
        },
        'a presented house consignment is left out and another one is added': async (context) => {
          const declaration = await register(context);
          const { mrn } = declaration;
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const changed = { ...makeDeclaration(), ...{ mrn, declarant: declaration.declarant } };
          const response = await context
            .as('authority')
            .call(PUT, { path: { mrn }, json: changed });
          expectProblem(response, 400, { code: 'PRESENTED' });
          const read = await context.as('authority').call(GET, { path: { mrn } });
          expectEqual(readObject(read), declaration, 'the declaration afterwards');
        },
      },
    },
  ],
};
