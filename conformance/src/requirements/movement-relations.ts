// Requirements on relations: two messages that are coupled by their MRNs.
import { OFFICE, reporter } from '../data/arrivals.js';
import { newDocumentNumber } from '../data/identifiers.js';
import { query } from '../data/journeys.js';
import { fromNow, memberAt } from '../data/movement-messages.js';
import {
  brokenRules,
  cancel,
  errorsAtOnce,
  mover,
  pathOf,
  readMovement,
} from '../data/movements.js';
import {
  documentsOn,
  type End,
  newEnds,
  relate,
  relateForStatus,
  tryUnrelate,
  unrelate,
} from '../data/relations.js';
import type { Caller } from '../http/caller.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem, expectStatus, readObject } from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const UNKNOWN = '26NO000000000000T0';

/** Whoever relates by road, and messages of its own. */
function ofPresenter(context: CaseContext) {
  const caller = mover(context, 'presenter', ['road']);
  return { caller, ...newEnds(caller, newDocumentNumber) };
}

const codesOf = (status: Parameters<typeof brokenRules>[0]) =>
  brokenRules(status)
    .map(({ code, field }) => `${code} ${field}`)
    .sort();

async function arrive(caller: Caller, { mrn }: End): Promise<void> {
  const json = {
    mrn,
    dateAndTimeOfArrival: fromNow(-60_000),
    customsOfficeOfArrival: { referenceNumber: OFFICE },
  };
  expectStatus(await caller.call('reportArrival', { json }), 202);
}

/** Presented goods are not cancelled. */
async function expectPresented(caller: Caller, goods: End): Promise<void> {
  const status = await cancel(caller, { mode: 'road', ...goods });
  expectEqual(codesOf(status), ['PRESENTED MRN'], 'why goods that were presented stay');
}

const relating = api('lodgeRelation');
const cancelling = api('cancelRelation');

export const movementRelations: Area = {
  name: 'Relations of movement messages',
  requirements: [
    {
      id: 'MREL-001',
      sentence:
        'A relation has a status of the level RELATION, and an MRN of its own; an issue date and a representative, an object or a text, may be there.',
      sources: [relating, api('getMovementStatus')],
      needs: ['presenter'],
      cases: Object.fromEntries(
        (
          [
            ['with what is mandatory alone', {}],
            [
              'with a text as representative',
              { documentIssueDate: '2026-05-04T07:00:00Z', representative: 'Spedisjon AS' },
            ],
            [
              'with an object as representative',
              {
                representative: {
                  name: 'Spedisjon AS',
                  identificationNumber: 'NO999999999',
                  address: { city: 'Oslo', country: 'NO' },
                  communication: [],
                },
              },
            ],
          ] as const
        ).map(([name, more]) => [
          name,
          async (context: CaseContext) => {
            const { caller, master, house } = ofPresenter(context);
            const [parent, child] = [await master(), await house()];
            const status = await relateForStatus(caller, parent, child, more);
            expectEqual(
              [status.status, status.level, status.mode, status.operation],
              ['SUCCESS', 'RELATION', 'road', 'LODGE'],
              'the status',
            );
            const { mrn } = status;
            expect(mrn !== undefined, 'the status of a relation has no MRN');
            expect(![parent.mrn, child.mrn].includes(mrn), 'the MRN is that of a message');
          },
        ]),
      ),
    },
    {
      id: 'MREL-002',
      sentence:
        'A master or a house consignment hangs on a transport, and a house consignment on a master consignment; any other pair of types is INCOMPATIBLE.',
      sources: [relating],
      needs: ['presenter'],
      cases: {
        'all pairs': async (context) => {
          const { caller, transport, master, house } = ofPresenter(context);
          const make = [transport, master, house];
          for (const [upper, makeParent] of make.entries()) {
            for (const [lower, makeChild] of make.entries()) {
              const [parent, child] = [await makeParent(), await makeChild()];
              const status = await relateForStatus(caller, parent, child);
              if (upper < lower) expectEqual(status.status, 'SUCCESS', 'the status');
              else expectEqual(codesOf(status), ['INCOMPATIBLE childObjectType'], 'what is broken');
            }
          }
        },
      },
    },
    {
      id: 'MREL-003',
      sentence:
        'Both MRNs are those of current messages of their types and of the mode, otherwise REFERENCE_NOT_FOUND; its text does not say what is wrong with an MRN.',
      sources: [relating],
      needs: ['presenter'],
      cases: {
        'unknown, cancelled, and of another type': async (context) => {
          const { caller, transport, master, house } = ofPresenter(context);
          const parent = await transport();
          const ended = await house();
          await cancel(caller, { mode: 'road', ...ended });
          const texts = new Set<string>();
          const wrong = [UNKNOWN, ended.mrn, (await master()).mrn, parent.mrn];
          for (const mrn of wrong) {
            const child: End = { level: 'house-consignment', mrn };
            const status = await relateForStatus(caller, parent, child);
            expectEqual(
              codesOf(status),
              ['REFERENCE_NOT_FOUND childObjectReference'],
              'what is broken',
            );
            for (const { error } of brokenRules(status)) texts.add(error);
          }
          expectEqual(texts.size, 1, 'the number of texts');
          const unknown: End = { level: 'transport', mrn: UNKNOWN };
          expectEqual(
            codesOf(await relateForStatus(caller, unknown, await house())),
            ['REFERENCE_NOT_FOUND parentObjectReference'],
            'what is broken of the upper one',
          );
        },
        'of another mode': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          mover(context, 'presenter', ['rail']);
          const [parent, child] = [await transport(), await house()];
          const response = await caller.call('lodgeRelation', {
            path: pathOf('rail'),
            json: {
              parentObjectType: 'TRANSPORT',
              parentObjectReference: parent.mrn,
              childObjectType: 'HOUSE_CONSIGNMENT',
              childObjectReference: child.mrn,
            },
          });
          expectStatus(response, 202);
          const { requestId } = readObject(response);
          const path = pathOf('rail', { level: 'relation', requestId: String(requestId) });
          const status = await caller.call('getMovementStatus', { path });
          expectStatus(status, 200);
          expectEqual(readObject(status).status, 'FAILURE', 'the status');
        },
      },
    },
    {
      id: 'MREL-004',
      sentence:
        'What a relation lacks, a type that is none, and a reference that is no MRN are refused at once, member by member.',
      sources: [relating],
      needs: ['presenter'],
      cases: {
        'nothing, and what is wrong': async (context) => {
          const { caller } = ofPresenter(context);
          const send = (json: object) =>
            caller.call('lodgeRelation', { path: pathOf('road'), json });
          const found = async (json: object) =>
            errorsAtOnce(await send(json))
              .map(({ code, field }) => `${code} ${field}`)
              .sort();
          expectEqual(
            await found({}),
            [
              'childObjectReference',
              'childObjectType',
              'parentObjectReference',
              'parentObjectType',
            ].map((field) => `REQUIRED ${field}`),
            'the errors of an empty body',
          );
          expectEqual(
            await found({
              parentObjectType: 'ARRIVAL',
              parentObjectReference: 'none',
              childObjectType: 'HOUSE_CONSIGNMENT',
              childObjectReference: UNKNOWN,
              documentIssueDate: 'today',
            }),
            [
              'FORMAT documentIssueDate',
              'FORMAT parentObjectReference',
              'UNKNOWN_CODE parentObjectType',
            ],
            'the errors',
          );
        },
      },
    },
    {
      id: 'MREL-005',
      sentence:
        'What hangs by a relation is in the tree and in the lists of documents of what it hangs on, and is not after the relation was cancelled.',
      sources: [
        relating,
        cancelling,
        api('getTransportDescendants', 'listHouseDocumentsOfTransport'),
      ],
      needs: ['presenter'],
      cases: {
        'a master consignment with goods, and direct goods': async (context) => {
          const { caller, transport, master, house } = ofPresenter(context);
          const numbers = ['M', 'H', 'D'].map((name) => `${name}${newDocumentNumber()}`);
          const [parcels = '', under = '', direct = ''] = numbers;
          const lorry = await transport();
          const hung = [await master(parcels), await house(under), await house(direct)] as const;
          expectEqual(await documentsOn(caller, lorry), [], 'what is on it before');
          await relate(caller, hung[0], hung[1]);
          const relation = await relate(caller, lorry, hung[0]);
          await relate(caller, lorry, hung[2]);
          expectEqual(await documentsOn(caller, lorry), [parcels, direct], 'what is on it');
          const list = async () => {
            const { mrn } = lorry;
            const documents = await query(caller, 'listHouseDocumentsOfTransport', { mrn });
            return Array.isArray(documents)
              ? documents.map(({ documentNumber }) => documentNumber).sort()
              : [];
          };
          expectEqual(await list(), [direct, under], 'the documents');
          expectEqual((await unrelate(caller, relation)).status, 'SUCCESS', 'the status');
          expectEqual(await documentsOn(caller, lorry), [direct], 'what is on it afterwards');
          expectEqual(await list(), [direct], 'the documents afterwards');
        },
      },
    },
    {
      id: 'MREL-006',
      sentence: 'A relation is not replaced: PUT is 405.',
      sources: [relating],
      needs: ['presenter'],
      cases: {
        'of an own relation': async (context) => {
          const { caller, master, house } = ofPresenter(context);
          const mrn = await relate(caller, await master(), await house());
          const response = await caller.call('cancelRelation', {
            path: pathOf('road', { mrn }),
            method: 'PUT',
            json: {},
          });
          expectProblem(response, 405);
        },
      },
    },
    {
      id: 'MREL-007',
      sentence: 'Whoever knows both MRNs relates them, although neither message is its own.',
      sources: [relating],
      needs: ['presenter', 'other'],
      cases: {
        'two messages of somebody else': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          const other = mover(context, 'other', ['road']);
          const number = newDocumentNumber();
          const lorry = await transport();
          await relate(other, lorry, await house(number));
          expectEqual(await documentsOn(caller, lorry), [number], 'what is on the transport');
        },
      },
    },
    {
      id: 'MREL-008',
      sentence:
        'Whoever made a relation and whoever lodged one of its messages cancels it; to others, and in another mode, it is as unknown as an MRN that nobody has: 404.',
      sources: [cancelling],
      needs: ['presenter', 'other'],
      cases: {
        'by whoever made it': async (context) => {
          const { transport, house } = ofPresenter(context);
          const other = mover(context, 'other', ['road']);
          const mrn = await relate(other, await transport(), await house());
          const status = await unrelate(other, mrn);
          expectEqual(
            [status.status, status.level, status.operation, status.mrn],
            ['SUCCESS', 'RELATION', 'CANCEL', mrn],
            'the status',
          );
        },
        'by the submitter of either message': async (context) => {
          const { caller, transport, master } = ofPresenter(context);
          const other = mover(context, 'other', ['road']);
          const own = newEnds(other, newDocumentNumber);
          for (const [parent, child] of [
            [await transport(), await own.master()],
            [await own.transport(), await master()],
          ] as const) {
            const mrn = await relate(other, parent, child);
            expectEqual((await unrelate(caller, mrn)).status, 'SUCCESS', 'the status');
          }
        },
        'in another mode': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          mover(context, 'presenter', ['rail']);
          const mrn = await relate(caller, await transport(), await house());
          expectProblem(await tryUnrelate(caller, mrn, 'rail'), 404);
        },
        'by nobody else': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          const other = mover(context, 'other', ['road']);
          const mrn = await relate(caller, await transport(), await house());
          const details = new Set<unknown>();
          for (const one of [mrn, UNKNOWN, (await house()).mrn]) {
            const response = await tryUnrelate(other, one);
            expectProblem(response, 404);
            details.add(response.text.replaceAll(one, 'MRN').replace(/"instance":"[^"]*"/, ''));
          }
          expectEqual(details.size, 1, 'the number of texts');
        },
      },
    },
    {
      id: 'MREL-009',
      sentence:
        'A relation because of which goods were presented is not cancelled (PRESENTED), and one that led to nothing is.',
      sources: [cancelling],
      needs: ['presenter'],
      cases: {
        'after an arrival': async (context) => {
          const caller = reporter(context);
          const { transport, master, house } = newEnds(caller, newDocumentNumber);
          const [lorry, parcels] = [await transport(), await master()];
          const relations = [
            await relate(caller, lorry, parcels),
            await relate(caller, parcels, await house()),
          ];
          const useless = await relate(caller, lorry, await master());
          await arrive(caller, lorry);
          for (const mrn of relations) {
            expectEqual(codesOf(await unrelate(caller, mrn)), ['PRESENTED MRN'], 'what is broken');
          }
          expectEqual(
            (await unrelate(caller, useless)).status,
            'SUCCESS',
            'of what led to nothing',
          );
        },
      },
    },
    {
      id: 'MREL-010',
      sentence:
        'The same pair again is DUPLICATE, with the MRN of the relation for whoever made it alone; after a cancellation it is related again.',
      sources: [relating],
      needs: ['presenter', 'other'],
      cases: {
        'by the same organisation, and by another one': async (context) => {
          const { caller, master, house } = ofPresenter(context);
          const [parent, child] = [await master(), await house()];
          const mrn = await relate(caller, parent, child);
          for (const [by, isOwn] of [
            [caller, true],
            [mover(context, 'other', ['road']), false],
          ] as const) {
            const status = await relateForStatus(by, parent, child);
            expectEqual(codesOf(status), ['DUPLICATE childObjectReference'], 'what is broken');
            const isNamed = brokenRules(status).some(({ error }) => error.endsWith(`: ${mrn}`));
            expectEqual(isNamed, isOwn, 'whether the MRN of the relation is named');
          }
          await unrelate(caller, mrn);
          const again = await relate(caller, parent, child);
          expect(again !== mrn, 'another relation has the same MRN');
        },
      },
    },
    {
      id: 'MREL-011',
      sentence: 'Cancelling a relation that was cancelled is SUCCESS and changes nothing.',
      sources: [cancelling],
      needs: ['presenter'],
      cases: {
        'after the pair was related again': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          const number = newDocumentNumber();
          const [parent, child] = [await transport(), await house(number)];
          const mrn = await relate(caller, parent, child);
          await unrelate(caller, mrn);
          await relate(caller, parent, child);
          const status = await unrelate(caller, mrn);
          expectEqual([status.status, status.mrn], ['SUCCESS', mrn], 'the status');
          expectEqual(await documentsOn(caller, parent), [number], 'what is on the transport');
        },
      },
    },
    {
      id: 'MREL-012',
      sentence: 'An arrival presents what hangs on the transport by relations.',
      sources: [relating, api('reportArrival')],
      needs: ['presenter'],
      cases: {
        'under a master consignment, and directly': async (context) => {
          const caller = reporter(context);
          const { transport, master, house } = newEnds(caller, newDocumentNumber);
          const [lorry, parcels] = [await transport(), await master()];
          const goods = [await house(), await house()] as const;
          await relate(caller, parcels, goods[0]);
          await relate(caller, lorry, parcels);
          await relate(caller, lorry, goods[1]);
          await arrive(caller, lorry);
          for (const each of goods) await expectPresented(caller, each);
        },
      },
    },
    {
      id: 'MREL-013',
      sentence:
        'What is related after the arrival and is reached by that is presented when the response arrives.',
      sources: [relating],
      needs: ['presenter'],
      cases: {
        'a master consignment with goods': async (context) => {
          const caller = reporter(context);
          const { transport, master, house } = newEnds(caller, newDocumentNumber);
          const [lorry, parcels, goods] = [await transport(), await master(), await house()];
          await arrive(caller, lorry);
          await relate(caller, parcels, goods);
          await relate(caller, lorry, parcels);
          await expectPresented(caller, goods);
        },
      },
    },
    {
      id: 'MREL-014',
      sentence:
        'A relation ends with either of its messages: it leads nowhere, is NOT_CURRENT when it is cancelled, and does not hold for a message that is lodged anew.',
      sources: [relating, cancelling],
      needs: ['presenter'],
      cases: {
        'a cancelled house consignment': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          const number = newDocumentNumber();
          const [lorry, goods] = [await transport(), await house(number)];
          const mrn = await relate(caller, lorry, goods);
          await cancel(caller, { mode: 'road', ...goods });
          expectEqual(await documentsOn(caller, lorry), [], 'what is on the transport');
          expectEqual(codesOf(await unrelate(caller, mrn)), ['NOT_CURRENT MRN'], 'what is broken');
          const anew = await house(number);
          expectEqual(await documentsOn(caller, lorry), [], 'what is on it afterwards');
          await relate(caller, lorry, anew);
          expectEqual(await documentsOn(caller, lorry), [number], 'what is related again');
        },
      },
    },
    {
      id: 'MREL-015',
      sentence:
        'A message that is read names the relations that it is coupled by, whoever has made them, and not the MRN of the other message.',
      sources: [api('getMovement'), relating],
      needs: ['presenter', 'other'],
      cases: {
        'a transport and its goods': async (context) => {
          const { caller, transport, house } = ofPresenter(context);
          const other = mover(context, 'other', ['road']);
          const [lorry, goods] = [await transport(), await house()];
          const mrn = await relate(other, lorry, goods);
          for (const [end, hidden] of [
            [lorry, goods],
            [goods, lorry],
          ] as const) {
            const read = await readMovement(caller, { mode: 'road', ...end });
            const { relations } = read;
            expectEqual(
              ['mrn', 'parentObjectType', 'childObjectType'].map((name) =>
                memberAt(relations, `[0].${name}`),
              ),
              [mrn, 'TRANSPORT', 'HOUSE_CONSIGNMENT'],
              'the relation',
            );
            expect(!JSON.stringify(read).includes(hidden.mrn), 'the other MRN is told');
          }
          await unrelate(other, mrn);
          const { relations } = await readMovement(caller, { mode: 'road', ...lorry });
          expectEqual(relations, undefined, 'the relations after it was cancelled');
        },
      },
    },
  ],
};
