// The error of a text that is no JSON says what cannot be seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notJson } from './not-json.js';

test('a byte order mark and a value over several lines are named, and nothing else is guessed', () => {
  const rules: Record<string, RegExp> = {
    '\ufeff{"a":1}':
      /^must be valid JSON: it begins with a byte order mark, which must be left out$/,
    '[': /^must be valid JSON: each line is a whole value, and this one only begins one$/,
    ' {\r': /this one only begins one$/,
    '"a": 1,': /^must be valid JSON$/,
    '{"a":1': /^must be valid JSON$/,
  };
  for (const [text, rule] of Object.entries(rules)) {
    const { field, error, code } = notJson(text);
    assert.match(error, rule);
    assert.deepEqual([field, code], ['', 'FORMAT']);
  }
});
