// Requirements on presentations that are refused.
import { randomUUID } from 'node:crypto';
import { documentOf, makeDeclaration, put, register } from '../data/goods.js';
import { newContainerId, newDocumentNumber, newMrn, newReceptacleId } from '../data/identifiers.js';
import { present, presentationOf, readStatus, tryPresent } from '../data/presentations.js';
import { readSignals } from '../data/read-feed.js';
import { refused } from '../data/refused-presentation.js';
import { expectEqual, expectProblem, expectStatus } from '../suite/expect.js';
import { type Area, api, decision, national, rfc } from '../suite/requirement.js';

const document = () => ({ documentNumber: newDocumentNumber(), type: 'N703' });

export const refusedPresentations: Area = {
  name: 'Refused presentations',
  requirements: [
    {
      id: 'PRES-020',
      sentence: 'A reference that is not pre-notified is REFERENCE_NOT_FOUND at its member.',
      sources: [api('presentHouseConsignment'), national('Presentation, validation of references')],
      needs: ['presenter'],
      cases: {
        'a house document': refused(
          'house-consignment',
          () => ({ transportDocumentHouseLevel: document() }),
          'REFERENCE_NOT_FOUND',
          'transportDocumentHouseLevel',
        ),
        'a master document': refused(
          'master-consignment',
          () => ({ transportDocumentMasterLevel: document() }),
          'REFERENCE_NOT_FOUND',
          'transportDocumentMasterLevel',
        ),
        'a container': refused(
          'container',
          () => ({ containerId: newContainerId() }),
          'REFERENCE_NOT_FOUND',
          'containerId',
        ),
        'a receptacle': refused(
          'receptacle',
          () => ({ receptacleId: newReceptacleId() }),
          'REFERENCE_NOT_FOUND',
          'receptacleId',
        ),
        'a declaration': refused(
          'entry-summary-declaration',
          () => ({ mrn: newMrn() }),
          'REFERENCE_NOT_FOUND',
          'mrn',
        ),
      },
    },
    {
      id: 'PRES-021',
      sentence:
        'A transport document under more than one declaration is REFERENCE_AMBIGUOUS without mrn, and accepted with it.',
      sources: [api('presentHouseConsignment', 'presentMasterConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'a house document under two declarations': async (context) => {
          const first = await register(context);
          const transportDocumentHouseLevel = documentOf(first);
          const second = makeDeclaration({
            houses: [{ transportDocumentHouseLevel, routing: 'TO_CONTROL' }],
          });
          await put(context, second);
          const presenter = context.as('presenter');
          const response = await tryPresent(
            presenter,
            'house-consignment',
            presentationOf({ transportDocumentHouseLevel }),
          );
          expectProblem(response, 400, {
            code: 'REFERENCE_AMBIGUOUS',
            field: 'transportDocumentHouseLevel',
          });
          await present(presenter, 'house-consignment', {
            transportDocumentHouseLevel,
            mrn: second.mrn,
          });
          expectEqual(
            (await readSignals(context, 'presenter', first.mrn)).length,
            0,
            'signals of the other',
          );
          expectEqual(
            (await readSignals(context, 'presenter', second.mrn)).length,
            1,
            'signals of the named',
          );
        },
      },
    },
    {
      id: 'PRES-023',
      sentence: 'All errors of a body are reported together.',
      sources: [api('presentHouseConsignment')],
      needs: ['presenter'],
      cases: {
        'three wrong members': async (context) => {
          const response = await tryPresent(context.as('presenter'), 'house-consignment', {
            requestId: randomUUID(),
            customsOfficeOfPresentation: 'NO000000',
            transportDocumentHouseLevel: { documentNumber: '', type: 'N999' },
            mrn: 'X',
          });
          expectProblem(response, 400, {
            code: 'UNKNOWN_CODE',
            field: 'customsOfficeOfPresentation',
          });
          expectProblem(response, 400, {
            code: 'UNKNOWN_CODE',
            field: 'transportDocumentHouseLevel.type',
          });
          expectProblem(response, 400, { code: 'FORMAT', field: 'mrn' });
          expectProblem(response, 400, {
            code: 'REQUIRED',
            field: 'transportDocumentHouseLevel.documentNumber',
          });
        },
      },
    },
    {
      id: 'PRES-028',
      sentence:
        'A refused presentation with a readable requestId is recorded as FAILURE, and its requestId is consumed.',
      sources: [api('presentHouseConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'it is corrected and sent again with the same requestId': async (context) => {
          const declaration = await register(context);
          const presenter = context.as('presenter');
          const body = presentationOf({ mrn: newMrn() });
          expectStatus(await tryPresent(presenter, 'entry-summary-declaration', body), 400);
          expectEqual((await readStatus(presenter, body.requestId)).status, 'FAILURE', 'status');
          const corrected = { ...body, mrn: declaration.mrn };
          const again = await tryPresent(presenter, 'entry-summary-declaration', corrected);
          expectProblem(again, 400, { code: 'REQUEST_ID_REUSED', field: 'requestId' });
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          expectEqual(signals.length, 0, 'the number of signals');
        },
        'an invalid member beside a readable requestId': async (context) => {
          const presenter = context.as('presenter');
          const body = presentationOf({ containerId: 'X' });
          expectStatus(await tryPresent(presenter, 'container', body), 400);
          expectEqual((await readStatus(presenter, body.requestId)).status, 'FAILURE', 'status');
        },
      },
    },
    {
      id: 'PRES-029',
      sentence: 'A body with two members of the same name is refused.',
      sources: [decision(25), rfc(8259, '4')],
      needs: ['presenter', 'authority'],
      cases: {
        'mrn twice, with the same value': async (context) => {
          const declaration = await register(context);
          const body = JSON.stringify(presentationOf({ mrn: declaration.mrn }));
          const raw = body.replace(/\}$/, `,"mrn":"${declaration.mrn}"}`);
          const response = await context
            .as('presenter')
            .call('presentEntrySummaryDeclaration', { raw });
          expectProblem(response, 400);
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          expectEqual(signals.length, 0, 'the number of signals');
        },
      },
    },
  ],
};
