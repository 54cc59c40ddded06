// Spellings of one identifier have one key, and different identifiers have different ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { identifierKey } from './identifier-key.js';
import { refusedSpellingsOf, spellingsOf } from './testing/spellings.js';

test('every spelling of an identifier has its key', () => {
  const number = fc.string({
    unit: fc.constantFrom(...'AZ09-/.ÆÉÅΩЖ'),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(number, (text) => {
      const spellings = { ...spellingsOf(text), ...refusedSpellingsOf(text) };
      for (const [kind, spelling] of Object.entries(spellings)) {
        assert.equal(identifierKey(spelling), identifierKey(text), `${kind} of ${text}`);
      }
    }),
  );
  assert.equal(identifierKey(' hc\u00a0 0\u200b01\u3000'), 'HC001');
  assert.equal(identifierKey('e\u0301\u00e5'), 'ÉÅ');
});

test('a text has the key of its capitals and of its small letters, whoever has made them', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const keyed = (text: string) => [...text.normalize('NFD')].every((letter) => letter < '\u0590');
  const casesOf = (letter: string) => [
    letter.toUpperCase(),
    letter.toLowerCase(),
    letter.toLowerCase().toUpperCase(),
    letter.toUpperCase().toLowerCase(),
  ];
  // Those that Unicode maps to several, and each whose capital and small letter are of the alphabets that have keys.
  const isSpecial = (letter: string) => casesOf(letter).some((text) => [...text].length > 1);
  const letters = all.filter(
    (letter) => isSpecial(letter) || [letter, ...casesOf(letter)].every(keyed),
  );
  assert(letters.filter(isSpecial).length >= 100);
  const differing = letters.filter((letter) =>
    casesOf(letter).some((text) => identifierKey(text) !== identifierKey(letter)),
  );
  assert.deepEqual(differing, []);
  for (const spelling of ['Straße', 'STRASSE', 'STRAẞE', 'straße', 'strasse']) {
    assert.equal(identifierKey(spelling), 'STRASSE');
  }
});

test('a key is its own key', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 10 });
  fc.assert(
    fc.property(anyText, (text) => {
      const key = identifierKey(text);
      assert.equal(identifierKey(key), key);
    }),
    { numRuns: 300 },
  );
});

test('what is meaningful stays', () => {
  for (const [one, other] of [
    ['12-3', '1-23'],
    ['AB/1', 'AB1'],
    ['A.1', 'A1'],
    ['HC_1', 'HC1'],
    ['HC001', 'HC01'],
    ['O1', '01'],
    // A Cyrillic letter, and the full width of ASCII, merely look like it.
    ['A1', '\u04101'],
    ['A1', '\uff211'],
  ] as const) {
    assert.notEqual(identifierKey(one), identifierKey(other), `${one} ${other}`);
  }
});
