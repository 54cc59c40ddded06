import { modes } from '@landfall/contract';
import {
  change,
  HOUSE,
  type Message,
  makeMovement,
  undocumented,
} from '../data/movement-messages.js';
import {
  brokenRules,
  byMode,
  cancel,
  expectBroken,
  levelNames,
  lodge,
  lodgeForStatus,
  mover,
  readMovement,
  readOutcome,
  replace,
} from '../data/movements.js';
import { expect, expectEqual, expectStatus } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, national } from '../suite/requirement.js';

const level = 'house-consignment';
const place = { mode: 'road', level } as const;
const _FEED = 'listMovementStatuses';
const reading = api('getMovementStatus');
const codes = {
  transport: 'TRANSPORT',
  'master-consignment': 'MASTER_CONSIGNMENT',
  'house-consignment': 'HOUSE_CONSIGNMENT',
};

/** A house consignment that breaks a rule that only a status shows. */
const broken = (): Message => makeMovement(level, 'road', { [`${HOUSE}.containerIndicator`]: '7' });

export const movementStatuses: Area = {
  name: 'Statuses of movement messages',
  requirements: [
    {
      id: 'MSTA-001',
      sentence:
        'The status of an accepted request is SUCCESS with the MRN, the mode, the level and the operation, and without empty lists.',
      sources: [reading, national('Movement, validation status')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        for (const name of levelNames) {
          const message = makeMovement(name, mode);
          const lodged = await lodgeForStatus(caller, mode, name, message);
          const own = { mode, level: name, mrn: lodged.mrn ?? '' };
          const statuses = [lodged, await replace(caller, own, message), await cancel(caller, own)];
          for (const [index, { requestId: _, notificationDate, ...status }] of statuses.entries()) {
            expectEqual(
              status,
              {
                status: 'SUCCESS',
                mrn: own.mrn,
                mode,
                level: codes[name],
                operation: ['LODGE', 'REPLACE', 'CANCEL'][index],
              },
              'the status',
            );
            const late = Math.abs(Date.parse(notificationDate) - Date.now());
            expect(late < 120_000, `notificationDate is ${notificationDate}`);
          }
        }
      }),
    },
    {
      id: 'MSTA-002',
      sentence:
        'An incomplete house consignment is SUCCESS with each reason once, in the national order; what is missing comes by PUT.',
      sources: [reading, national('Movement, incomplete documentation')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        const message = makeMovement(level, mode, {
          ...undocumented,
          [`${HOUSE}.importProcedure`]: {
            importProcedure: 'IMMEDIATE_RELEASE_IMPORT',
            outgoingProcedure: 'TRE',
          },
        });
        const lodged = await lodgeForStatus(caller, mode, level, message);
        expectEqual(
          [lodged.status, lodged.incompleteDocumentationReasonList],
          [
            'SUCCESS',
            [
              'INCOMPLETE_CUDE_DOCUMENTATION',
              'INCOMPLETE_TRA_DOCUMENTATION',
              'INCOMPLETE_EXP_DOCUMENTATION',
            ],
          ],
          'the status',
        );
        const own = { mode, level, mrn: lodged.mrn ?? '' } as const;
        const before = await readMovement(caller, own);
        expectEqual(before.complete, false, 'complete');
        const reasons = lodged.incompleteDocumentationReasonList;
        expectEqual(
          before.incompleteDocumentationReasonList,
          reasons,
          'the reasons of the message',
        );
        const complete = makeMovement(level, mode);
        const documents = ['importProcedure', 'previousDocuments', 'exportFromEU'];
        const house: Message = Object(complete[HOUSE]);
        const changes = documents.map((name) => [`${HOUSE}.${name}`, house[name]]);
        const replaced = await replace(caller, own, change(message, Object.fromEntries(changes)));
        expectEqual(
          [replaced.status, replaced.incompleteDocumentationReasonList],
          ['SUCCESS', undefined],
          'the status of the replacement',
        );
        expectEqual((await readMovement(caller, own)).complete, true, 'complete');
      }),
    },
    {
      id: 'MSTA-003',
      sentence:
        'A message that breaks rules is FAILURE with each of them, without MRN and reasons, and changes nothing.',
      sources: [reading],
      needs: ['presenter'],
      cases: {
        'lodging: it is in no list': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = change(broken(), {
            ...undocumented,
            [`${HOUSE}.consignor.address.country`]: 'XX',
          });
          const status = await lodgeForStatus(caller, 'road', level, message);
          const rules = brokenRules(status);
          expectBroken(rules, 'UNKNOWN_CODE', `${HOUSE}.containerIndicator`);
          expectBroken(
            rules,
            'UNKNOWN_CODE',
            `${HOUSE}.consignor.address.country`,
            'Country is invalid',
          );
          expectEqual(
            [status.mrn, status.incompleteDocumentationReasonList, status.operation],
            [undefined, undefined, 'LODGE'],
            'mrn, reasons and operation',
          );
          const { documentNumber } = Object(message[HOUSE]).transportDocumentHouseLevel;
          const list = await caller.call('listMovements', {
            path: { mode: 'road', version: modes.road.version, level },
            query: { documentNumber },
          });
          expectStatus(list, 200);
          expectEqual(JSON.parse(list.text), [], 'the messages with the document');
        },
        'replacing: the message stays as it was': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road');
          const own = await lodge(caller, 'road', level, message);
          const before = await readMovement(caller, own);
          const status = await replace(
            caller,
            own,
            change(message, {
              [`${HOUSE}.goodsDescription`]: 'other',
              [`${HOUSE}.containerIndicator`]: '7',
            }),
          );
          expectBroken(brokenRules(status), 'UNKNOWN_CODE', `${HOUSE}.containerIndicator`);
          expectEqual([status.mrn, status.operation], [undefined, 'REPLACE'], 'mrn and operation');
          expectEqual(await readMovement(caller, own), before, 'the message');
        },
        'what registers refuse': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road', {
            [`${HOUSE}.previousDocuments[1].referenceNumber`]: '26SEINVALID0000000',
            [`${HOUSE}.exportFromEU[0].exportId`]: '26SEINVALID0000001',
          });
          const status = await lodgeForStatus(caller, 'road', level, message);
          if (status.status === 'SUCCESS') {
            throw new NotTestedError('no register of the service refuses documents with INVALID');
          }
          const rules = brokenRules(status);
          for (const [path, text] of [
            [
              'previousDocuments[1].referenceNumber',
              'Document with typeOfReference N820 contains a referenceNumber in wrong state',
            ],
            [
              'exportFromEU[0].exportId',
              'Export of type AES is not found or has wrong status in AES.',
            ],
          ] as const) {
            expectBroken(rules, 'NOT_VERIFIED', `${HOUSE}.${path}`, text);
          }
        },
      },
    },
    {
      id: 'MSTA-008',
      sentence:
        'A status never changes: what is done with the message later has statuses of its own.',
      sources: [reading],
      needs: ['presenter'],
      cases: {
        'after a replacement and a cancellation': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road', undocumented);
          const first = await lodgeForStatus(caller, 'road', level, message);
          const own = { ...place, mrn: first.mrn ?? '' };
          const second = await replace(
            caller,
            own,
            change(message, {
              [`${HOUSE}.importProcedure`]: {
                importProcedure: 'COLLECTIVE_RELEASE',
                hasOutgoingProcedure: false,
              },
            }),
          );
          await cancel(caller, own);
          expectEqual(await readOutcome(caller, place, first.requestId), first, 'the first status');
          expectEqual(await readOutcome(caller, place, second.requestId), second, 'the second');
        },
      },
    },
  ],
};
