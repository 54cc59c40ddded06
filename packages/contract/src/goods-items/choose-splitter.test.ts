// The form of a text with messages is recognised by its beginning.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseGoodsItemSplitter } from './choose-splitter.js';

/** The texts that are found, with the line in which each begins. */
function findTexts(text: string) {
  const splitter = chooseGoodsItemSplitter(text);
  if (splitter === undefined) return [];
  return [...splitter.push(new TextEncoder().encode(text)), ...splitter.end()].map(
    ({ line, found }) => `${line} ${typeof found === 'string' ? found : found.error.error}`,
  );
}

test('lines, arrays and indented messages are recognised', () => {
  assert.deepEqual(findTexts('\n{"a": 1}\r\n\n{"b":2}'), ['2 {"a": 1}', '4 {"b":2}']);
  assert.deepEqual(findTexts(' [\n{"a": 1},\n{"b":2}]'), ['2 {"a":1}', '3 {"b":2}']);
  assert.deepEqual(findTexts('{\n "a": 1\n}\n{\n "b": 2\n}'), ['1 {"a":1}', '4 {"b":2}']);
  assert.deepEqual(findTexts('not JSON\n{}'), ['1 not JSON', '2 {}']);
  assert.deepEqual(findTexts(' \n\t'), []);
});
