// Decisions of a profile: by the first rule that applies, reproducible, and with shares of the stated size.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { RoutingConditions, RoutingRule } from '@landfall/contract';
import fc from 'fast-check';
import { type ConsignmentFacts, compileProfile, type ExaminedRule } from './compile-profile.js';

const id = '01935b2c-0000-7000-8000-000000000001';
const parcel: ConsignmentFacts = {
  customsOfficeOfFirstEntry: 'NO351001',
  documentNumber: 'RR123456785US',
  documentType: 'N750',
};

/** The number of the rule that decides, from 1. */
function ruleOf(rules: RoutingRule[], facts: ConsignmentFacts, of = id): number | undefined {
  return compileProfile({ salt: 'salt', rules }).decide(of, facts)?.rule;
}

const rule = (when: RoutingConditions, share?: number): RoutingRule => ({
  name: 'a rule',
  when,
  routing: 'TO_CONTROL',
  ...(share !== undefined && { share }),
});

describe('conditions', () => {
  const airWaybill = { ...parcel, documentType: 'N740', documentNumber: 'HAWB1' } as const;
  const receptacle = { ...parcel, receptacleId: 'GBASFZMLBKONAUN30001001019999' };
  const lodged: ConsignmentFacts = {
    ...parcel,
    lodgedMode: 'road',
    importProcedure: 'TRANSIT_IMPORT',
    outgoingProcedure: 'TRA',
    carrierIdentificationNumber: 'NO974760673',
    consignorCountry: 'SE',
    grossMass: 1000,
  };
  const fish = { ...parcel, subheadings: ['030214', '640399'] };
  const cases: [string, RoutingConditions, ConsignmentFacts, boolean][] = [
    ['the office', { customsOfficeOfFirstEntry: ['NO351001'] }, parcel, true],
    ['another office', { customsOfficeOfFirstEntry: ['NO361001'] }, parcel, false],
    ["the office's country", { officeCountry: ['SE', 'NO'] }, parcel, true],
    ['the type of the document', { transportDocumentType: ['N740'] }, airWaybill, true],
    ['mail, by the document', { modeOfTransport: ['5'] }, parcel, true],
    ['air, by the document', { modeOfTransport: ['4'] }, airWaybill, true],
    [
      'air, by the aircraft',
      { modeOfTransport: ['4'] },
      { ...parcel, typeOfIdentification: '41' },
      true,
    ],
    [
      'means of transport of an unknown mode',
      { modeOfTransport: ['5'] },
      { ...parcel, typeOfIdentification: '99' },
      true,
    ],
    [
      'a document used in several modes',
      { modeOfTransport: ['1', '2', '3', '4', '5', '8'] },
      { ...parcel, documentType: 'N760' },
      false,
    ],
    ['origin, by the item number', { originCountry: ['US'] }, parcel, true],
    ['origin, by the receptacle', { originCountry: ['GB'] }, receptacle, true],
    ['the receptacle before the item number', { originCountry: ['US'] }, receptacle, false],
    ['destination', { destinationCountry: ['ML'] }, receptacle, true],
    ['an unknown destination', { destinationCountry: ['ML'] }, parcel, false],
    [
      'an air waybill that looks like an item',
      { originCountry: ['US'] },
      { ...parcel, documentType: 'N740' },
      false,
    ],
    ['the import procedure', { importProcedure: ['ATA_CARNET', 'TRANSIT_IMPORT'] }, lodged, true],
    ['another import procedure', { importProcedure: ['ATA_CARNET'] }, lodged, false],
    ['an import procedure, of goods of an ENS', { importProcedure: ['ATA_CARNET'] }, parcel, false],
    ['the outgoing procedure', { outgoingProcedure: ['TRA'] }, lodged, true],
    ['another outgoing procedure', { outgoingProcedure: ['EXP', 'TRE'] }, lodged, false],
    ['no outgoing procedure', { outgoingProcedure: ['EXP'] }, parcel, false],
    ['the carrier', { carrierIdentificationNumber: ['NO974760673'] }, lodged, true],
    ['another carrier', { carrierIdentificationNumber: ['no974760673'] }, lodged, false],
    ['a carrier, of goods of an ENS', { carrierIdentificationNumber: ['NO1'] }, parcel, false],
    [
      'a carrier, of presented goods that name none',
      { carrierIdentificationNumber: ['NO1'] },
      { ...lodged, carrierIdentificationNumber: null },
      false,
    ],
    ['the country of the consignor', { consignorCountry: ['SE'] }, lodged, true],
    ['another country of the consignor', { consignorCountry: ['NO'] }, lodged, false],
    ['the least gross mass', { grossMassFrom: 1000 }, lodged, true],
    ['a greater gross mass', { grossMassFrom: 1000.001 }, lodged, false],
    ['any gross mass', { grossMassFrom: 0 }, { ...lodged, grossMass: 0 }, true],
    ['any gross mass, of goods of an ENS', { grossMassFrom: 0 }, parcel, false],
    ['goods that were lodged', { notified: ['MOVEMENT'] }, lodged, true],
    ['goods of an ENS', { notified: ['ENS'] }, parcel, true],
    ['lodged goods, as those of an ENS', { notified: ['ENS'] }, lodged, false],
    ['goods of an ENS, as lodged ones', { notified: ['MOVEMENT'] }, parcel, false],
    ['the chapter', { harmonizedSystemChapter: ['24', '03'] }, fish, true],
    ['the chapter of the last of its goods', { harmonizedSystemChapter: ['64'] }, fish, true],
    ['another chapter', { harmonizedSystemChapter: ['02', '30'] }, fish, false],
    ['a chapter, without declared goods', { harmonizedSystemChapter: ['03'] }, parcel, false],
    [
      'a chapter, without stored goods',
      { harmonizedSystemChapter: ['03'] },
      { ...parcel, subheadings: null },
      false,
    ],
    [
      'the chapter, but another country',
      { harmonizedSystemChapter: ['03'], originCountry: ['CN'] },
      fish,
      false,
    ],
    ['all together', { officeCountry: ['NO'], originCountry: ['US'] }, parcel, true],
    ['all but one', { officeCountry: ['NO'], originCountry: ['CN'] }, parcel, false],
    ['none', {}, parcel, true],
  ];
  for (const [what, when, facts, holds] of cases) {
    test(`${what}: ${holds ? 'holds' : 'does not hold'}`, () => {
      assert.equal(ruleOf([rule(when)], facts), holds ? 1 : undefined);
    });
  }
});

test('the first rule that applies decides, and the decision has its number', () => {
  const rules: RoutingRule[] = [
    rule({ officeCountry: ['SE'], transportDocumentType: ['N750'], originCountry: ['CN'] }),
    { name: 'ours', routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' },
    { name: 'never reached', routing: 'TO_ENTRY' },
  ];
  const examined: ExaminedRule[] = [];
  const decision = compileProfile({ salt: 's', rules }).decide(id, parcel, (rule) =>
    examined.push(rule),
  );
  assert.deepEqual(decision, {
    rule: 2,
    routing: 'TO_CONTROL',
    routingControlLocation: 'AFTER_ENTRY',
  });
  assert.deepEqual(examined, [
    { rule: 1, conditions: ['transportDocumentType'], holds: false },
    { rule: 2, conditions: [], holds: true },
  ]);
});

test('a carrier that is known when the goods are presented postpones the decision', () => {
  const { customsOfficeOfFirstEntry: _, ...mail } = { ...parcel, lodgedMode: 'air' } as const;
  const ofCarrier = rule({ carrierIdentificationNumber: ['NO1'] });
  const rules = [ofCarrier, rule({})];
  assert.equal(ruleOf(rules, mail), undefined);
  assert.equal(ruleOf(rules, { ...mail, carrierIdentificationNumber: 'NO1' }), 1);
  assert.equal(ruleOf(rules, { ...mail, carrierIdentificationNumber: 'NO2' }), 2);
  // Presented without a transport, they have none.
  assert.equal(ruleOf(rules, { ...mail, customsOfficeOfFirstEntry: 'NO351001' }), 2);
  const heavy = rule({ carrierIdentificationNumber: ['NO1'], grossMassFrom: 100 });
  assert.equal(ruleOf([heavy, rule({})], { ...mail, grossMass: 99 }), 2);
});

describe('an office that is not known yet', () => {
  const { customsOfficeOfFirstEntry: _, ...unknown } = parcel;

  test('postpones the decision at the first rule that may depend on it', () => {
    const ofOffice = rule({ customsOfficeOfFirstEntry: ['NO371001'] });
    const ofMail = rule({ modeOfTransport: ['5'] });
    const otherwise = rule({});
    assert.equal(ruleOf([ofOffice, otherwise], unknown), undefined);
    assert.equal(ruleOf([ofMail, ofOffice], unknown), 1);
    // By another condition, the rule of the office does not hold wherever they arrive.
    const elsewhere = rule({ customsOfficeOfFirstEntry: ['NO371001'], modeOfTransport: ['3'] });
    assert.equal(ruleOf([elsewhere, otherwise], unknown), 2);
  });

  test('never lets a later rule decide otherwise than the profile does once it is known', () => {
    const offices = ['NO371001', 'NO351001', 'SE001001'];
    const condition = fc.record<RoutingConditions>(
      {
        customsOfficeOfFirstEntry: fc.subarray(offices, { minLength: 1 }),
        officeCountry: fc.subarray(['NO', 'SE'], { minLength: 1 }),
        modeOfTransport: fc.subarray(['3', '5'] as const, { minLength: 1 }),
        transportDocumentType: fc.subarray(['N750', 'N740'] as const, { minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    const rules = fc.array(fc.tuple(condition, fc.constantFrom(undefined, 0.5)), { maxLength: 4 });
    let postponed = 0;
    fc.assert(
      fc.property(rules, fc.uuid(), (made, of) => {
        const profile = made.map(([when, share]) => rule(when, share));
        const before = ruleOf(profile, unknown, of);
        const after = offices.map((office) =>
          ruleOf(profile, { ...parcel, customsOfficeOfFirstEntry: office }, of),
        );
        if (before === undefined && after.some((each) => each !== undefined)) postponed++;
        if (before === undefined) return true;
        return after.every((each) => each === before);
      }),
    );
    assert(postponed > 0);
  });
});

describe('shares', () => {
  test('are chosen as the contract describes, so that anyone can verify them', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.string(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, salt, share) => {
          const digest = createHash('sha256').update(`${salt}:1:${of}`).digest('hex');
          const chosen = Number.parseInt(digest.slice(0, 12), 16) / 2 ** 48 < share || share === 1;
          const decision = compileProfile({ salt, rules: [rule({}, share)] }).decide(of, parcel);
          assert.equal(decision !== undefined, chosen);
        },
      ),
    );
  });

  test('have about the stated size, and two of them are independent of each other', () => {
    const rules = [rule({}, 0.2), rule({}, 0.2)];
    const counts = [0, 0, 0];
    for (let made = 0; made < 20_000; made++) {
      const decided = ruleOf(rules, parcel, randomUUID()) ?? 3;
      counts[decided - 1] = (counts[decided - 1] ?? 0) + 1;
    }
    const [first = 0, second = 0, none = 0] = counts.map((count) => count / 20_000);
    // Six standard deviations on either side.
    assert(Math.abs(first - 0.2) < 0.017, `${first}`);
    assert(Math.abs(second - 0.16) < 0.016, `${second}`);
    assert(Math.abs(none - 0.64) < 0.021, `${none}`);
  });

  test('of nothing and of all', () => {
    assert.equal(ruleOf([rule({}, 0)], parcel), undefined);
    assert.equal(ruleOf([rule({}, 1)], parcel), 1);
  });
});
