// Identifiers of goods and transports are accepted exactly if they follow their rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  containerCheckDigit,
  isContainerId,
  MRN_PATTERN,
  RECEPTACLE_PATTERN,
  UUID_PATTERN,
} from './identifiers.js';

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';

/** Text of this length, made of these characters. */
function text(characters: string, length: number) {
  return fc.string({
    unit: fc.constantFrom(...characters),
    minLength: length,
    maxLength: length,
  });
}

function joined(...parts: fc.Arbitrary<string>[]) {
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

const containerStem = joined(text(capitals, 3), text('UJZ', 1), text(digits, 6));

test('the check digit of containers in use is right', () => {
  for (const id of ['CSQU3054383', 'MSKU9070323', 'JARU0000010', 'JARU0000026']) {
    assert.equal(isContainerId(id), true, id);
  }
});

test('a container identifier has one check digit of ten', () => {
  fc.assert(
    fc.property(containerStem, (stem) => {
      const accepted = [...digits].filter((digit) => isContainerId(stem + digit));
      assert.deepEqual(accepted, [String(containerCheckDigit(stem))]);
    }),
  );
});

test('a container identifier with one wrong digit is refused', () => {
  fc.assert(
    fc.property(
      containerStem,
      fc.integer({ min: 4, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (stem, index, step) => {
        const wrong = String((Number(stem[index]) + step) % 10);
        const mistyped = stem.slice(0, index) + wrong + stem.slice(index + 1);
        // ISO 6346 uses the check digit 0 for the remainders 0 and 10, so it does not detect this one mistake.
        fc.pre(containerCheckDigit(stem) !== 0 || containerCheckDigit(mistyped) !== 0);
        assert.equal(isContainerId(mistyped + containerCheckDigit(stem)), false);
      },
    ),
  );
});

test('other texts are refused as container identifiers', () => {
  for (const id of [
    '',
    'JARU000001',
    'JARU00000100',
    'jaru0000010',
    'JARX0000010',
    ' JARU0000010',
  ]) {
    assert.equal(isContainerId(id), false, id);
  }
  fc.assert(
    fc.property(fc.string(), (id) => {
      fc.pre(!/^[A-Z]{3}[UJZ]\d{7}$/.test(id));
      assert.equal(isContainerId(id), false);
    }),
  );
});

test('an MRN is year, country and fourteen capital letters or digits', () => {
  const mrn = new RegExp(MRN_PATTERN);
  fc.assert(
    fc.property(
      joined(text(digits, 2), text(capitals, 2), text(capitals + digits, 14)),
      (id) => mrn.test(id) && !mrn.test(id.toLowerCase()) && !mrn.test(`${id}0`),
    ),
  );
  for (const id of [
    '23NO0000000000001',
    '2NNO00000000000001',
    '23no00000000000001',
    '23NO0000000000000\n',
  ]) {
    assert.equal(mrn.test(id), false, id);
  }
});

test('a receptacle identifier has the 29 characters of UPU S9', () => {
  const receptacle = new RegExp(RECEPTACLE_PATTERN);
  const id = 'GBASFZMLBKONAUN30001001019999';
  assert.equal(receptacle.test(id), true);
  assert.equal(receptacle.test(id.slice(1)), false);
  assert.equal(receptacle.test(`${id}0`), false);
  // The mail category is A to D; the weight is digits.
  assert.equal(receptacle.test(`${id.slice(0, 12)}E${id.slice(13)}`), false);
  assert.equal(receptacle.test(`${id.slice(0, 28)}X`), false);
});

test('a UUID of any version is accepted, in upper and lower case', () => {
  const uuid = new RegExp(UUID_PATTERN);
  fc.assert(fc.property(fc.uuid(), (id) => uuid.test(id) && uuid.test(id.toUpperCase())));
  assert.equal(uuid.test('4a3ff6a06d0c4f5a9b1f3f1d9d4f0a01'), false);
});
