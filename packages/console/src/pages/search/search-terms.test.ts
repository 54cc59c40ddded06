// What is searched for, for what people type or scan.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HouseConsignment } from '@landfall/client';
import { matchedIdentifiers, matchedLength, onlyOne, searchedKey } from './search-terms.js';

const consignment: HouseConsignment = {
  id: '1',
  entrySummaryDeclarationMRN: '23NO00000000000003',
  customsOfficeOfFirstEntry: 'NO351001',
  declarant: '0192:310000078',
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
  transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
  receptacleId: 'GBASFZMLBKONAUN30001001019999',
  containerId: ['JARU0000010', 'JARU0000026'],
  state: 'DECIDED',
};

test('what was typed is searched for by its key', () => {
  for (const [typed, expected] of [
    ['HC001', 'HC001'],
    ['  HC001\n', 'HC001'],
    ['jaru 000001 0', 'JARU0000010'],
    ['Order 7', 'ORDER7'],
    ['\u001dGBASFZ\u001d', 'GBASFZ'],
    ['a b', undefined],
    ['HC', undefined],
    [' \t ', undefined],
    ['', undefined],
    ['A'.repeat(80), 'A'.repeat(70)],
  ] as const) {
    assert.equal(searchedKey(typed), expected, JSON.stringify(typed));
  }
});

test('a result shows which of its identifiers were found', () => {
  for (const [typed, expected] of [
    ['hc0', ['houseDocument HC001']],
    ['jaru', ['container JARU0000010', 'container JARU0000026']],
    ['23no00000000000003', ['mrn 23NO00000000000003']],
    ['MAWB', ['masterDocument MAWB0003']],
    ['GBASFZ', ['receptacle GBASFZMLBKONAUN30001001019999']],
    ['C001', []],
  ] as const) {
    const found = matchedIdentifiers(consignment, searchedKey(typed) ?? '');
    assert.deepEqual(
      found.map(({ kind, value }) => `${kind} ${value}`),
      expected,
      typed,
    );
  }
  const { entrySummaryDeclarationMRN: _, ...lodged } = consignment;
  const mrn = '26NO7K2M4Q9XWR5HT0';
  assert.deepEqual(matchedIdentifiers({ ...lodged, houseConsignmentMRN: mrn }, '26NO7K'), [
    { kind: 'mrn', value: mrn },
  ]);
});

test('what was found of an identifier is marked as it is written', () => {
  for (const [value, key, marked] of [
    ['HC001', 'HC0', 'HC0'],
    ['hc 001', 'HC0', 'hc 0'],
    ['HC001', 'HC001', 'HC001'],
    ['HC001', 'C001', ''],
  ] as const) {
    assert.equal(value.slice(0, matchedLength(value, key)), marked);
  }
});

test('a whole identifier leads to its consignment, unless several have it', () => {
  const named = (id: string, documentNumber: string): HouseConsignment => ({
    ...consignment,
    id,
    transportDocumentHouseLevel: { documentNumber, type: 'N740' },
  });
  const [first, second, longer] = [named('1', 'HC1'), named('2', 'HC1'), named('3', 'HC10')];
  assert.equal(onlyOne([first, longer], 'HC1'), first);
  assert.equal(onlyOne([longer], 'HC1'), longer);
  assert.equal(onlyOne([first, second], 'HC1'), undefined);
  assert.equal(onlyOne([first, longer], 'HC'), undefined);
  assert.equal(onlyOne([], 'HC1'), undefined);
});
