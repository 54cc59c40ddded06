// Whom identification numbers name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partyOfNumber } from './identification-number.js';
import { checkOrganisationRules } from './organisation-rules.js';

test('a Norwegian organisation number names the organisation of the national register', () => {
  for (const number of ['974760673', 'NO974760673', 'no 974 760 673', '\u00a0974760673']) {
    assert.deepEqual(partyOfNumber(number), { organisation: '0192:974760673' }, number);
  }
});

test('every other number is looked up, whatever its case and blanks are', () => {
  const numbers = {
    de1234567890: 'DE1234567890',
    'GB 123 456 789 000': 'GB123456789000',
    NO97476067: 'NO97476067',
    NO9747606730: 'NO9747606730',
    '97476067': '97476067',
    SE974760673: 'SE974760673',
    '0192:974760673': '0192:974760673',
    NONO974760673: 'NONO974760673',
  };
  for (const [number, registeredNumber] of Object.entries(numbers)) {
    assert.deepEqual(partyOfNumber(number), { registeredNumber }, number);
  }
});

test('a number as it is stored names the same as the number that was sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 17 }), (number) => {
      const party = partyOfNumber(number);
      if ('organisation' in party) return;
      assert.deepEqual(partyOfNumber(party.registeredNumber), party);
    }),
  );
});

test('a number that is given twice, or names an organisation already, is refused', () => {
  const identificationNumbers = ['DE 1', 'SE2', 'de1', 'NO974760673', '974760673'];
  const entry = { name: 'Example', kind: 'foreign', identificationNumbers } as const;
  assert.deepEqual(checkOrganisationRules('NTRDE-1', entry), [
    { field: 'identificationNumbers.2', error: 'must not be given twice', code: 'FORMAT' },
    ...[3, 4].map((index) => ({
      field: `identificationNumbers.${index}`,
      error: 'must be left out: it names 0192:974760673, whoever registers it',
      code: 'FORMAT' as const,
    })),
  ]);
});
