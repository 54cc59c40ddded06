// Requirements on presenting goods that are found: what an accepted presentation does.
import { randomUUID } from 'node:crypto';
import type { PresentationPath } from '@landfall/contract';
import { documentOf, register } from '../data/goods.js';
import {
  present,
  presentationOf,
  presentOperations,
  readStatus,
  tryPresent,
} from '../data/presentations.js';
import { readSignals } from '../data/read-feed.js';
import { documentsOf, registerFor } from '../data/references.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem, expectSchema, expectStatus } from '../suite/expect.js';
import { type Area, api, architecture, national, rfc } from '../suite/requirement.js';

const levels = [
  ['house-consignment', 'one house consignment'],
  ['master-consignment', 'every house consignment under the master document'],
  ['container', 'every house consignment in the container'],
  ['receptacle', 'every house consignment in the receptacle'],
  ['entry-summary-declaration', 'every house consignment of the declaration'],
] as const satisfies readonly (readonly [PresentationPath, string])[];

export const presentation: Area = {
  name: 'Presentation',
  requirements: [
    ...levels.map(([level, what], index) => ({
      id: `PRES-00${index + 1}`,
      sentence: `A presentation at the level ${level} presents ${what}, and nothing else.`,
      sources: [
        api(presentOperations[level]),
        national('Presentation, what is presented with a receptacle or an ENS'),
      ],
      needs: ['presenter', 'authority'] as const,
      cases: {
        'the signals are those of the goods under the reference': async (context: CaseContext) => {
          const { declaration, reference, documents } = await registerFor(context, level);
          await present(context.as('presenter'), level, reference);
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          expectEqual(
            documentsOf(signals).sort(),
            [...documents].sort(),
            'the documents of the signals',
          );
        },
        'the status has the level and the number of house consignments': async (
          context: CaseContext,
        ) => {
          const { reference, documents } = await registerFor(context, level);
          const presenter = context.as('presenter');
          const status = await readStatus(presenter, await present(presenter, level, reference));
          expectEqual(status.level, level.toUpperCase().replaceAll('-', '_'), 'level');
          expectEqual(status.houseConsignments, documents.length, 'houseConsignments');
        },
      },
    })),
    {
      id: 'PRES-006',
      sentence:
        'An accepted presentation is 202 with the requestId, and Location is the address of its validation status.',
      sources: [api('presentHouseConsignment'), rfc(9110, '10.2.2')],
      needs: ['presenter', 'authority'],
      cases: {
        'the response has the requestId and the address': async (context) => {
          const { reference } = await registerFor(context, 'receptacle');
          const body = presentationOf(reference);
          const response = await tryPresent(context.as('presenter'), 'receptacle', body);
          expectStatus(response, 202);
          expectSchema('presentReceptacle', response);
          expectEqual(JSON.parse(response.text).requestId, body.requestId, 'requestId');
          const location = response.headers.get('location');
          expect(location !== null, 'there is no Location');
          const path = new URL(location, context.settings.baseUrl).pathname;
          expect(
            path.endsWith(`/api/movement/presentation/v1/validation-status/${body.requestId}`),
            `Location is ${location}`,
          );
        },
      },
    },
    {
      id: 'PRES-007',
      sentence:
        'When the 202 arrives, the status and the signals of decided goods can be read: there is no delay in which they are unknown.',
      sources: [api('presentHouseConsignment'), architecture('How a presentation is processed')],
      needs: ['presenter', 'authority'],
      cases: {
        'status and signal are read at once, ten times': async (context) => {
          const declaration = await register(context, {
            houses: Array.from({ length: 10 }, () => ({ routing: 'TO_ENTRY' })),
          });
          const presenter = context.as('presenter');
          for (const [index] of declaration.houseConsignments.entries()) {
            const document = documentOf(declaration, index);
            const requestId = await present(presenter, 'house-consignment', {
              transportDocumentHouseLevel: document,
            });
            expectEqual((await readStatus(presenter, requestId)).status, 'SUCCESS', 'status');
            const signals = await readSignals(context, 'presenter', declaration.mrn);
            expect(
              documentsOf(signals).includes(document.documentNumber),
              `the signal of presentation ${index + 1} cannot be read after its 202`,
            );
          }
        },
      },
    },
    {
      id: 'PRES-014',
      sentence:
        'Members that the contract does not have are ignored in a presentation, and its status names them.',
      sources: [api('presentHouseConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'an unknown member and an unknown nested one': async (context) => {
          const declaration = await register(context);
          const presenter = context.as('presenter');
          const requestId = await present(presenter, 'house-consignment', {
            transportDocumentHouseLevel: { ...documentOf(declaration), comment: 'new' },
            somethingNew: { id: randomUUID() },
          });
          const { ignoredMembers } = await readStatus(presenter, requestId);
          const named = Array.isArray(ignoredMembers) ? [...ignoredMembers].sort() : ignoredMembers;
          expectEqual(
            named,
            ['somethingNew', 'transportDocumentHouseLevel.comment'],
            'ignoredMembers',
          );
        },
      },
    },
    {
      id: 'PRES-030',
      sentence:
        'With Prefer: handling=strict, a presentation with members that the contract does not have is refused.',
      sources: [api('presentEntrySummaryDeclaration'), rfc(7240, '4.4')],
      needs: ['presenter', 'authority'],
      cases: {
        'an unknown member, and then none': async (context) => {
          const declaration = await register(context);
          const presenter = context.as('presenter');
          const strictly = (body: Record<string, unknown>) =>
            presenter.call('presentEntrySummaryDeclaration', {
              json: body,
              headers: { prefer: 'handling=strict' },
            });
          const body = presentationOf({ mrn: declaration.mrn, MRN: declaration.mrn });
          const refused = await strictly(body);
          expectProblem(refused, 400, { code: 'UNKNOWN_MEMBER', field: 'MRN' });
          expectEqual(refused.headers.get('preference-applied'), 'handling=strict', 'applied');
          expectEqual((await readStatus(presenter, body.requestId)).status, 'FAILURE', 'status');
          expectEqual(
            (await readSignals(context, 'presenter', declaration.mrn)).length,
            0,
            'signals',
          );
          expectStatus(await strictly(presentationOf({ mrn: declaration.mrn })), 202);
        },
      },
    },
    {
      id: 'PRES-015',
      sentence: 'A foreign business presents with an eSeal and the eu/ form of the scope.',
      sources: [api('presentHouseConsignment'), national('Access, foreign businesses')],
      needs: ['foreign', 'authority'],
      cases: {
        'it presents and reads the signal': async (context) => {
          const declaration = await register(context);
          await present(context.as('foreign'), 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          const signals = await readSignals(context, 'foreign', declaration.mrn);
          expectEqual(signals.length, 1, 'the number of signals');
        },
      },
    },
  ],
};
