// Keys of movement messages, and the MRNs that this service makes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMrn, iso6346CheckDigit } from '../identifiers.js';
import { setMember } from './cases/change-message.js';
import { makeExample } from './cases/examples.js';
import { movementKey } from './keys.js';
import type { MovementLevel } from './levels.js';
import type { ModeName } from './modes.js';
import { makeMovementMrn } from './mrn.js';

function keyOf(
  level: MovementLevel,
  mode: ModeName,
  changes: Readonly<Record<string, unknown>> = {},
  submitter = 'a',
): string {
  const message = makeExample(level, 'road');
  for (const [path, value] of Object.entries(changes)) setMember(message, path, value);
  return movementKey(level, message, mode, submitter);
}

test('the key of a transport is its means and its scheduled time to the second, by air with its flight', () => {
  const level = 'transport';
  const key = keyOf(level, 'road');
  const same = {
    scheduledDateAndTimeOfArrival: '2026-05-04T12:00:00.999Z',
    estimatedDateAndTimeOfArrival: '2026-05-05T12:00:00Z',
    'carrier.identificationNumber': 'other',
  };
  assert.equal(keyOf(level, 'road', same, 'b'), key);
  const flight = { 'activeBorderTransportMeans.conveyanceReferenceNumber': 'LF124' };
  assert.equal(keyOf(level, 'road', flight), key);
  assert.notEqual(keyOf(level, 'air', flight), keyOf(level, 'air'));
  for (const other of [
    { 'activeBorderTransportMeans.identificationNumber': 'ab12345' },
    { 'activeBorderTransportMeans.typeOfIdentification': '31' },
    { scheduledDateAndTimeOfArrival: '2026-05-04T12:00:01Z' },
  ]) {
    assert.notEqual(keyOf(level, 'road', other), key);
  }
  assert.notEqual(keyOf(level, 'rail'), key);
});

test('the key of a master consignment is its document and its carrier', () => {
  const level = 'master-consignment';
  const master = 'consignmentMasterLevel';
  assert.equal(
    keyOf(level, 'maritime', { [`${master}.grossMass`]: 5 }, 'b'),
    keyOf(level, 'maritime'),
  );
  for (const path of ['carrier.identificationNumber', 'transportDocumentMasterLevel.type']) {
    assert.notEqual(keyOf(level, 'road', { [`${master}.${path}`]: 'x' }), keyOf(level, 'road'));
  }
});

test('the key of a house consignment is its document under what it hangs on', () => {
  const level = 'house-consignment';
  const house = 'consignmentHouseLevel';
  const alone = { [`${house}.consignmentMasterLevel`]: undefined };
  const receptacle = { ...alone, [`${house}.receptacleIdentificationNumber`]: 'a' };
  const direct = { ...alone, [`${house}.transportLevel.carrierIdentificationNumber`]: 'a' };
  const keys = [{}, alone, receptacle, direct].map((changes) => keyOf(level, 'road', changes));
  assert.equal(new Set(keys).size, 4);
  assert.notEqual(keyOf(level, 'road', alone, 'b'), keyOf(level, 'road', alone, 'a'));
  for (const changes of [{}, receptacle, direct]) {
    assert.equal(keyOf(level, 'road', changes, 'b'), keyOf(level, 'road', changes, 'a'));
  }
});

test('no part of a key can become a part of another one', () => {
  const level = 'master-consignment';
  const path = (name: string) => `consignmentMasterLevel.${name}`;
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
      const key = (number: string, carrier: string) =>
        keyOf(level, 'road', {
          [path('transportDocumentMasterLevel.documentNumber')]: number,
          [path('carrier.identificationNumber')]: carrier,
        });
      assert.equal(key(a, b) === key(c, d), a === c && b === d);
    }),
  );
});

test('an MRN has year, country, twelve characters, a mark and its check digit', () => {
  const limits: number[] = [];
  const make = (value: (limit: number) => number, year = 2026) =>
    makeMovementMrn({
      year,
      country: 'NO',
      random: (limit) => {
        limits.push(limit);
        return value(limit);
      },
    });
  for (const mrn of [make(() => 0), make((limit) => limit - 1), make(() => 17, 2105)]) {
    assert(isMrn(mrn), mrn);
    assert.equal(Number(mrn[17]), iso6346CheckDigit(mrn.slice(0, 17)));
  }
  assert.equal(make(() => 0).slice(0, 17), '26NO000000000000T');
  assert.equal(make((limit) => limit - 1).slice(0, 17), '26NOZZZZZZZZZZZZT');
  assert.equal(make(() => 0, 2105).slice(0, 2), '05');
  assert.deepEqual([...new Set(limits)], [34]);
});
