// Requirements on messages whose goods are presented, and on what the authority finds of lodged goods.
import { newDocumentNumber } from '../data/identifiers.js';
import {
  decideOn,
  expectSignals,
  type Lodged,
  lodgeGoods,
  presentGoods,
} from '../data/lodged-goods.js';
import {
  change,
  HOUSE,
  MASTER,
  makeMovement,
  memberAt,
  undocumented,
} from '../data/movement-messages.js';
import {
  brokenRules,
  byMode,
  cancel,
  lodge,
  mover,
  readMovement,
  replace,
} from '../data/movements.js';
import { presentationOf, tryPresent } from '../data/presentations.js';
import { type Entry, readEntries } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectStatus } from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

/** The house consignments that the authority finds by the MRN of lodged goods. */
async function find(context: CaseContext, { mrn }: Pick<Lodged, 'mrn'>): Promise<Entry[]> {
  return readEntries(
    await context.as('authority').call('listHouseConsignments', { query: { mrn } }),
  );
}

const hasCode = (broken: readonly { code: string }[], code: string) =>
  expect(
    broken.some((one) => one.code === code),
    `no error ${code}: ${JSON.stringify(broken)}`,
  );

export const presentedMovements: Area = {
  name: 'Presented movement messages',
  requirements: [
    {
      id: 'LGDS-011',
      sentence:
        'Goods that are presented cannot be cancelled, nor the master consignment above them: PRESENTED.',
      sources: [api('cancelMovement')],
      needs: ['presenter', 'authority'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        const goods = await lodgeGoods(caller, {}, mode);
        await presentGoods(caller, goods);
        hasCode(brokenRules(await cancel(caller, goods)), 'PRESENTED');
        expectEqual((await readMovement(caller, goods)).state, 'CURRENT', 'state');
        const document = { documentNumber: newDocumentNumber(), type: 'N741' };
        const carrier = 'NO888888888';
        const master = await lodge(
          caller,
          mode,
          'master-consignment',
          makeMovement('master-consignment', mode, {
            [`${MASTER}.transportDocumentMasterLevel`]: document,
          }),
        );
        const under = {
          carrierIdentificationNumber: carrier,
          transportDocumentMasterLevel: document,
        };
        const inside = await lodgeGoods(caller, { [`${HOUSE}.${MASTER}`]: under }, mode);
        await presentGoods(caller, inside);
        hasCode(brokenRules(await cancel(caller, master)), 'PRESENTED');
      }),
    },
    {
      id: 'LGDS-012',
      sentence:
        'After presentation a replacement documents the goods, and takes away nothing by which they were reached.',
      sources: [api('replaceHouseConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'documents are added': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller, undocumented);
          await presentGoods(caller, goods);
          const house = Object(makeMovement('house-consignment', 'road')[HOUSE]);
          const status = await replace(
            caller,
            goods,
            change(goods.message, {
              [`${HOUSE}.importProcedure`]: house.importProcedure,
              [`${HOUSE}.previousDocuments`]: house.previousDocuments,
              [`${HOUSE}.exportFromEU`]: house.exportFromEU,
            }),
          );
          expectEqual(
            [status.status, status.incompleteDocumentationReasonList],
            ['SUCCESS', undefined],
            'the status',
          );
        },
        'the master document by which they were presented': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          const path = `${HOUSE}.${MASTER}`;
          const master = memberAt(goods.message, `${path}.transportDocumentMasterLevel`);
          await lodge(
            caller,
            'road',
            'master-consignment',
            makeMovement('master-consignment', 'road', {
              [`${MASTER}.transportDocumentMasterLevel`]: master,
            }),
          );
          const body = presentationOf({ transportDocumentMasterLevel: master });
          expectStatus(await tryPresent(caller, 'master-consignment', body), 202);
          const number = `${path}.transportDocumentMasterLevel.documentNumber`;
          for (const changes of [{ [number]: newDocumentNumber() }, { [path]: undefined }]) {
            hasCode(
              brokenRules(await replace(caller, goods, change(goods.message, changes))),
              'PRESENTED',
            );
          }
          expectEqual((await readMovement(caller, goods)).message, goods.message, 'the message');
        },
      },
    },
    {
      id: 'LGDS-013',
      sentence: 'A house consignment whose last signal is TO_ENTRY is not replaced: PRESENTED.',
      sources: [api('replaceHouseConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'and it is, while it is TO_CONTROL': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          await presentGoods(caller, goods);
          const text = { [`${HOUSE}.goodsDescription`]: 'Tables' };
          const next = change(goods.message, text);
          expectEqual((await replace(caller, goods, next)).status, 'SUCCESS', 'TO_CONTROL');
          await decideOn(context, goods, 'TO_ENTRY');
          hasCode(brokenRules(await replace(caller, goods, goods.message)), 'PRESENTED');
          expectEqual((await readMovement(caller, goods)).message, next, 'the message');
          const again = await replace(caller, goods, next);
          expectEqual(again.status, 'SUCCESS', 'the same message again');
        },
      },
    },
    {
      id: 'LGDS-014',
      sentence:
        'A replacement never changes a decision by hand, before and after presentation, and sends no signal.',
      sources: [api('replaceHouseConsignment'), decision(165)],
      needs: ['presenter', 'authority'],
      cases: {
        'before presentation': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          const changes = { [`${HOUSE}.totalGrossMass`]: 9 };
          await replace(caller, goods, change(goods.message, changes));
          await expectSignals(context, 'presenter', goods);
          await presentGoods(caller, goods);
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
        },
        'after presentation': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          await presentGoods(caller, goods);
          await replace(caller, goods, change(goods.message, { [`${HOUSE}.totalGrossMass`]: 9 }));
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
        },
      },
    },
    {
      id: 'LGDS-015',
      sentence: 'The authority finds lodged goods by their MRN and documents, with their history.',
      sources: [api('listHouseConsignments', 'getHouseConsignmentHistory')],
      needs: ['presenter', 'authority'],
      cases: {
        'lodged, replaced, and cancelled': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          const [found, ...more] = await find(context, goods);
          expectEqual(more.length, 0, 'the number of further ones');
          expectEqual(
            [
              memberAt(found, 'houseConsignmentMRN'),
              memberAt(found, 'entrySummaryDeclarationMRN'),
              memberAt(found, 'transportDocumentHouseLevel.documentNumber'),
            ],
            [goods.mrn, undefined, goods.document.documentNumber],
            'what is found',
          );
          const container = `${HOUSE}.transportEquipment[0].containerIdentificationNumber`;
          expectEqual(
            memberAt(found, 'containerId'),
            [memberAt(goods.message, container)],
            'containerId',
          );
          const number = `${HOUSE}.${MASTER}.transportDocumentMasterLevel.documentNumber`;
          const moved = change(goods.message, { [number]: newDocumentNumber() });
          expectEqual((await replace(caller, goods, moved)).status, 'SUCCESS', 'the status');
          const [after] = await find(context, goods);
          expectEqual(after?.id, found?.id, 'the id after a replacement');
          expectEqual(
            memberAt(after, 'transportDocumentMasterLevel.documentNumber'),
            memberAt(moved, number),
            'the master after a replacement',
          );
          await cancel(caller, goods);
          expectEqual(await find(context, goods), [], 'what is found after the end');
          const response = await context
            .as('authority')
            .call('getHouseConsignmentHistory', { path: { id: String(found?.id) } });
          const events = readEntries(response).map((event) => event.event ?? event.type);
          expectEqual(events, ['PRE_NOTIFIED', 'CHANGED', 'WITHDRAWN'], 'the history');
        },
      },
    },
    {
      id: 'LGDS-016',
      sentence:
        'A check of lodged goods says the same to their submitter as of others, and UNKNOWN to everybody else.',
      sources: [api('checkRelease')],
      needs: ['presenter', 'other', 'authority'],
      cases: {
        'by MRN and by document': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_ENTRY');
          await presentGoods(caller, goods);
          const check = async (role: 'presenter' | 'other', identifier: string) => {
            const response = await context.as(role).call('checkRelease', { query: { identifier } });
            expectStatus(response, 200);
            return JSON.parse(response.text).outcome;
          };
          for (const identifier of [goods.mrn, goods.document.documentNumber]) {
            const own = await check('presenter', identifier);
            expect(own !== 'UNKNOWN', `the submitter is told ${own}`);
            expectEqual(await check('other', identifier), 'UNKNOWN', 'what the other is told');
          }
        },
      },
    },
  ],
};
