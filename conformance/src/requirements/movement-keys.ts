// Requirements on the keys and MRNs of movement messages.
import { iso6346CheckDigit } from '@landfall/contract';
import { newDocumentNumber } from '../data/identifiers.js';
import {
  alone,
  type Changes,
  change,
  fromNow,
  HOUSE,
  MASTER,
  MEANS,
  type Message,
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
  lodgeForStatus,
  modeNames,
  mover,
  outcomeOf,
  readMovement,
  tryLodge,
  tryRead,
} from '../data/movements.js';
import type { Caller } from '../http/caller.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');
const level = 'house-consignment';
const fields = {
  transport: `${MEANS}.identificationNumber`,
  'master-consignment': `${MASTER}.transportDocumentMasterLevel`,
  'house-consignment': `${HOUSE}.transportDocumentHouseLevel`,
};

type Level = keyof typeof fields;
type Mode = (typeof modeNames)[number];

/** Expects that a message is refused because its key is taken; returns the text. */
async function expectTaken(
  caller: Caller,
  mode: Mode,
  name: Level,
  message: Message,
): Promise<string> {
  const broken = brokenRules(await lodgeForStatus(caller, mode, name, message));
  expectBroken(broken, 'DUPLICATE', fields[name]);
  return broken.find(({ code }) => code === 'DUPLICATE')?.error ?? '';
}

/** Lodges a message, then each with changes: those that have the key of the first are refused. */
async function tryKeys(
  caller: Caller,
  mode: Mode,
  name: Level,
  changes: { same: readonly Changes[]; others: readonly Changes[] },
  first = makeMovement(name, mode),
): Promise<void> {
  await lodge(caller, mode, name, first);
  for (const same of changes.same) await expectTaken(caller, mode, name, change(first, same));
  for (const other of changes.others) await lodge(caller, mode, name, change(first, other));
}

const flight = `${MEANS}.conveyanceReferenceNumber`;
const receptacle = (number: string): Changes => ({
  ...alone,
  [`${HOUSE}.receptacleIdentificationNumber`]: number,
});
const direct = (carrierIdentificationNumber: string): Changes => ({
  ...alone,
  [`${HOUSE}.directConsignment`]: true,
  [`${HOUSE}.transportLevel`]: { carrierIdentificationNumber },
});

export const movementKeys: Area = {
  name: 'Keys and MRNs of movement messages',
  requirements: [
    {
      id: 'MKEY-001',
      sentence:
        'A means of transport with its scheduled time stands once, by air with its flight, which may be absent.',
      sources: [api('lodgeTransport'), national('Movement, validation')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const isAir = mode === 'air';
        const flights = [{ [flight]: 'LF999' }, { [flight]: undefined }];
        await tryKeys(mover(context), mode, 'transport', {
          same: [
            {},
            { estimatedDateAndTimeOfArrival: fromNow(3_600_000), 'carrier.name': 'Another one' },
            ...(isAir ? [] : flights),
          ],
          others: [
            { scheduledDateAndTimeOfArrival: fromNow(9_000_000) },
            { [`${MEANS}.identificationNumber`]: newDocumentNumber() },
            ...(isAir ? flights : []),
          ],
        });
      }),
    },
    {
      id: 'MKEY-002',
      sentence: 'The document of a master consignment stands once for each carrier.',
      sources: [api('lodgeMasterConsignment')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const document = `${MASTER}.transportDocumentMasterLevel`;
        await tryKeys(mover(context), mode, 'master-consignment', {
          same: [{}, { [`${MASTER}.grossMass`]: 1, [`${MASTER}.consignor.name`]: 'Another one' }],
          others: [
            { [`${MASTER}.carrier.identificationNumber`]: 'NO777777777' },
            { [`${document}.type`]: 'N741' },
            { [`${document}.documentNumber`]: newDocumentNumber() },
          ],
        });
      }),
    },
    {
      id: 'MKEY-003',
      sentence: 'The document of a house consignment stands once under what it hangs on.',
      sources: [api('lodgeHouseConsignment')],
      needs: ['presenter'],
      cases: {
        ...byMode((mode) => async (context) => {
          const under = `${HOUSE}.${MASTER}`;
          await tryKeys(mover(context), mode, level, {
            same: [{}, { [`${HOUSE}.goodsDescription`]: 'Another one' }],
            others: [
              { [`${under}.transportDocumentMasterLevel.documentNumber`]: newDocumentNumber() },
              { [`${under}.transportDocumentMasterLevel.type`]: 'N741' },
              { [`${under}.carrierIdentificationNumber`]: 'NO777777777' },
              { [`${HOUSE}.transportDocumentHouseLevel.type`]: 'N714' },
              alone,
              receptacle('R1'),
              direct('NO888888888'),
            ],
          });
        }),
        'mail, by receptacle': async (context) => {
          const first = makeMovement(level, 'air', receptacle('R1'));
          const changes = { same: [{}], others: [receptacle('R2')] };
          await tryKeys(mover(context), 'air', level, changes, first);
        },
        'direct, by carrier': async (context) => {
          const first = makeMovement(level, 'road', direct('NO888888888'));
          const changes = { same: [{}], others: [direct('NO777777777')] };
          await tryKeys(mover(context), 'road', level, changes, first);
        },
      },
    },
    {
      id: 'MKEY-004',
      sentence:
        'Two forwarders use one number under different masters, or in nothing, but not under the same master.',
      sources: [api('lodgeHouseConsignment')],
      needs: ['presenter', 'other'],
      cases: {
        'each of them': async (context) => {
          const [caller, other] = [mover(context), mover(context, 'other')];
          const message = makeMovement(level, 'road');
          await lodge(caller, 'road', level, message);
          await expectTaken(other, 'road', level, message);
          const number = `${HOUSE}.${MASTER}.transportDocumentMasterLevel.documentNumber`;
          await lodge(other, 'road', level, change(message, { [number]: newDocumentNumber() }));
          await lodge(caller, 'road', level, change(message, alone));
          await lodge(other, 'road', level, change(message, alone));
          await expectTaken(other, 'road', level, change(message, alone));
        },
      },
    },
    {
      id: 'MKEY-005',
      sentence:
        "The text of DUPLICATE ends with the MRN of the first message if that is the caller's own, and never with that of somebody else.",
      sources: [lodging],
      needs: ['presenter', 'other'],
      cases: Object.fromEntries(
        levelNames.map((name) => [
          name,
          async (context) => {
            const [caller, other] = [mover(context), mover(context, 'other')];
            const message = makeMovement(name, 'road');
            const { mrn } = await lodge(caller, 'road', name, message);
            const identified = String(memberAt(message, `${MEANS}.identificationNumber`));
            const { documentNumber, type } = Object(memberAt(message, fields[name]));
            const text =
              name === 'transport'
                ? `Transport ${identified} is already in use`
                : `Transport document ${documentNumber} of type ${type} is already in use`;
            const own = await expectTaken(caller, 'road', name, message);
            expectEqual(own, `${text}: ${mrn}`, 'the text of its own');
            const foreign = await lodgeForStatus(other, 'road', name, message);
            expectBroken(brokenRules(foreign), 'DUPLICATE', fields[name], text);
            expect(
              !JSON.stringify(foreign).includes(mrn),
              'the status has the MRN of somebody else',
            );
            expectProblem(await tryRead(other, { mode: 'road', level: name, mrn }), 404);
          },
        ]),
      ),
    },
    {
      id: 'MKEY-006',
      sentence: 'Each mode has keys of its own.',
      sources: [lodging],
      needs: ['presenter'],
      cases: {
        'one document in four modes': async (context) => {
          const caller = mover(context);
          const message = makeMovement(level, 'air');
          for (const mode of modeNames) await lodge(caller, mode, level, message);
          const master = makeMovement('master-consignment', 'air');
          for (const mode of modeNames) await lodge(caller, mode, 'master-consignment', master);
        },
      },
    },
    {
      id: 'MKEY-007',
      sentence: 'Of several with one key at the same moment, exactly one wins.',
      sources: [lodging],
      needs: ['presenter', 'other'],
      cases: Object.fromEntries(
        levelNames.map((name) => [
          name,
          async (context) => {
            const callers = [mover(context), mover(context, 'other')];
            const message = makeMovement(name, 'road');
            const statuses = await Promise.all(
              [...callers, ...callers, ...callers].map(async (caller) => {
                const response = await tryLodge(caller, 'road', name, message);
                return (await outcomeOf(caller, { mode: 'road', level: name }, response)).status;
              }),
            );
            const won = statuses.filter((status) => status === 'SUCCESS').length;
            expectEqual(won, 1, 'how many won');
          },
        ]),
      ),
    },
    {
      id: 'MKEY-008',
      sentence: 'Cancelling a message frees its key, for others too.',
      sources: [api('cancelMovement'), lodging],
      needs: ['presenter', 'other'],
      cases: Object.fromEntries(
        levelNames.map((name) => [
          name,
          async (context) => {
            const [caller, other] = [mover(context), mover(context, 'other')];
            const message = makeMovement(name, 'road');
            const first = await lodge(caller, 'road', name, message);
            await cancel(caller, first);
            const second = await lodge(other, 'road', name, message);
            await cancel(other, second);
            const third = await lodge(caller, 'road', name, message);
            expectEqual(new Set([first.mrn, second.mrn, third.mrn]).size, 3, 'the number of MRNs');
            const { state } = await readMovement(caller, first);
            expectEqual(state, 'CANCELLED', 'the state of the first');
          },
        ]),
      ),
    },
    {
      id: 'MKEY-009',
      sentence:
        'An MRN is the year, a country, 12 characters without I and O, T and a check digit by ISO 6346, and no two are alike.',
      sources: [lodging],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        const mrns: string[] = [];
        for (const name of levelNames) {
          for (let count = 0; count < 3; count++) {
            mrns.push((await lodge(caller, mode, name, makeMovement(name, mode))).mrn);
          }
        }
        for (const mrn of mrns) {
          expect(/^\d{2}[A-Z]{2}[0-9A-HJ-NP-Z]{12}T\d$/.test(mrn), `the MRN is ${mrn}`);
          expectEqual(
            Number(mrn.at(-1)),
            iso6346CheckDigit(mrn.slice(0, 17)),
            `the digit of ${mrn}`,
          );
          const years = [-1, 1].map((day) => fromNow(day * 86_400_000).slice(2, 4));
          expect(years.includes(mrn.slice(0, 2)), `the year of ${mrn}`);
        }
        const random = mrns.map((mrn) => mrn.slice(4, 10));
        expectEqual(new Set(random).size, mrns.length, 'the number of different beginnings');
      }),
    },
  ],
};
