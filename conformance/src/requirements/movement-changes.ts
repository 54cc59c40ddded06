// Requirements on replacing and cancelling movement messages.
import { setTimeout as delay } from 'node:timers/promises';
import type { ModeName, MovementLevel } from '@landfall/contract';
import { newDocumentNumber } from '../data/identifiers.js';
import {
  type Changes,
  change,
  fromNow,
  HOUSE,
  MASTER,
  MEANS,
  makeMovement,
  memberAt,
} from '../data/movement-messages.js';
import {
  brokenRules,
  byMode,
  cancel,
  expectBroken,
  levelNames,
  lodge,
  mover,
  outcomeOf,
  readMovement,
  replace,
  tryReplace,
} from '../data/movements.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const level = 'house-consignment';
const replacing = api('replaceTransport', 'replaceMasterConsignment', 'replaceHouseConsignment');

/** A change of each level that keeps its key, and removes a member. */
const changed: Record<MovementLevel, Changes> = {
  transport: { 'carrier.name': 'Another one', representative: undefined },
  'master-consignment': { [`${MASTER}.grossMass`]: 7, [`${MASTER}.placeOfDelivery`]: undefined },
  'house-consignment': { [`${HOUSE}.goodsDescription`]: 'Tables', representative: undefined },
};

/** The members of each key, with another value. */
function keyMembers(mode: ModeName): Record<MovementLevel, Changes> {
  return {
    transport: {
      [`${MEANS}.identificationNumber`]: newDocumentNumber(),
      scheduledDateAndTimeOfArrival: fromNow(9_000_000),
      ...(mode === 'air' && { [`${MEANS}.conveyanceReferenceNumber`]: 'LF999' }),
    },
    'master-consignment': {
      [`${MASTER}.carrier.identificationNumber`]: 'NO777777777',
      [`${MASTER}.transportDocumentMasterLevel.documentNumber`]: newDocumentNumber(),
      [`${MASTER}.transportDocumentMasterLevel.type`]: 'N741',
    },
    'house-consignment': {
      [`${HOUSE}.transportDocumentHouseLevel.documentNumber`]: newDocumentNumber(),
      [`${HOUSE}.transportDocumentHouseLevel.type`]: 'N714',
    },
  };
}

export const movementChanges: Area = {
  name: 'Replacing and cancelling movement messages',
  requirements: [
    {
      id: 'AMND-001',
      sentence: 'A replacement replaces the whole message, and keeps its MRN.',
      sources: [replacing, api('getMovement')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        for (const name of levelNames) {
          const message = makeMovement(name, mode);
          const own = await lodge(caller, mode, name, message);
          expectEqual((await readMovement(caller, own)).message, message, 'the first message');
          const next = change(message, changed[name]);
          const status = await replace(caller, own, next);
          expectEqual([status.status, status.mrn], ['SUCCESS', own.mrn], 'the status');
          const after = await readMovement(caller, own);
          expectEqual(after.message, next, 'the message');
          expectEqual([after.mrn, after.state], [own.mrn, 'CURRENT'], 'mrn and state');
          expect(typeof after.replacedAt === 'string', 'replacedAt is absent');
        }
      }),
    },
    {
      id: 'AMND-002',
      sentence: 'The same message again is SUCCESS and changes nothing.',
      sources: [replacing, national('Movement, lost answers')],
      needs: ['presenter'],
      cases: Object.fromEntries(
        levelNames.map((name) => [
          name,
          async (context) => {
            const caller = mover(context, 'presenter', ['road']);
            const message = makeMovement(name, 'road');
            const own = await lodge(caller, 'road', name, message);
            const first = await readMovement(caller, own);
            const again = await replace(caller, own, message);
            expectEqual([again.status, again.mrn], ['SUCCESS', own.mrn], 'the status');
            expectEqual(await readMovement(caller, own), first, 'the message');
            const next = change(message, changed[name]);
            await replace(caller, own, next);
            const second = await readMovement(caller, own);
            expectEqual((await replace(caller, own, next)).status, 'SUCCESS', 'the status');
            expectEqual(await readMovement(caller, own), second, 'the message');
          },
        ]),
      ),
    },
    {
      id: 'AMND-003',
      sentence:
        'A replacement that changes members of the key is KEY_CHANGED for each, and changes nothing.',
      sources: [replacing],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        const members = keyMembers(mode);
        for (const name of levelNames) {
          const message = makeMovement(name, mode);
          const own = await lodge(caller, mode, name, message);
          for (const [path, value] of Object.entries(members[name])) {
            const status = await replace(caller, own, change(message, { [path]: value }));
            expectBroken(brokenRules(status), 'KEY_CHANGED', path);
          }
          const rules = brokenRules(await replace(caller, own, change(message, members[name])));
          for (const path of Object.keys(members[name])) expectBroken(rules, 'KEY_CHANGED', path);
          if (name === 'transport' && mode !== 'air') {
            const flight = { [`${MEANS}.conveyanceReferenceNumber`]: undefined };
            const status = await replace(caller, own, change(message, flight));
            expectEqual(status.status, 'SUCCESS', 'without the number of the journey');
          } else {
            expectEqual((await readMovement(caller, own)).message, message, 'the message');
          }
        }
      }),
    },
    {
      id: 'AMND-004',
      sentence: 'By air the flight is part of the key also when it is absent.',
      sources: [api('replaceTransport')],
      needs: ['presenter'],
      cases: {
        'it is added, and removed': async (context) => {
          const caller = mover(context);
          const flight = `${MEANS}.conveyanceReferenceNumber`;
          const message = makeMovement('transport', 'air');
          for (const [first, next] of [
            [undefined, 'LF999'],
            ['LF999', undefined],
          ]) {
            const own = await lodge(
              caller,
              'air',
              'transport',
              change(message, { [flight]: first }),
            );
            const status = await replace(caller, own, change(message, { [flight]: next }));
            expectBroken(brokenRules(status), 'KEY_CHANGED', flight);
          }
        },
      },
    },
    {
      id: 'AMND-005',
      sentence: 'A replacement is judged by the rules of lodging.',
      sources: [replacing],
      needs: ['presenter'],
      cases: {
        'at once and by status': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road');
          const own = await lodge(caller, 'road', level, message);
          const path = `${HOUSE}.totalGrossMass`;
          expectProblem(await tryReplace(caller, own, change(message, { [path]: -1 })), 400, {
            code: 'FORMAT',
            field: path,
          });
          expectProblem(await tryReplace(caller, own, {}), 400, { code: 'REQUIRED', field: HOUSE });
          const country = { [`${HOUSE}.consignor.address.country`]: 'XX' };
          const broken = brokenRules(await replace(caller, own, change(message, country)));
          expectBroken(broken, 'UNKNOWN_CODE', `${HOUSE}.consignor.address.country`);
          expectEqual((await readMovement(caller, own)).message, message, 'the message');
        },
      },
    },
    {
      id: 'AMND-006',
      sentence:
        'An estimated arrival that has passed since may stay, but a replacement may not set one.',
      sources: [api('replaceTransport'), national('Movement, validation')],
      needs: ['presenter'],
      cases: {
        'ten minutes pass': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const estimated = 'estimatedDateAndTimeOfArrival';
          const message = makeMovement('transport', 'road', { [estimated]: fromNow(-595_000) });
          const own = await lodge(caller, 'road', 'transport', message);
          await delay(8000, undefined, { signal: context.signal });
          const kept = await replace(caller, own, change(message, { 'carrier.name': 'Other' }));
          expectEqual(kept.status, 'SUCCESS', 'the status with the same time');
          const set = change(message, { [estimated]: fromNow(-660_000) });
          const broken = brokenRules(await replace(caller, own, set));
          expectBroken(broken, 'TIME_OUT_OF_RANGE', estimated);
          const later = change(message, { [estimated]: fromNow(3_600_000) });
          expectEqual((await replace(caller, own, later)).status, 'SUCCESS', 'with a later time');
        },
      },
    },
    {
      id: 'AMND-007',
      sentence:
        'A cancelled message is CANCELLED; cancelling it again is SUCCESS and changes nothing.',
      sources: [api('cancelMovement', 'getMovement'), national('Movement, lost answers')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        for (const name of levelNames) {
          const message = makeMovement(name, mode);
          const own = await lodge(caller, mode, name, message);
          const status = await cancel(caller, own);
          expectEqual(
            [status.status, status.mrn, status.operation],
            ['SUCCESS', own.mrn, 'CANCEL'],
            'the status',
          );
          const ended = await readMovement(caller, own);
          expectEqual([ended.state, ended.message], ['CANCELLED', message], 'state and message');
          expect(typeof ended.endedAt === 'string', 'endedAt is absent');
          const again = await cancel(caller, own);
          expectEqual([again.status, again.mrn], ['SUCCESS', own.mrn], 'the status of the second');
          expectEqual(await readMovement(caller, own), ended, 'the message');
        }
      }),
    },
    {
      id: 'AMND-008',
      sentence: 'A message that has ended is not replaced: NOT_CURRENT.',
      sources: [replacing],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        for (const name of levelNames) {
          const message = makeMovement(name, mode);
          const own = await lodge(caller, mode, name, message);
          await cancel(caller, own);
          for (const next of [message, change(message, changed[name])]) {
            const broken = brokenRules(await replace(caller, own, next));
            expect(
              broken.some(({ code }) => code === 'NOT_CURRENT'),
              `no error NOT_CURRENT: ${JSON.stringify(broken)}`,
            );
          }
          const after = await readMovement(caller, own);
          expectEqual([after.state, after.message], ['CANCELLED', message], 'state and message');
        }
      }),
    },
    {
      id: 'AMND-009',
      sentence:
        'Requests about one message at the same moment are applied one after the other, each with its own status.',
      sources: [replacing, api('cancelMovement')],
      needs: ['presenter'],
      cases: {
        'replacements: the last one stands': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road');
          const own = await lodge(caller, 'road', level, message);
          const path = `${HOUSE}.goodsDescription`;
          const texts = ['a', 'b', 'c', 'd', 'e'];
          const statuses = await Promise.all(
            texts.map((text) => replace(caller, own, change(message, { [path]: text }))),
          );
          expectEqual(new Set(statuses.map(({ status }) => status)).size, 1, 'their outcomes');
          expectEqual(new Set(statuses.map(({ requestId }) => requestId)).size, 5, 'requestIds');
          const stands = String(memberAt((await readMovement(caller, own)).message, path));
          expect(texts.includes(stands), `what stands is ${stands}`);
          await replace(caller, own, change(message, { [path]: 'last' }));
          const last = memberAt((await readMovement(caller, own)).message, path);
          expectEqual(last, 'last', 'what stands after one more');
        },
        'cancellations and a replacement': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road');
          const own = await lodge(caller, 'road', level, message);
          const next = change(message, changed[level]);
          const [first, second, replaced] = await Promise.all([
            cancel(caller, own),
            cancel(caller, own),
            outcomeOf(caller, own, await tryReplace(caller, own, next)),
          ]);
          expectEqual([first.status, second.status], ['SUCCESS', 'SUCCESS'], 'the cancellations');
          const { state, message: stands } = await readMovement(caller, own);
          const expected = replaced.status === 'SUCCESS' ? next : message;
          expectEqual([state, stands], ['CANCELLED', expected], 'state and message');
        },
      },
    },
  ],
};
