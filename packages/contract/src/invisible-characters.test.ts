// Identifiers refuse every character that Unicode says is not shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { hasInvisibleInIdentifier, INVISIBLE_IN_IDENTIFIERS } from './invisible-characters.js';
import { Identifier, OneLine } from './patterns.js';
import { compileCheck } from './validation.js';

const ignorable = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)))
  .map((code) => String.fromCodePoint(code));

test('the pattern of identifiers has every character up to U+FFFF that is not shown', () => {
  const pattern = new RegExp(`[${INVISIBLE_IN_IDENTIFIERS}]`);
  const missing = ignorable.filter((text) => text.length === 1 && !pattern.test(text));
  assert.deepEqual(
    missing.map((text) => text.codePointAt(0)?.toString(16)),
    [],
  );
  assert(ignorable.length > 4000);
});

test('neither identifiers nor names have the blank of Braille or marks of annotations and objects', () => {
  const check = compileCheck(Type.Object({ id: Identifier(70), name: OneLine(70) }));
  for (const text of ['\u2800', '\ufff9', '\ufffa', '\ufffb', '\ufffc']) {
    const result = check({ id: `A${text}1`, name: `A${text}` });
    assert(!result.valid && result.errors.length === 2, text.codePointAt(0)?.toString(16));
  }
});

test('an identifier with any of them is refused by its name; a name may have joiners and variations', () => {
  const check = compileCheck(Type.Object({ id: Identifier(70), name: OneLine(70) }));
  for (const text of ignorable) {
    assert(hasInvisibleInIdentifier(`A${text}1`));
    const result = check({ id: `A${text}1`, name: 'A' });
    assert(!result.valid);
    assert.deepEqual(
      result.errors.map(({ field, code }) => [field, code]),
      [['id', 'FORMAT']],
      text.codePointAt(0)?.toString(16),
    );
  }
  for (const text of ['ab', 'Å1', '\u{1f600}', 'NTRIL-חברה']) {
    assert(check({ id: text, name: text }).valid, text);
  }
  assert(check({ id: 'A', name: 'می\u200cخواهم \u2764\ufe0f' }).valid);
});
