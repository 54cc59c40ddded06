// The messages of journeys keep the rules of the contract, hang together, and are the same for the same seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMovement, keysOf, uncheckedRegisters } from '@landfall/contract';
import { generateJourney, type JourneyOptions } from './generate-journey.js';
import { journeyKinds } from './journey-kinds.js';

const arrivesAt = new Date('2026-05-04T12:00:00Z');
const now = new Date('2026-05-03T12:00:00Z');
const common = { carrier: 'NO310000019', arrivesAt, seed: 7 };

/** Documents of registers that a playground has. */
const registers = {
  ...uncheckedRegisters,
  documentState: (document: Parameters<typeof uncheckedRegisters.documentState>[0]) => {
    const isKnown =
      document.kind === 'CUDE'
        ? document.declarantNumber === '123456789' && document.declarationDate === '2022-08-10'
        : document.kind === 'VOEC'
          ? document.referenceNumber === '2056550'
          : document.referenceNumber.length === 18;
    return isKnown ? ('VALID' as const) : ('INVALID' as const);
  },
};

for (const kind of keysOf(journeyKinds)) {
  const { mode } = journeyKinds[kind];

  /** What is missing of each message, which must be accepted, and its key. */
  const check = (options: Omit<JourneyOptions, 'kind'>) => {
    const keys = new Set<string>();
    const missing = { none: 0, some: 0 };
    for (const { level, message } of generateJourney({ kind, ...options })) {
      const checked = checkMovement(message, { level, mode, registers, now });
      assert(checked.accepted, JSON.stringify(checked));
      assert(!keys.has(checked.key), `twice: ${checked.key}`);
      keys.add(checked.key);
      if (level === 'house-consignment') missing[checked.missing.length > 0 ? 'some' : 'none']++;
    }
    return missing;
  };

  test(`${kind}: every message keeps the rules, and has a key of its own`, () => {
    const { houses } = journeyKinds[kind];
    assert.deepEqual(check(common), { none: houses, some: 0 });
    assert.deepEqual(check({ ...common, houses: 2_000 }), { none: 2_000, some: 0 });
    assert.deepEqual(check({ ...common, houses: 1 }), { none: 1, some: 0 });
  });

  test(`${kind}: the share that is incomplete`, () => {
    assert.equal(check({ ...common, houses: 100, incomplete: 1 }).some, 100);
    const { some } = check({ ...common, houses: 1_000, incomplete: 0.2 });
    assert(some > 120 && some < 280, String(some));
  });

  test(`${kind}: everything hangs on the transport, and nothing else is named`, () => {
    const reached = new Set<string>();
    const named = new Set<string>();
    const lodged = new Set<string>();
    const key = (document: object | undefined) => JSON.stringify(document);
    for (const { level, message } of generateJourney({ kind, houses: 300, ...common })) {
      if (level === 'house-consignment') {
        const house = message.consignmentHouseLevel;
        lodged.add(key(house.transportDocumentHouseLevel));
        named.add(
          house.receptacleIdentificationNumber ??
            key(
              house.consignmentMasterLevel?.transportDocumentMasterLevel ??
                house.transportDocumentHouseLevel,
            ),
        );
      } else if (level === 'master-consignment') {
        const master = message.consignmentMasterLevel;
        lodged.add(key(master.transportDocumentMasterLevel));
        for (const house of master.consignmentHouseLevel ?? []) {
          for (const each of house.receptacle ?? []) {
            for (const number of each.receptacleIdentificationNumber ?? []) reached.add(number);
          }
        }
      } else {
        for (const each of message.consignmentMasterLevel ?? []) {
          reached.add(key(each.transportDocumentMasterLevel));
          assert(lodged.has(key(each.transportDocumentMasterLevel)));
        }
        for (const each of message.consignmentHouseLevel ?? []) {
          reached.add(key(each.transportDocumentHouseLevel));
          assert(lodged.has(key(each.transportDocumentHouseLevel)));
        }
      }
    }
    assert.deepEqual(
      [...named].filter((each) => !reached.has(each)),
      [],
    );
  });

  test(`${kind}: the same seed gives the same messages, another one others`, () => {
    const text = (seed: number) =>
      JSON.stringify([...generateJourney({ ...common, kind, houses: 20, seed })]);
    assert.equal(text(7), text(7));
    assert.notEqual(text(7), text(8));
  });
}

test('a number out of its range is refused', () => {
  const generate = (options: Partial<JourneyOptions>) =>
    generateJourney({ ...common, kind: 'lorry', ...options }).next();
  for (const houses of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => generate({ houses }), /houses must be/);
  }
  for (const incomplete of [-0.1, 1.1, Number.NaN]) {
    assert.throws(() => generate({ incomplete }), /incomplete must be/);
  }
});
