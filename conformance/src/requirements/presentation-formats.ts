import { transportDocumentTypes } from '@landfall/contract';
import { newContainerId, newDocumentNumber, newMrn, newReceptacleId } from '../data/identifiers.js';
import { presentationOf, tryPresent } from '../data/presentations.js';
import { refused } from '../data/refused-presentation.js';
import { expectProblem } from '../suite/expect.js';
import { type Area, api, decision, standard } from '../suite/requirement.js';

const document = () => ({ documentNumber: newDocumentNumber(), type: 'N703' });

export const presentationFormats: Area = {
  name: 'Members of presentations',
  requirements: [
    {
      id: 'PRES-022',
      sentence: 'A required member that is absent, null or blank is REQUIRED.',
      sources: [api('presentHouseConsignment'), decision(25)],
      needs: ['presenter'],
      cases: {
        'without requestId': async (context) => {
          const { requestId: _, ...body } = presentationOf({ mrn: newMrn() });
          const response = await tryPresent(
            context.as('presenter'),
            'entry-summary-declaration',
            body,
          );
          expectProblem(response, 400, { code: 'REQUIRED', field: 'requestId' });
        },
        'without an office': refused(
          'entry-summary-declaration',
          () => ({ mrn: newMrn(), customsOfficeOfPresentation: undefined }),
          'REQUIRED',
          'customsOfficeOfPresentation',
        ),
        'an office that is null': refused(
          'entry-summary-declaration',
          () => ({ mrn: newMrn(), customsOfficeOfPresentation: null }),
          'REQUIRED',
          'customsOfficeOfPresentation',
        ),
        'an office that is blank': refused(
          'entry-summary-declaration',
          () => ({ mrn: newMrn(), customsOfficeOfPresentation: '  ' }),
          'REQUIRED',
          'customsOfficeOfPresentation',
        ),
        'without a reference': refused('receptacle', () => ({}), 'REQUIRED', 'receptacleId'),
        'without the number of the document': refused(
          'house-consignment',
          () => ({ transportDocumentHouseLevel: { type: 'N703' } }),
          'REQUIRED',
          'transportDocumentHouseLevel.documentNumber',
        ),
        'without the type of the document': refused(
          'house-consignment',
          () => ({ transportDocumentHouseLevel: { documentNumber: newDocumentNumber() } }),
          'REQUIRED',
          'transportDocumentHouseLevel.type',
        ),
      },
    },
    {
      id: 'PRES-024',
      sentence: 'A customs office that is not in CL141 is UNKNOWN_CODE.',
      sources: [api('presentHouseConsignment'), standard('EU code list CL141')],
      needs: ['presenter'],
      cases: {
        'an office that does not exist': refused(
          'receptacle',
          () => ({ receptacleId: newReceptacleId(), customsOfficeOfPresentation: 'NO000000' }),
          'UNKNOWN_CODE',
          'customsOfficeOfPresentation',
        ),
      },
    },
    {
      id: 'PRES-025',
      sentence: 'A document type of CL754 is accepted, and any other is UNKNOWN_CODE.',
      sources: [api('presentHouseConsignment'), standard('EU code list CL754')],
      needs: ['presenter'],
      cases: {
        'every type of the list': async (context) => {
          for (const type of Object.keys(transportDocumentTypes)) {
            const transportDocumentHouseLevel = { documentNumber: newDocumentNumber(), type };
            const response = await tryPresent(
              context.as('presenter'),
              'house-consignment',
              presentationOf({ transportDocumentHouseLevel }),
            );
            expectProblem(response, 400, { code: 'REFERENCE_NOT_FOUND' });
          }
        },
        'another type': refused(
          'house-consignment',
          () => ({ transportDocumentHouseLevel: { ...document(), type: 'N999' } }),
          'UNKNOWN_CODE',
          'transportDocumentHouseLevel.type',
        ),
      },
    },
    {
      id: 'PRES-026',
      sentence: 'An identifier that is not of its format is FORMAT, check digits included.',
      sources: [
        api('presentContainer', 'presentReceptacle', 'presentEntrySummaryDeclaration'),
        standard('ISO 6346:2022, annex A'),
        standard('UPU S9'),
      ],
      needs: ['presenter'],
      cases: {
        'a container with a wrong check digit': refused(
          'container',
          () => {
            const right = newContainerId();
            return { containerId: `${right.slice(0, 10)}${(Number(right[10]) + 1) % 10}` };
          },
          'FORMAT',
          'containerId',
        ),
        'a receptacle with a category that does not exist': refused(
          'receptacle',
          () => ({ receptacleId: newReceptacleId().replace(/^(.{12})./, '$1Z') }),
          'FORMAT',
          'receptacleId',
        ),
        'an MRN without a country': refused(
          'entry-summary-declaration',
          () => ({ mrn: '260000000000000001' }),
          'FORMAT',
          'mrn',
        ),
        'a requestId that is not a UUID': refused(
          'entry-summary-declaration',
          () => ({ mrn: newMrn(), requestId: '4711' }),
          'FORMAT',
          'requestId',
        ),
        'a reference of the wrong type': refused(
          'entry-summary-declaration',
          () => ({ mrn: 26 }),
          'FORMAT',
          'mrn',
        ),
      },
    },
    {
      id: 'PRES-027',
      sentence: 'The number of a document has 1 to 70 characters; a longer one is SIZE.',
      sources: [api('presentHouseConsignment')],
      needs: ['presenter'],
      cases: {
        '71 characters': refused(
          'house-consignment',
          () => ({ transportDocumentHouseLevel: { documentNumber: 'x'.repeat(71), type: 'N703' } }),
          'SIZE',
          'transportDocumentHouseLevel.documentNumber',
        ),
        '70 characters': refused(
          'house-consignment',
          () => ({
            transportDocumentHouseLevel: {
              documentNumber: newDocumentNumber().padEnd(70, 'x'),
              type: 'N703',
            },
          }),
          'REFERENCE_NOT_FOUND',
          'transportDocumentHouseLevel',
        ),
      },
    },
  ],
};
