// Text is broken between words, and longer words anywhere.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wrap } from './wrap.js';

it('lines have at most the width, and no text is lost', () => {
  const text = 'a word, 北京海关 and https://customs.example/with/a/long/path in it';
  for (const width of [2, 5, 9, 20, 200]) {
    const lines = wrap(text, width);
    assert.equal(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    for (const line of lines) assert.ok(line.length <= width, line);
  }
  assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
  assert.deepEqual(wrap('北京海关', 4), ['北京', '海关']);
  assert.deepEqual(wrap(text, Number.POSITIVE_INFINITY), [text]);
});
