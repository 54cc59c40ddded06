// Pre-notifications follow every rule of the contract, have the requested number, and are the same for the same seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compileCheck,
  EntrySummaryDeclaration,
  HouseConsignmentLine,
  isObject,
} from '@landfall/contract';
import { airWaybill, postalCheckDigit, shipCheckDigit } from './identifiers.js';
import { generatePreNotificationLines, generatePreNotifications } from './pre-notifications.js';
import { makeRandom } from './random.js';

const options = { ens: 60, houses: 3000, seed: 7 };

test('declarations are valid and have the requested number, and identifiers are unique', () => {
  const check = compileCheck<EntrySummaryDeclaration>(EntrySummaryDeclaration);
  const all = [...generatePreNotifications(options)];
  assert.equal(all.length, 60);
  for (const declaration of all) {
    const checked = check(declaration);
    assert(checked.valid, JSON.stringify(checked));
  }
  assert.equal(new Set(all.map(({ mrn }) => mrn)).size, 60);
  const houses = all.flatMap(({ houseConsignments }) => houseConsignments);
  assert.equal(houses.length, 3000);
  const numbers = new Set(
    houses.map(
      ({ transportDocumentHouseLevel: { documentNumber, type } }) => `${type} ${documentNumber}`,
    ),
  );
  assert.equal(numbers.size, 3000);
  const types = new Set(
    houses.map(({ transportDocumentHouseLevel }) => transportDocumentHouseLevel.type),
  );
  assert.deepEqual([...types].sort(), ['N703', 'N714', 'N740', 'N750']);
  assert(houses.some(({ receptacleId }) => receptacleId));
  assert(houses.some(({ containerId }) => containerId));
  assert(houses.some(({ harmonizedSystemSubheadingCode: codes = [] }) => codes.length > 1));
  assert(houses.some(({ harmonizedSystemSubheadingCode: codes }) => codes === undefined));
  assert(houses.some(({ routing }) => routing === 'TO_CONTROL'));
  assert(houses.some(({ routing }) => routing === undefined));
});

test('the same seed gives the same data, another seed different data', () => {
  const text = (seed: number) =>
    JSON.stringify([...generatePreNotifications({ ...options, seed })]);
  assert.equal(text(7), text(7));
  const mrns = (seed: number) =>
    [...generatePreNotifications({ ...options, seed })].map(({ mrn }) => mrn);
  const known = new Set(mrns(7));
  assert(mrns(8).every((mrn) => !known.has(mrn)));
});

test('lines have the same data as declarations', () => {
  const checkLine = compileCheck<HouseConsignmentLine>(HouseConsignmentLine);
  const put = new Map<string, unknown[]>();
  for (const line of generatePreNotificationLines(options)) {
    assert(line.endsWith('}\n'));
    const value: unknown = JSON.parse(line);
    assert(isObject(value));
    if ('houseConsignment' in value) {
      const checked = checkLine(value);
      assert(checked.valid);
      put.get(checked.value.mrn)?.push(checked.value.houseConsignment);
    } else put.set(String(value.mrn), []);
  }
  assert.deepEqual(
    [...put.entries()],
    [...generatePreNotifications(options)].map(({ mrn, houseConsignments }) => [
      mrn,
      houseConsignments,
    ]),
  );
});

test('few or no house consignments are distributed too', () => {
  for (const houses of [0, 1, 5]) {
    const all = [...generatePreNotifications({ ens: 10, houses, seed: 1 })];
    const count = all.reduce((sum, { houseConsignments }) => sum + houseConsignments.length, 0);
    assert.deepEqual([all.length, count], [10, houses]);
  }
});

test('check digits are equal to the examples of the standards', () => {
  // UPU S10, section 6: the example of the standard.
  assert.equal(postalCheckDigit('47312482'), 9);
  assert.equal(airWaybill(makeRandom(1), 1_234_567).slice(3), '12345675');
  // IMO 9074729, the example of the resolution.
  assert.equal(shipCheckDigit('907472'), 9);
});
