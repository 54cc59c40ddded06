// Requirements on who may read, replace and cancel movement messages.
import { modes } from '@landfall/contract';
import { change, HOUSE, makeMovement } from '../data/movement-messages.js';
import {
  byMode,
  cancel,
  levelNames,
  lodge,
  mover,
  readMovement,
  replace,
  tryCancel,
  tryRead,
  tryReplace,
} from '../data/movements.js';
import { readEntries } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import { expectEqual, expectProblem } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api } from '../suite/requirement.js';

const level = 'house-consignment';
const NUMBER = 'representative.identificationNumber';

/** The number of an organisation as messages name it: its nine digits. */
export function numberOf(context: CaseContext, role: 'other'): string {
  const { organisation } = context.identity(role);
  const digits = /^0192:(\d{9})$/.exec(organisation)?.[1];
  if (digits === undefined) {
    throw new NotTestedError(`the organisation of "${role}" has no number of nine digits`);
  }
  return digits;
}

const sources = [
  api('getMovement', 'listMovements', 'cancelMovement'),
  api('replaceTransport', 'replaceMasterConsignment', 'replaceHouseConsignment'),
];

export const movementParties: Area = {
  name: 'Parties of movement messages',
  requirements: [
    {
      id: 'MPAR-001',
      sentence:
        'The representative whose number a message names reads, lists, replaces and cancels it; NO with nine digits and nine digits are one number.',
      sources,
      needs: ['presenter', 'other'],
      cases: byMode((mode) => async (context) => {
        const [caller, other] = [mover(context), mover(context, 'other')];
        const digits = numberOf(context, 'other');
        for (const [index, name] of levelNames.entries()) {
          const number = index % 2 === 0 ? `NO${digits}` : digits;
          const message = makeMovement(name, mode, { [NUMBER]: number });
          const own = await lodge(caller, mode, name, message);
          expectEqual((await readMovement(other, own)).message, message, 'what it reads');
          const list = await other.call('listMovements', {
            path: { mode, version: modes[mode].version, level: name },
            query: { limit: 1000 },
          });
          const isListed = readEntries(list).some(({ mrn }) => mrn === own.mrn);
          expectEqual(isListed, true, 'whether its list has the message');
          const next = change(message, { documentIssueDate: '2026-05-04T09:00:00Z' });
          expectEqual((await replace(other, own, next)).status, 'SUCCESS', 'of its replacement');
          expectEqual((await readMovement(caller, own)).message, next, 'what the submitter reads');
          expectEqual((await cancel(other, own)).status, 'SUCCESS', 'of its cancellation');
          expectEqual((await readMovement(caller, own)).state, 'CANCELLED', 'state');
        }
      }),
    },
    {
      id: 'MPAR-002',
      sentence: 'Who is no longer named as representative has no access any more.',
      sources,
      needs: ['presenter', 'other'],
      cases: {
        'a replacement without it, and one that names it again': async (context) => {
          const [caller, other] = [mover(context), mover(context, 'other')];
          const named = makeMovement(level, 'road', {
            [NUMBER]: `NO${numberOf(context, 'other')}`,
          });
          const own = await lodge(caller, 'road', level, named);
          await readMovement(other, own);
          await replace(caller, own, change(named, { representative: undefined }));
          expectProblem(await tryRead(other, own), 404);
          expectProblem(await tryReplace(other, own, named), 404);
          expectProblem(await tryCancel(other, own), 404);
          await replace(caller, own, named);
          await readMovement(other, own);
        },
        'a representative that removes itself': async (context) => {
          const [caller, other] = [mover(context), mover(context, 'other')];
          const named = makeMovement(level, 'road', {
            [NUMBER]: `NO${numberOf(context, 'other')}`,
          });
          const own = await lodge(caller, 'road', level, named);
          const without = change(named, { representative: undefined });
          expectEqual((await replace(other, own, without)).status, 'SUCCESS', 'the status');
          expectProblem(await tryRead(other, own), 404);
          expectEqual((await readMovement(caller, own)).message, without, 'the message');
        },
      },
    },
    {
      id: 'MPAR-003',
      sentence: 'A carrier, a consignor and a consignee that a message names have no access to it.',
      sources,
      needs: ['presenter', 'other'],
      cases: {
        'each of them': async (context) => {
          const [caller, other] = [mover(context), mover(context, 'other')];
          const number = `NO${numberOf(context, 'other')}`;
          const places = [
            await lodge(
              caller,
              'road',
              'transport',
              makeMovement('transport', 'road', { 'carrier.identificationNumber': number }),
            ),
            await lodge(
              caller,
              'road',
              level,
              makeMovement(level, 'road', {
                [`${HOUSE}.consignor.identificationNumber`]: number,
                [`${HOUSE}.consignee.identificationNumber`]: number,
                [`${HOUSE}.consignmentMasterLevel.carrierIdentificationNumber`]: number,
              }),
            ),
          ];
          for (const own of places) {
            expectProblem(await tryRead(other, own), 404);
            expectProblem(await tryReplace(other, own, makeMovement(own.level, own.mode)), 404);
            expectProblem(await tryCancel(other, own), 404);
          }
        },
      },
    },
  ],
};
