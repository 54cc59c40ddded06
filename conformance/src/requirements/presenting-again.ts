import { decide, documentOf, put, register } from '../data/goods.js';
import { newDocumentNumber } from '../data/identifiers.js';
import { present, presentationOf, readStatus, tryPresent } from '../data/presentations.js';
import { memberOf, readSignals } from '../data/read-feed.js';
import { documentsOf, registerFor } from '../data/references.js';
import { expectEqual, expectProblem, expectStatus } from '../suite/expect.js';
import { type Area, api, architecture, decision, national } from '../suite/requirement.js';

export const presentingAgain: Area = {
  name: 'Presenting again',
  requirements: [
    {
      id: 'PRES-008',
      sentence:
        'A requestId presents once: a second call with it is REQUEST_ID_REUSED and presents nothing.',
      sources: [api('presentHouseConsignment'), national('Presentation, requestId')],
      needs: ['presenter', 'authority'],
      cases: {
        'the same call again': async (context) => {
          const { reference } = await registerFor(context, 'house-consignment');
          const body = presentationOf(reference);
          const presenter = context.as('presenter');
          expectStatus(await tryPresent(presenter, 'house-consignment', body), 202);
          const again = await tryPresent(presenter, 'house-consignment', body);
          expectProblem(again, 400, { code: 'REQUEST_ID_REUSED', field: 'requestId' });
        },
        'another call with the same requestId': async (context) => {
          const first = await registerFor(context, 'house-consignment');
          const second = await registerFor(context, 'receptacle');
          const body = presentationOf(first.reference);
          const presenter = context.as('presenter');
          expectStatus(await tryPresent(presenter, 'house-consignment', body), 202);
          const again = await tryPresent(presenter, 'receptacle', {
            ...presentationOf(second.reference),
            requestId: body.requestId,
          });
          expectProblem(again, 400, { code: 'REQUEST_ID_REUSED' });
          const signals = await readSignals(context, 'presenter', second.declaration.mrn);
          expectEqual(signals.length, 0, 'the number of signals of what was refused');
          const status = await readStatus(presenter, body.requestId);
          expectEqual(
            [status.status, status.level],
            ['SUCCESS', 'HOUSE_CONSIGNMENT'],
            'the first status',
          );
        },
      },
    },
    {
      id: 'PRES-009',
      sentence: 'Of concurrent calls with the same requestId exactly one is accepted.',
      sources: [api('presentHouseConsignment'), architecture('How a presentation is processed')],
      needs: ['presenter', 'authority'],
      cases: {
        'eight calls at once': async (context) => {
          const { reference } = await registerFor(context, 'house-consignment');
          const body = presentationOf(reference);
          const presenter = context.as('presenter');
          const responses = await Promise.all(
            Array.from({ length: 8 }, () => tryPresent(presenter, 'house-consignment', body)),
          );
          const accepted = responses.filter(({ status }) => status === 202);
          expectEqual(accepted.length, 1, 'the number of accepted calls');
        },
      },
    },
    {
      id: 'PRES-010',
      sentence: 'A requestId belongs to one organisation: another one may use the same.',
      sources: [api('presentHouseConsignment')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'two organisations present with one requestId': async (context) => {
          const { reference } = await registerFor(context, 'house-consignment');
          const body = presentationOf(reference);
          expectStatus(await tryPresent(context.as('presenter'), 'house-consignment', body), 202);
          expectStatus(await tryPresent(context.as('other'), 'house-consignment', body), 202);
        },
      },
    },
    {
      id: 'PRES-011',
      sentence:
        'Presenting again with a new requestId is accepted, and issues no signal a second time.',
      sources: [api('presentHouseConsignment'), architecture('Presented, connected, decided')],
      needs: ['presenter', 'authority'],
      cases: {
        'once by document, once by receptacle, once by declaration': async (context) => {
          const { declaration, reference } = await registerFor(context, 'receptacle');
          const presenter = context.as('presenter');
          await present(presenter, 'house-consignment', {
            transportDocumentHouseLevel: documentOf(declaration),
          });
          await present(presenter, 'receptacle', reference);
          await present(presenter, 'entry-summary-declaration', { mrn: declaration.mrn });
          const documents = documentsOf(await readSignals(context, 'presenter', declaration.mrn));
          expectEqual(documents.length, 3, 'the number of signals');
          expectEqual(new Set(documents).size, 3, 'the number of documents with a signal');
        },
      },
    },
    {
      id: 'PRES-012',
      sentence:
        'An organisation that presents what another has presented receives the signals that apply now, and the other one receives nothing new.',
      sources: [api('presentHouseConsignment'), decision(21)],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'after a changed decision': async (context) => {
          const declaration = await register(context);
          await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          await decide(context, declaration, 'TO_CONTROL');
          await present(context.as('other'), 'entry-summary-declaration', { mrn: declaration.mrn });
          const routings = async (role: 'presenter' | 'other') =>
            (await readSignals(context, role, declaration.mrn)).map((signal) =>
              memberOf(signal, 'routingResult.routing'),
            );
          expectEqual(
            await routings('other'),
            ['TO_CONTROL'],
            'the signals of the second presenter',
          );
          expectEqual(
            await routings('presenter'),
            ['TO_ENTRY', 'TO_CONTROL'],
            'the signals of the first',
          );
        },
      },
    },
    {
      id: 'PRES-013',
      sentence: 'House consignments that are added after a presentation are not presented by it.',
      sources: [api('presentEntrySummaryDeclaration'), decision(21)],
      needs: ['presenter', 'authority'],
      cases: {
        'one is added to a presented declaration': async (context) => {
          const declaration = await register(context);
          await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          const added = {
            transportDocumentHouseLevel: { documentNumber: newDocumentNumber(), type: 'N703' },
            routing: 'TO_ENTRY',
          } as const;
          await put(context, {
            ...declaration,
            houseConsignments: [...declaration.houseConsignments, added],
          });
          const signals = async () =>
            (await readSignals(context, 'presenter', declaration.mrn)).length;
          expectEqual(await signals(), 1, 'the number of signals before it is presented');
          await present(context.as('presenter'), 'house-consignment', {
            transportDocumentHouseLevel: added.transportDocumentHouseLevel,
          });
          expectEqual(await signals(), 2, 'the number of signals after it is presented');
        },
      },
    },
  ],
};
