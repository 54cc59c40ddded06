// Requirements on goods that were lodged as house consignments: they are presented, decided and signalled like others.
import { RoutingSignal } from '@landfall/contract';
import { makeDeclaration, put } from '../data/goods.js';
import { newContainerId, newDocumentNumber, newReceptacleId } from '../data/identifiers.js';
import {
  decideOn,
  expectSignals,
  lodgeGoods,
  presentGoods,
  signalsOf,
} from '../data/lodged-goods.js';
import { alone, HOUSE, MASTER, makeMovement, memberAt } from '../data/movement-messages.js';
import { cancel, lodge, mover } from '../data/movements.js';
import { presentationOf, readStatus, tryPresent } from '../data/presentations.js';
import { readEntries, readSignals } from '../data/read-feed.js';
import { expect, expectEqual, expectProblem, expectStatus, expectValid } from '../suite/expect.js';
import { type Area, api, architecture, decision } from '../suite/requirement.js';

const presenting = api('presentHouseConsignment', 'lodgeHouseConsignment');

export const lodgedGoods: Area = {
  name: 'Lodged goods',
  requirements: [
    {
      id: 'LGDS-001',
      sentence:
        'A lodged house consignment is presented by its document, with or without its MRN, and its signals have houseConsignmentMRN in place of entrySummaryDeclarationMRN.',
      sources: [presenting, decision(229)],
      needs: ['presenter', 'authority'],
      cases: Object.fromEntries(
        [false, true].map((withMrn) => [
          withMrn ? 'by document and MRN' : 'by document',
          async (context) => {
            const caller = mover(context);
            const goods = await lodgeGoods(caller);
            await decideOn(context, goods, 'TO_CONTROL');
            const { mrn, document } = goods;
            const requestId = await presentGoods(caller, goods, withMrn ? { mrn } : {});
            const [signal, ...more] = await signalsOf(context, 'presenter', goods);
            expectEqual(more.length, 0, 'the number of further signals');
            expectValid(RoutingSignal, signal, 'the signal');
            expectEqual(
              [
                memberAt(signal, 'routingResult.routing'),
                memberAt(signal, 'houseConsignmentMRN'),
                memberAt(signal, 'entrySummaryDeclarationMRN'),
                memberAt(signal, 'transportDocumentHouseLevel.documentNumber'),
                memberAt(signal, 'transportDocumentMasterLevel'),
              ],
              [
                'TO_CONTROL',
                mrn,
                undefined,
                document.documentNumber,
                memberAt(goods.message, `${HOUSE}.${MASTER}.transportDocumentMasterLevel`),
              ],
              'the signal',
            );
            const means = [
              'estimatedTimeOfArrival',
              'scheduledTimeOfArrival',
              'activeBorderTransportMeans',
            ];
            for (const name of means) expectEqual(memberAt(signal, name), undefined, name);
            const status = await readStatus(caller, requestId);
            expectEqual([status.mrn, status.houseConsignments], [mrn, 1], 'the validation status');
          },
        ]),
      ),
    },
    {
      id: 'LGDS-002',
      sentence: 'No signal of lodged goods is sent before they are presented.',
      sources: [presenting, architecture('Presented, connected, decided')],
      needs: ['presenter', 'authority'],
      cases: {
        'decided twice, and then presented': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          await decideOn(context, goods, 'TO_ENTRY');
          await expectSignals(context, 'presenter', goods);
          await presentGoods(caller, goods);
          await expectSignals(context, 'presenter', goods, 'TO_ENTRY');
        },
      },
    },
    {
      id: 'LGDS-003',
      sentence:
        'A decision names a lodged house consignment by its MRN and document, before or after it is presented.',
      sources: [api('postRoutingDecisions', 'lodgeHouseConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'after it is presented, and changed': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          await presentGoods(caller, goods);
          await decideOn(context, goods, 'TO_ENTRY');
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL', 'TO_ENTRY');
        },
        'with the document of other goods': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          const { document } = await lodgeGoods(caller);
          const result = await decideOn(context, { ...goods, document }, 'TO_CONTROL');
          const code = memberAt(result, 'validationErrors[0].code');
          expectEqual(code, 'REFERENCE_NOT_FOUND', `the result ${JSON.stringify(result)}`);
        },
      },
    },
    {
      id: 'LGDS-004',
      sentence:
        'A document that stands under an ENS means the ENS; only with its MRN, or if no ENS has it, lodged goods.',
      sources: [presenting, decision(225)],
      needs: ['presenter', 'authority'],
      cases: {
        'an ENS and lodged goods with one document': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          const declaration = makeDeclaration();
          // The cast is true because the example has a type of the list.
          const document = goods.document as { documentNumber: string; type: 'N730' };
          declaration.houseConsignments = [
            { transportDocumentHouseLevel: document, routing: 'TO_ENTRY' },
          ];
          await put(context, declaration);
          await presentGoods(caller, goods);
          await expectSignals(context, 'presenter', goods);
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          expectEqual(signals.length, 1, 'the number of signals of the ENS');
          await presentGoods(caller, goods, { mrn: goods.mrn });
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
        },
      },
    },
    {
      id: 'LGDS-005',
      sentence:
        'A document of several lodged house consignments, and one of masters of several carriers, is REFERENCE_AMBIGUOUS, and mrn tells them apart.',
      sources: [presenting, api('presentMasterConsignment', 'lodgeMasterConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'house consignments': async (context) => {
          const caller = mover(context);
          const number = newDocumentNumber();
          const path = `${HOUSE}.transportDocumentHouseLevel.documentNumber`;
          const first = await lodgeGoods(caller, { [path]: number });
          const second = await lodgeGoods(caller, { [path]: number });
          await decideOn(context, first, 'TO_ENTRY');
          await decideOn(context, second, 'TO_CONTROL');
          const body = presentationOf({ transportDocumentHouseLevel: first.document });
          const response = await tryPresent(caller, 'house-consignment', body);
          const field = 'transportDocumentHouseLevel';
          expectProblem(response, 400, { code: 'REFERENCE_AMBIGUOUS', field });
          await presentGoods(caller, second, { mrn: second.mrn });
          await expectSignals(context, 'presenter', first);
          await expectSignals(context, 'presenter', second, 'TO_CONTROL');
        },
        'master consignments': async (context) => {
          const caller = mover(context);
          const document = { documentNumber: newDocumentNumber(), type: 'N741' };
          const carriers = ['NO888888888', 'NO777777777'];
          const goods = [];
          const masters = [];
          for (const carrier of carriers) {
            const message = makeMovement('master-consignment', 'air', {
              [`${MASTER}.transportDocumentMasterLevel`]: document,
              [`${MASTER}.carrier.identificationNumber`]: carrier,
            });
            masters.push(await lodge(caller, 'air', 'master-consignment', message));
            const under = {
              carrierIdentificationNumber: carrier,
              transportDocumentMasterLevel: document,
            };
            const house = await lodgeGoods(caller, { [`${HOUSE}.${MASTER}`]: under }, 'air');
            await decideOn(context, house, 'TO_ENTRY');
            goods.push(house);
          }
          const present = (mrn?: string) =>
            tryPresent(
              caller,
              'master-consignment',
              presentationOf({
                transportDocumentMasterLevel: document,
                ...(mrn !== undefined && { mrn }),
              }),
            );
          const field = 'transportDocumentMasterLevel';
          expectProblem(await present(), 400, { code: 'REFERENCE_AMBIGUOUS', field });
          expectStatus(await present(masters[1]?.mrn), 202);
          const [first, second] = goods;
          expect(first !== undefined && second !== undefined, 'goods are missing');
          await expectSignals(context, 'presenter', first);
          await expectSignals(context, 'presenter', second, 'TO_ENTRY');
        },
      },
    },
    {
      id: 'LGDS-006',
      sentence:
        'A master document, a container and a receptacle reach the lodged house consignments in them.',
      sources: [api('presentMasterConsignment', 'presentContainer', 'presentReceptacle')],
      needs: ['presenter', 'authority'],
      cases: {
        'a master document': async (context) => {
          const caller = mover(context);
          const document = { documentNumber: newDocumentNumber(), type: 'N741' };
          const under = {
            carrierIdentificationNumber: 'NO888888888',
            transportDocumentMasterLevel: document,
          };
          const first = await lodgeGoods(caller, { [`${HOUSE}.${MASTER}`]: under }, 'air');
          const second = await lodgeGoods(caller, { [`${HOUSE}.${MASTER}`]: under }, 'air');
          const outside = await lodgeGoods(caller, {}, 'air');
          const message = makeMovement('master-consignment', 'air', {
            [`${MASTER}.transportDocumentMasterLevel`]: document,
          });
          await lodge(caller, 'air', 'master-consignment', message);
          for (const goods of [first, second, outside]) await decideOn(context, goods, 'TO_ENTRY');
          const body = presentationOf({ transportDocumentMasterLevel: document });
          expectStatus(await tryPresent(caller, 'master-consignment', body), 202);
          const status = await readStatus(caller, body.requestId);
          expectEqual(status.houseConsignments, 2, 'houseConsignments');
          await expectSignals(context, 'presenter', first, 'TO_ENTRY');
          await expectSignals(context, 'presenter', second, 'TO_ENTRY');
          await expectSignals(context, 'presenter', outside);
        },
        'a container': async (context) => {
          const caller = mover(context);
          const containerId = newContainerId();
          const path = `${HOUSE}.transportEquipment[0].containerIdentificationNumber`;
          const goods = await lodgeGoods(caller, { [path]: containerId });
          await decideOn(context, goods, 'TO_ENTRY');
          const body = presentationOf({ containerId });
          expectStatus(await tryPresent(caller, 'container', body), 202);
          const [signal] = await signalsOf(context, 'presenter', goods);
          expectEqual(memberAt(signal, 'containerId'), [containerId], 'containerId');
        },
        'a receptacle, beside goods of an ENS': async (context) => {
          const caller = mover(context);
          const receptacleId = newReceptacleId();
          const changes = { ...alone, [`${HOUSE}.receptacleIdentificationNumber`]: receptacleId };
          const goods = await lodgeGoods(caller, changes, 'air');
          await decideOn(context, goods, 'TO_ENTRY');
          const declaration = makeDeclaration({ houses: [{ receptacleId, routing: 'TO_ENTRY' }] });
          await put(context, declaration);
          const body = presentationOf({ receptacleId });
          expectStatus(await tryPresent(caller, 'receptacle', body), 202);
          const [signal] = await signalsOf(context, 'presenter', goods);
          expectEqual(memberAt(signal, 'receptacleId'), receptacleId, 'receptacleId');
          const signals = await readSignals(context, 'presenter', declaration.mrn);
          expectEqual(signals.length, 1, 'the number of signals of the ENS');
        },
      },
    },
    {
      id: 'LGDS-007',
      sentence: 'Goods that were cancelled are not presented.',
      sources: [presenting, api('cancelMovement')],
      needs: ['presenter', 'authority'],
      cases: {
        'by document, and by MRN': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_ENTRY');
          expectEqual((await cancel(caller, goods)).status, 'SUCCESS', 'the status');
          for (const mrn of [undefined, goods.mrn]) {
            const body = presentationOf({
              transportDocumentHouseLevel: goods.document,
              ...(mrn !== undefined && { mrn }),
            });
            const response = await tryPresent(caller, 'house-consignment', body);
            expectProblem(response, 400, { code: 'REFERENCE_NOT_FOUND' });
          }
          await expectSignals(context, 'presenter', goods);
        },
      },
    },
    {
      id: 'LGDS-008',
      sentence:
        'The submitter and the representative of lodged goods get the signals that a presentation of somebody else causes, and nobody else does.',
      sources: [presenting, architecture('Presented, connected, decided')],
      needs: ['presenter', 'other', 'foreign', 'authority'],
      cases: {
        'another organisation presents': async (context) => {
          const goods = await lodgeGoods(mover(context));
          await decideOn(context, goods, 'TO_ENTRY');
          await presentGoods(context.as('other'), goods);
          for (const role of ['presenter', 'other'] as const) {
            await expectSignals(context, role, goods, 'TO_ENTRY');
          }
          await expectSignals(context, 'foreign', goods);
        },
        'the submitter presents': async (context) => {
          const goods = await lodgeGoods(mover(context));
          await decideOn(context, goods, 'TO_CONTROL');
          await presentGoods(context.as('presenter'), goods);
          await presentGoods(context.as('presenter'), goods);
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
          await expectSignals(context, 'other', goods);
        },
      },
    },
    {
      id: 'LGDS-009',
      sentence:
        'The statuses of presentations are found by the MRN of the lodged goods that they reached.',
      sources: [api('getValidationStatus')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'two presentations, and nothing for others': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          const sent = [await presentGoods(caller, goods), await presentGoods(caller, goods)];
          const read = async (role: 'presenter' | 'other') => {
            const path = { reference: goods.mrn };
            const response = await context.as(role).call('getValidationStatus', { path });
            return readEntries(response).map(({ requestId }) => requestId);
          };
          expectEqual(await read('presenter'), sent, 'the requests');
          expectEqual(await read('other'), [], 'the requests of the other');
        },
      },
    },
  ],
};
