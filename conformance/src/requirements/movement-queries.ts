// Requirements on queries of movement messages: trees, statuses of documents, and the entry status.

import { newDocumentNumber } from '../data/identifiers.js';
import { documentOf, newJourney, query, tryQuery } from '../data/journeys.js';
import { memberAt } from '../data/movement-messages.js';
import { cancel, mover } from '../data/movements.js';
import { expect, expectEqual, expectProblem, expectStatus } from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';
import { numberOf } from './movement-parties.js';

const UNKNOWN = '26NO000000000000T0';

const numbers = (count: number) => Array.from({ length: count }, () => newDocumentNumber());
const inTree = (number: string, weight: number, status = 'SUCCESS') => ({
  ...documentOf(number),
  weight,
  status,
});
const master = (number: string, weight: number, houses: readonly { weight: number }[]) => ({
  ...documentOf(number),
  weight,
  received: true,
  sumOfWeightForHouseConsignments: houses.reduce((sum, house) => sum + house.weight, 0),
  houseConsignments: houses,
});
const missingMaster = (number: string) => ({
  ...documentOf(number),
  received: false,
  sumOfWeightForHouseConsignments: 0,
  houseConsignments: [],
});
const received = (number: string, documentStatus = 'SUCCESS') => ({
  ...documentOf(number),
  received: true,
  documentStatus,
});
const missing = (number: string) => ({
  ...documentOf(number),
  received: false,
  documentStatus: 'INCOMPLETE',
});

/** The documents of a list of statuses, with what each says. */
const outlines = (list: unknown) =>
  Array.isArray(list)
    ? list.map((one) => [one.documentNumber, one.received, one.documentStatus])
    : [];

export const movementQueries: Area = {
  name: 'Queries of movement messages',
  requirements: [
    {
      id: 'MQRY-001',
      sentence:
        'The tree of a transport is one object: sums of the weights, its master consignments with their house consignments, and direct house consignments if there are any.',
      sources: [api('getTransportDescendants')],
      needs: ['presenter'],
      cases: {
        'two masters and a direct one': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const { weightOf } = journey;
          const [first = '', second = '', house = '', direct = ''] = numbers(4);
          const mrn = await journey.transport({ masters: [first, second], houses: [direct] });
          await journey.master(first);
          await journey.master(second);
          await journey.house(house, { master: first });
          await journey.house(direct, 'transport');
          expectEqual(
            await query(caller, 'getTransportDescendants', { mrn }),
            {
              sumOfWeightForMasterConsignments: 2 * weightOf.master,
              sumOfWeightForHouseConsignments: 2 * weightOf.house,
              masterConsignments: [
                master(first, weightOf.master, [inTree(house, weightOf.house)]),
                master(second, weightOf.master, []),
              ],
              houseConsignments: [inTree(direct, weightOf.house)],
            },
            'the tree',
          );
        },
        'of a transport that names nothing': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const mrn = await newJourney(caller).transport({});
          expectEqual(
            await query(caller, 'getTransportDescendants', { mrn }),
            {
              sumOfWeightForMasterConsignments: 0,
              sumOfWeightForHouseConsignments: 0,
              masterConsignments: [],
            },
            'the tree',
          );
        },
      },
    },
    {
      id: 'MQRY-002',
      sentence:
        'What a transport names and nobody has lodged is not received, is incomplete, and has no weight.',
      sources: [
        api(
          'getTransportDescendants',
          'listMasterDocumentsOfTransport',
          'listHouseDocumentsOfTransport',
        ),
      ],
      needs: ['presenter'],
      cases: {
        'a master and a direct consignment': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const [number = '', direct = ''] = numbers(2);
          const mrn = await newJourney(caller).transport({ masters: [number], houses: [direct] });
          const tree = await query(caller, 'getTransportDescendants', { mrn });
          expectEqual(memberAt(tree, 'masterConsignments'), [missingMaster(number)], 'the masters');
          const masters = await query(caller, 'listMasterDocumentsOfTransport', { mrn });
          expectEqual(masters, [missing(number)], 'the statuses of the masters');
          const houses = await query(caller, 'listHouseDocumentsOfTransport', { mrn });
          expectEqual(houses, [missing(direct)], 'the statuses of the house consignments');
        },
      },
    },
    {
      id: 'MQRY-003',
      sentence:
        'A master consignment is INCOMPLETE while one of its house consignments is; reasons are there with INCOMPLETE alone.',
      sources: [
        api(
          'listMasterDocumentsOfTransport',
          'listHouseDocumentsOfTransport',
          'listHouseDocumentsOfMaster',
        ),
      ],
      needs: ['presenter'],
      cases: {
        'one of two': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const [number = '', complete = '', incomplete = ''] = numbers(3);
          const transport = await journey.transport({ masters: [number] });
          const mrn = await journey.master(number);
          const statuses = () =>
            query(caller, 'listMasterDocumentsOfTransport', { mrn: transport });
          await journey.house(complete, { master: number });
          expectEqual(await statuses(), [received(number)], 'the master before');
          await journey.house(incomplete, { master: number }, { isComplete: false });
          expectEqual(await statuses(), [received(number, 'INCOMPLETE')], 'the master after');
          for (const [operation, of] of [
            ['listHouseDocumentsOfTransport', transport],
            ['listHouseDocumentsOfMaster', mrn],
          ] as const) {
            const list = await query(caller, operation, { mrn: of });
            expectEqual(memberAt(list, '0'), received(complete), 'the complete one');
            const reasons = memberAt(list, '1.incompleteDocumentationReasonList');
            expect(
              Array.isArray(reasons) && reasons.length > 0,
              'the incomplete one has no reasons',
            );
            expectEqual(outlines(list)[1], [incomplete, true, 'INCOMPLETE'], 'the incomplete one');
          }
        },
      },
    },
    {
      id: 'MQRY-004',
      sentence: 'The order is that in which the transport names them, then that of lodging.',
      sources: [api('getTransportDescendants', 'listHouseDocumentsOfTransport')],
      needs: ['presenter'],
      cases: {
        'masters lodged in another order': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          // Neither by number nor by time.
          const sorted = numbers(6).sort();
          const [one = '', two = '', three = '', four = '', five = '', six = ''] = sorted;
          const mrn = await journey.transport({ masters: [two, one], houses: [six, five] });
          for (const number of [one, two]) await journey.master(number);
          await journey.house(five, 'transport');
          await journey.house(four, { master: two });
          await journey.house(three, { master: two });
          const tree = await query(caller, 'getTransportDescendants', { mrn });
          const found = [0, 1].map((index) =>
            memberAt(tree, `masterConsignments[${index}].documentNumber`),
          );
          expectEqual(found, [two, one], 'the masters of the tree');
          const list = outlines(await query(caller, 'listHouseDocumentsOfTransport', { mrn }));
          expectEqual(
            list.map(([number]) => number),
            [four, three, six, five],
            'the house consignments',
          );
        },
      },
    },
    {
      id: 'MQRY-005',
      sentence:
        'The tree of a master consignment is one object, and the statuses of its house consignments are the same by its MRN and by its document.',
      sources: [
        api('getMasterDescendants', 'listHouseDocumentsOfMaster', 'findHouseDocumentsOfMaster'),
      ],
      needs: ['presenter'],
      cases: {
        'with a house consignment': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const { weightOf, carrier } = journey;
          const [number = '', house = ''] = numbers(2);
          const mrn = await journey.master(number);
          await journey.house(house, { master: number });
          expectEqual(
            await query(caller, 'getMasterDescendants', { mrn }),
            master(number, weightOf.master, [inTree(house, weightOf.house)]),
            'the tree',
          );
          const list = await query(caller, 'listHouseDocumentsOfMaster', { mrn });
          expectEqual(list, [received(house)], 'the list by MRN');
          const named = { query: { ...documentOf(number), carrierId: carrier } };
          const found = await query(caller, 'findHouseDocumentsOfMaster', {}, named);
          expectEqual(found, list, 'the list by document');
        },
      },
    },
    {
      id: 'MQRY-006',
      sentence:
        'The status of one house consignment is one object, by its MRN and by its document.',
      sources: [api('getHouseDocument', 'findHouseDocument')],
      needs: ['presenter'],
      cases: {
        'a direct one': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const number = newDocumentNumber();
          const mrn = await journey.house(number, 'transport');
          const one = await query(caller, 'getHouseDocument', { mrn });
          expectEqual(one, received(number), 'the status by MRN');
          const named = { query: { ...documentOf(number), carrierId: journey.carrier } };
          const found = await query(caller, 'findHouseDocument', {}, named);
          expectEqual(found, one, 'the status by document');
        },
      },
    },
    {
      id: 'MQRY-007',
      sentence:
        'By document all three parameters are mandatory; the current message is meant, otherwise the last one; none is 404.',
      sources: [api('findHouseDocument', 'findHouseDocumentsOfMaster')],
      needs: ['presenter'],
      cases: {
        'without one of them, and without a message': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          for (const operation of ['findHouseDocument', 'findHouseDocumentsOfMaster'] as const) {
            const named = { ...documentOf(newDocumentNumber()), carrierId: newDocumentNumber() };
            const unknown = await tryQuery(caller, operation, {}, { query: named });
            expectProblem(unknown, 404);
            for (const field of ['documentNumber', 'type', 'carrierId']) {
              const less = { ...named, [field]: undefined };
              const response = await tryQuery(caller, operation, {}, { query: less });
              expectProblem(response, 400, { code: 'REQUIRED', field });
            }
          }
        },
        'a cancelled one and a current one': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const [number = '', under = ''] = numbers(2);
          const ask = async () => {
            const named = { query: { ...documentOf(number), carrierId: journey.carrier } };
            return memberAt(await query(caller, 'findHouseDocument', {}, named), 'documentStatus');
          };
          const level = 'house-consignment';
          await journey.house(number, 'transport');
          const mrn = await journey.house(number, { master: under }, { isComplete: false });
          expectEqual(await ask(), 'INCOMPLETE', 'the status of the newer one');
          await cancel(caller, { mode: 'road', level, mrn });
          expectEqual(await ask(), 'SUCCESS', 'the status of the current one');
        },
      },
    },
    {
      id: 'MQRY-008',
      sentence:
        'By a receptacle the own current house consignments in it are found, and no others.',
      sources: [api('listHouseDocumentsOfReceptacle')],
      needs: ['presenter', 'other'],
      cases: {
        'of two submitters': async (context) => {
          const [id = '', own = '', others = ''] = numbers(3);
          const caller = mover(context, 'presenter', ['road']);
          const other = mover(context, 'other', ['road']);
          await newJourney(caller).house(own, { receptacle: id });
          await newJourney(other).house(others, { receptacle: id });
          for (const [who, number] of [
            [other, others],
            [caller, own],
          ] as const) {
            const list = await query(who, 'listHouseDocumentsOfReceptacle', { id });
            expectEqual(list, [received(number)], 'what is in the receptacle');
          }
          const none = await query(caller, 'listHouseDocumentsOfReceptacle', {
            id: newDocumentNumber(),
          });
          expectEqual(none, [], 'what is in an unknown receptacle');
        },
      },
    },
    {
      id: 'MQRY-009',
      sentence:
        'A house consignment under several master consignments is once under each, and counts once in the sum of the transport.',
      sources: [api('getTransportDescendants', 'listHouseDocumentsOfTransport')],
      needs: ['presenter'],
      cases: {
        'mail in a receptacle of two masters': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const { weightOf } = journey;
          const [first = '', second = '', id = '', house = ''] = numbers(4);
          const mrn = await journey.transport({ masters: [first, second] });
          await journey.master(first, [id]);
          await journey.master(second, [id]);
          await journey.house(house, { receptacle: id });
          const houses = [inTree(house, weightOf.house)];
          expectEqual(
            await query(caller, 'getTransportDescendants', { mrn }),
            {
              sumOfWeightForMasterConsignments: 2 * weightOf.master,
              sumOfWeightForHouseConsignments: weightOf.house,
              masterConsignments: [
                master(first, weightOf.master, houses),
                master(second, weightOf.master, houses),
              ],
            },
            'the tree',
          );
          const list = await query(caller, 'listHouseDocumentsOfTransport', { mrn });
          expectEqual(list, [received(house)], 'the list');
        },
      },
    },
    {
      id: 'MQRY-010',
      sentence:
        'Whoever lodged a message may ask, of the tree and the entry status of a transport also the carrier that it names; for others it does not exist.',
      sources: [
        api('getTransportDescendants', 'getMasterDescendants', 'getEntryStatus'),
        api('listMasterDocumentsOfTransport', 'listHouseDocumentsOfTransport'),
        api('listHouseDocumentsOfMaster', 'getHouseDocument'),
      ],
      needs: ['presenter', 'other'],
      cases: {
        'the carrier of the transport': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const other = mover(context, 'other', ['road']);
          const mrn = await newJourney(caller).transport({}, numberOf(context, 'other'));
          for (const operation of ['getTransportDescendants', 'getEntryStatus'] as const) {
            await query(other, operation, { mrn });
          }
          for (const operation of [
            'listMasterDocumentsOfTransport',
            'listHouseDocumentsOfTransport',
          ] as const) {
            await query(caller, operation, { mrn });
            expectProblem(await tryQuery(other, operation, { mrn }), 404);
          }
        },
        others: async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const other = mover(context, 'other', ['road']);
          const journey = newJourney(caller);
          const [number = '', house = ''] = numbers(2);
          const transport = await journey.transport({ masters: [number] });
          const above = await journey.master(number);
          const below = await journey.house(house, { master: number });
          for (const [operation, mrn] of [
            ['getTransportDescendants', transport],
            ['getEntryStatus', transport],
            ['getMasterDescendants', above],
            ['listHouseDocumentsOfMaster', above],
            ['getHouseDocument', below],
          ] as const) {
            await query(caller, operation, { mrn });
            expectProblem(await tryQuery(other, operation, { mrn }), 404);
            expectProblem(await tryQuery(caller, operation, { mrn: UNKNOWN }), 404);
          }
        },
      },
    },
    {
      id: 'ENTR-001',
      sentence:
        'Before arrival the entry is not valid, without office and time, and the reasons say what is missing.',
      sources: [api('getEntryStatus')],
      needs: ['presenter'],
      cases: {
        'from nothing to incomplete': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const [number = '', house = '', second = ''] = numbers(3);
          const mrn = await journey.transport({ masters: [number] });
          const expectReasons = async (...reasons: string[]) => {
            expectEqual(
              await query(caller, 'getEntryStatus', { mrn }),
              { validEntry: false, mrn, reasons: ['NOT_ARRIVED', ...reasons] },
              'the entry status',
            );
          };
          await expectReasons('NOTHING_LODGED', 'DOCUMENT_NOT_LODGED');
          await journey.house(house, { master: number }, { isComplete: false });
          await expectReasons('NOTHING_LODGED', 'DOCUMENT_NOT_LODGED');
          await journey.master(number);
          await expectReasons('INCOMPLETE');
          await journey.house(second, { master: number });
          await expectReasons('INCOMPLETE');
        },
      },
    },
    {
      id: 'ENTR-002',
      sentence:
        'With Prefer: wait the answer is held until its reasons change, or the time is over.',
      sources: [api('getEntryStatus')],
      needs: ['presenter'],
      cases: {
        'what is missing is lodged meanwhile': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const journey = newJourney(caller);
          const [number = '', house = ''] = numbers(2);
          const mrn = await journey.transport({ masters: [number] });
          await journey.house(house, { master: number });
          const wait = (seconds: number) =>
            tryQuery(caller, 'getEntryStatus', { mrn }, { headers: { prefer: `wait=${seconds}` } });
          const start = performance.now();
          const unchanged = await wait(1);
          expectStatus(unchanged, 200);
          expect(performance.now() - start > 900, 'the answer was not held');
          const waiting = wait(20);
          await new Promise((resolve) => setTimeout(resolve, 500));
          await journey.master(number);
          const changed = await waiting;
          expectStatus(changed, 200);
          expectEqual(
            memberAt(JSON.parse(changed.text), 'reasons'),
            ['NOT_ARRIVED'],
            'the reasons',
          );
          expect(performance.now() - start < 19_000, 'the change did not end the wait');
        },
      },
    },
  ],
};
