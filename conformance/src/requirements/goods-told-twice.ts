// Requirements on goods that are lodged and in an ENS as well: both records carry one decision.
import { makeDeclaration, put } from '../data/goods.js';
import {
  decideOn,
  expectSignals,
  type Lodged,
  lodgeGoods,
  presentGoods,
} from '../data/lodged-goods.js';
import { HOUSE, MASTER, memberAt } from '../data/movement-messages.js';
import { mover } from '../data/movements.js';
import { readSignals } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectEqual } from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

type Document = { documentNumber: string; type: 'N730' };

/** An ENS with the documents of lodged goods. */
function ensOf({ message, document }: Lodged, more: object = {}) {
  const master = memberAt(message, `${HOUSE}.${MASTER}.transportDocumentMasterLevel`);
  return {
    ...makeDeclaration(),
    houseConsignments: [
      {
        // The casts are true because the example has types of the list.
        transportDocumentHouseLevel: document as Document,
        transportDocumentMasterLevel: master as Document,
        ...more,
      },
    ],
  };
}

/** Expects the routings of the signals of an ENS that the presenter may read. */
async function expectSignalsOfEns(context: CaseContext, mrn: string, ...routings: string[]) {
  const signals = await readSignals(context, 'presenter', mrn);
  const told = signals.map((signal) => memberAt(signal, 'routingResult.routing'));
  expectEqual(told, routings, 'what the presenter is told of the ENS');
}

export const goodsToldTwice: Area = {
  name: 'Goods told twice',
  requirements: [
    {
      id: 'TWCE-001',
      sentence:
        'A decision on a lodged house consignment, or on one of an ENS with the same house and master document, is a decision on both, and each sends its signals.',
      sources: [api('postRoutingDecisions', 'lodgeHouseConsignment'), decision(267)],
      needs: ['presenter', 'authority'],
      cases: {
        'one decision on each': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          const declaration = ensOf(goods);
          await put(context, declaration);
          await decideOn(context, { ...goods, mrn: declaration.mrn }, 'TO_CONTROL');
          await presentGoods(caller, goods, { mrn: goods.mrn });
          await presentGoods(caller, goods, { mrn: declaration.mrn });
          await decideOn(context, goods, 'TO_ENTRY');
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL', 'TO_ENTRY');
          await expectSignalsOfEns(context, declaration.mrn, 'TO_CONTROL', 'TO_ENTRY');
        },
      },
    },
    {
      id: 'TWCE-002',
      sentence: 'The record of goods that comes second takes the decision of the first.',
      sources: [api('putEntrySummaryDeclaration', 'lodgeHouseConsignment'), decision(267)],
      needs: ['presenter', 'authority'],
      cases: {
        'lodged first': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await decideOn(context, goods, 'TO_CONTROL');
          const declaration = ensOf(goods);
          await put(context, declaration);
          await presentGoods(caller, goods, { mrn: declaration.mrn });
          await expectSignalsOfEns(context, declaration.mrn, 'TO_CONTROL');
        },
      },
    },
    {
      id: 'TWCE-003',
      sentence:
        'A routing that comes with the second record of goods is a new decision on both of them.',
      sources: [api('putEntrySummaryDeclaration', 'lodgeHouseConsignment'), decision(267)],
      needs: ['presenter', 'authority'],
      cases: {
        'an ENS with a routing': async (context) => {
          const caller = mover(context);
          const goods = await lodgeGoods(caller);
          await put(context, ensOf(goods, { routing: 'TO_CONTROL' }));
          await presentGoods(caller, goods, { mrn: goods.mrn });
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
        },
      },
    },
  ],
};
