// For random journeys, what queries respond is what a model in TypeScript says: several masters, shared receptacles, direct
// consignments, other carriers and modes, cancelled messages, and only expected parties.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ModeName } from '@landfall/contract';
import fc from 'fast-check';
import { drawnDatabases } from '../testing/databases.js';
import {
  CARRIER,
  houseMessage,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

/** A party of the journey: an identity of the playground that may lodge by road and air. */
const parties = ['forwarder', 'carrier'] as const;
type Party = (typeof parties)[number];

/** What all messages have. */
type Lodged = { by: Party; mode: ModeName; isOtherCarrier: boolean; isCancelled: boolean };
type House = Lodged & {
  number: string;
  on: { master: string } | { receptacle: string } | 'transport' | 'nothing';
  weight: number;
  isComplete: boolean;
};
type Master = Lodged & { number: string; receptacles: string[]; weight: number };
type Journey = {
  by: Party;
  masters: string[];
  directs: string[];
  lodged: ({ master: Master } | { house: House })[];
};

const numbers = (prefix: string, count: number) =>
  fc.integer({ min: 1, max: count }).map((number) => `${prefix}${number}`);
const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 0);
const about = {
  by: fc.constantFrom(...parties),
  mode: rarely.map((is): ModeName => (is ? 'air' : 'road')),
  isOtherCarrier: rarely,
  isCancelled: rarely,
};
const weight = fc.integer({ min: 0, max: 5000 }).map((grams) => grams / 1000);
const master: fc.Arbitrary<Master> = fc.record({
  ...about,
  number: numbers('M', 2),
  receptacles: fc.array(numbers('R', 1), { maxLength: 2 }),
  weight,
});
const house: fc.Arbitrary<House> = fc.record({
  ...about,
  number: numbers('H', 4),
  on: fc.oneof(
    numbers('M', 2).map((number) => ({ master: number })),
    numbers('R', 1).map((number) => ({ receptacle: number })),
    fc.constantFrom('transport' as const, 'nothing' as const),
  ),
  weight,
  isComplete: fc.boolean(),
});
const journey: fc.Arbitrary<Journey> = fc.record({
  by: fc.constantFrom(...parties),
  masters: fc.array(numbers('M', 3), { minLength: 2, maxLength: 5 }),
  directs: fc.array(numbers('H', 5), { maxLength: 4 }),
  lodged: fc.array(
    fc.oneof(
      master.map((one) => ({ master: one })),
      house.map((one) => ({ house: one })),
    ),
    { minLength: 6, maxLength: 14, size: 'max' },
  ),
});

const statusOf = (isComplete: boolean) => (isComplete ? 'SUCCESS' : 'INCOMPLETE');
const sum = (all: readonly { weight: number }[]) =>
  all.reduce((total, { weight: grams }) => total + Math.round(grams * 1000), 0) / 1000;

/** What a model says of a journey whose transport is by road; messages that were refused are left out. */
function expectedOf(journey: Journey, expectedOnly: boolean) {
  const isCurrent = ({ mode, isCancelled }: Lodged) => mode === 'road' && !isCancelled;
  const couple = (above: Party, below: Party) => !expectedOnly || above === below;
  const masters = journey.lodged.flatMap((one) =>
    'master' in one && isCurrent(one.master) ? one.master : [],
  );
  const houses = journey.lodged.flatMap((one) =>
    'house' in one && isCurrent(one.house) ? one.house : [],
  );
  const under = (upper: Master) =>
    houses.filter(
      ({ on, isOtherCarrier, by }) =>
        typeof on === 'object' &&
        couple(upper.by, by) &&
        ('master' in on
          ? on.master === upper.number && isOtherCarrier === upper.isOtherCarrier
          : upper.receptacles.includes(on.receptacle)),
    );
  const named = [...new Set(journey.masters)].map((number) => {
    const found = masters.find(
      (one) => one.number === number && !one.isOtherCarrier && couple(journey.by, one.by),
    );
    return { number, found, houses: found === undefined ? [] : under(found) };
  });
  const direct = [...new Set(journey.directs)].map((number) => ({
    number,
    found: houses.find(
      (one) =>
        one.on === 'transport' &&
        one.number === number &&
        !one.isOtherCarrier &&
        couple(journey.by, one.by),
    ),
  }));
  const reached = new Set([
    ...named.flatMap((one) => one.houses),
    ...direct.flatMap(({ found }) => found ?? []),
  ]);
  const reachedNumbers = new Set([...reached].map(({ number }) => number));
  const listedDirect = direct.filter(
    ({ number, found }) => found !== undefined || !reachedNumbers.has(number),
  );
  const inTree = ({ number, weight: grams, isComplete }: House) => ({
    ...roadDocument(number),
    weight: grams,
    status: statusOf(isComplete),
  });
  const asDocument = (one: House) => ({
    ...roadDocument(one.number),
    received: true,
    documentStatus: statusOf(one.isComplete),
    ...(!one.isComplete && { incompleteDocumentationReasonList: ['INCOMPLETE_DOCUMENTATION'] }),
  });
  return {
    tree: {
      sumOfWeightForMasterConsignments: sum(named.flatMap(({ found }) => found ?? [])),
      sumOfWeightForHouseConsignments: sum([...reached]),
      masterConsignments: named.map(({ number, found, houses: own }) => ({
        ...roadDocument(number),
        ...(found && { weight: found.weight }),
        received: found !== undefined,
        sumOfWeightForHouseConsignments: sum(own),
        houseConsignments: own.map(inTree),
      })),
      ...(listedDirect.length > 0 && {
        houseConsignments: listedDirect.map(({ number, found }) =>
          found === undefined ? { ...roadDocument(number), status: 'INCOMPLETE' } : inTree(found),
        ),
      }),
    },
    masters: named.map(({ number, found, houses: own }) => ({
      ...roadDocument(number),
      received: found !== undefined,
      documentStatus: statusOf(found !== undefined && own.every(({ isComplete }) => isComplete)),
    })),
    houses: [
      ...[...new Set(named.flatMap((one) => one.houses))].map(asDocument),
      ...listedDirect.map(({ number, found }) =>
        found === undefined
          ? { ...roadDocument(number), received: false, documentStatus: 'INCOMPLETE' }
          : asDocument(found),
      ),
    ],
    reasons: [
      'NOT_ARRIVED',
      ...(reached.size === 0 ? ['NOTHING_LODGED'] : []),
      ...(named.some(({ found }) => found === undefined) ||
      listedDirect.some(({ found }) => found === undefined)
        ? ['DOCUMENT_NOT_LODGED']
        : []),
      ...([...reached].some(({ isComplete }) => !isComplete) ? ['INCOMPLETE'] : []),
      // Of decisions, nothing is said before the arrival.
    ],
  };
}

for (const presenters of ['any', 'expected'] as const) {
  for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
    describe(`random journeys on ${name}, where ${presenters} parties present`, { skip }, () => {
      let playground: TestPlayground;
      before(async () => {
        playground = await TestPlayground.start(await open(), { presenters });
      });
      after(() => playground.close());

      const ask = async (path: string, as: string) => {
        const response = await playground.get(`/api/movement/road/status/v2/${path}`, as);
        assert.equal(response.status, 200, response.text);
        return response.body;
      };

      let runs = 0;
      const check = async (drawn: Journey) => {
        const run = runs++;
        const own = (number: string) => `${number}-${run}`;
        const carrierOf = ({ isOtherCarrier }: Lodged) =>
          isOtherCarrier ? 'NO777777777' : CARRIER;
        const lodged: Journey['lodged'] = [];
        for (const one of drawn.lodged) {
          const message = 'master' in one ? one.master : one.house;
          const movements = new TestMovements(playground, message.mode);
          const level = 'master' in one ? 'master-consignment' : 'house-consignment';
          const body =
            'master' in one
              ? masterMessage(own(one.master.number), {
                  carrier: carrierOf(message),
                  receptacles: one.master.receptacles.map(own),
                  grossMass: one.master.weight,
                })
              : bodyOf(one.house, own, carrierOf(message));
          const { status, mrn, validationErrorList } = await movements.carryOut(
            'POST',
            level,
            body,
            message.by,
          );
          // The key is taken: the message does not exist.
          if (status === 'FAILURE') {
            assert.deepEqual(
              validationErrorList?.map(({ code }) => code),
              ['DUPLICATE'],
            );
            continue;
          }
          if (message.isCancelled) await movements.cancel(level, mrn ?? '', message.by);
          lodged.push(renamed(one, own));
        }
        const transport = {
          ...drawn,
          masters: drawn.masters.map(own),
          directs: drawn.directs.map(own),
          lodged,
        };
        const movements = new TestMovements(playground);
        const { masters, directs: houses, by } = transport;
        const mrn = await movements.lodge(
          'transport',
          transportMessage(own('T'), { masters, houses }),
          by,
        );
        const expected = expectedOf(transport, presenters === 'expected');
        assert.deepEqual(await ask(`transport/${mrn}/status-with-descendants`, by), expected.tree);
        const of = `transport/${mrn}`;
        assert.deepEqual(
          await ask(`${of}/master-consignment/transport-document/status`, by),
          expected.masters,
        );
        assert.deepEqual(
          await ask(`${of}/house-consignment/transport-document/status`, by),
          expected.houses,
        );
        const reasons = { validEntry: false, mrn, reasons: expected.reasons };
        assert.deepEqual(await ask(`entry/status/${mrn}`, by), reasons);
      };

      test('every query responds as the model does', async () => {
        await fc.assert(fc.asyncProperty(journey, check), { numRuns: 30, endOnFailure: true });
      });
    });
  }
}

function bodyOf(
  { number, on, weight: grams, isComplete }: House,
  own: (text: string) => string,
  carrier: string,
) {
  return houseMessage(own(number), {
    carrier,
    ...(typeof on === 'object' &&
      ('master' in on ? { master: own(on.master) } : { receptacle: own(on.receptacle) })),
    ...(on === 'transport' && { isDirect: true }),
    totalGrossMass: grams,
    ...(!isComplete && { importProcedure: undefined }),
  });
}

/** The message with the numbers of one run. */
function renamed(
  one: Journey['lodged'][number],
  own: (text: string) => string,
): Journey['lodged'][number] {
  if ('master' in one) {
    const { master: given } = one;
    const { number, receptacles } = given;
    return { master: { ...given, number: own(number), receptacles: receptacles.map(own) } };
  }
  const { number, on } = one.house;
  const renamedOn =
    typeof on !== 'object'
      ? on
      : 'master' in on
        ? { master: own(on.master) }
        : { receptacle: own(on.receptacle) };
  return { house: { ...one.house, number: own(number), on: renamedOn } };
}
