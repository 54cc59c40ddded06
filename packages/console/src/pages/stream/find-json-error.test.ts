// The position of what is not JSON, compared with the parser of the platform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonError } from './find-json-error.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('the first character that cannot be there is found', () => {
  // `|` is before the character.
  for (const marked of [
    '|',
    ' |',
    '{"a":1,|}',
    '{"a":1 |"b":2}',
    '{"a"|,1}',
    '{|a:1}',
    '[1,|]',
    '[1|}',
    '[|,1]',
    '{"a":|',
    '{"a":1|',
    '0|1',
    '1|.',
    '|-',
    '|.5',
    '|tru',
    '1 |2',
    '"a|\n"',
    '"a\\|x"',
    '"a\\|u12"',
    '"abc|',
    '{}|]',
    "|'a'",
    '|\ufeff{}',
  ]) {
    const text = marked.replace('|', '');
    // An escape is wrong from its backslash on.
    const index = marked.indexOf('|') - (marked.includes('\\|') ? 1 : 0);
    assert.equal(findJsonError(text), index, marked);
    assert(!isJson(text), marked);
  }
});

test('texts are JSON exactly if the parser reads them, also after a change', () => {
  const changed = fc
    .tuple(fc.json(), fc.nat(), fc.nat(1), fc.constantFrom(...'{}[],:"\\0-.eEtfn u\n1'))
    .map(([text, at, removed, added]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + added + text.slice(index + removed);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), changed), (text) => {
      const index = findJsonError(text);
      assert.equal(index === undefined, isJson(text), text);
      // Nothing is wrong before it.
      if (index !== undefined) {
        assert([undefined, index].includes(findJsonError(text.slice(0, index))), text);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('values may follow each other in a sequence', () => {
  assert.equal(findJsonError('{"a":1}\n[2] 3', { sequence: true }), undefined);
  assert.equal(findJsonError('{"a":1}\n{"b"}', { sequence: true }), 12);
});

test('any depth is read', () => {
  assert.equal(findJsonError('['.repeat(500_000)), 500_000);
});
