// Elements keep their text, and splitting does not turn invalid JSON into valid JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ElementSplitter, type ElementsOf } from './element-splitter.js';

const tooLong = { field: '', error: 'too long', code: 'SIZE' } as const;

/** The elements of a text that is read in chunks of this many bytes. */
function split(of: ElementsOf, text: string, size = 1): string[] {
  const splitter = new ElementSplitter(of, 20, tooLong);
  const bytes = new TextEncoder().encode(text);
  const found = [];
  for (let start = 0; start < bytes.length; start += size) {
    found.push(...splitter.push(bytes.subarray(start, start + size)));
  }
  found.push(...splitter.end());
  return found.map(
    ({ line, found }) => `${line} ${typeof found === 'string' ? found : found.error.error}`,
  );
}

test('white space between two numbers or literals is not removed', () => {
  for (const size of [1, 2, 100]) {
    assert.deepEqual(split('array', '[{"a": 1 2}, tr ue , -\n1, 1 .5, "a" "b"]', size), [
      '1 {"a":1 2}',
      '1 tr ue',
      '1 - 1',
      '2 1 .5',
      '2 "a""b"',
    ]);
    assert.deepEqual(split('whole', ' { "a" : [ 1 , 2 ] } ', size), ['1 {"a":[1,2]}']);
    assert.deepEqual(split('whole', '{"a":1 2}', size), ['1 {"a":1 2}']);
    assert.deepEqual(split('sequence', '{"a": 1}\n{"a": 1 2}', size), ['1 {"a":1}', '2 {"a":1 2}']);
  }
});

test('a whole text is returned at its end, whatever it contains', () => {
  assert.deepEqual(split('whole', 'null'), ['1 null']);
  assert.deepEqual(split('whole', '{} {}'), ['1 {}{}']);
  assert.deepEqual(split('whole', '{"a":'), ['1 {"a":']);
  assert.deepEqual(split('whole', '{}}'), ['1 must be valid JSON']);
  assert.deepEqual(split('whole', `"${'x'.repeat(30)}"`), ['1 too long']);
});

test('elements of any array in any chunks are found as JSON.stringify writes them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.constantFrom(undefined, 1, '\t'),
      fc.array(fc.nat()),
      (values, indent, cuts) => {
        const bytes = Buffer.from(JSON.stringify(values, null, indent));
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
        const ordered = places.sort((a, b) => a - b);
        const splitter = new ElementSplitter('array', 100_000, tooLong);
        const found = ordered.flatMap((end, index) =>
          splitter.push(bytes.subarray(ordered[index - 1] ?? 0, end)),
        );
        assert.deepEqual(
          [...found, ...splitter.end()].map((text) => text.found),
          values.map((value) => JSON.stringify(value)),
        );
      },
    ),
    { numRuns: 1000 },
  );
});
