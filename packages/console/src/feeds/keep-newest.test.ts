// What a page keeps of a feed is limited by count and by size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepNewest } from './keep-newest.js';

const limits = { maxCount: 3, maxSize: 10, sizeOf: (text: string) => text.length };

test('the newest entries within both limits are kept', () => {
  assert.deepEqual(keepNewest([], limits), []);
  assert.deepEqual(keepNewest(['a', 'b', 'c'], limits), ['a', 'b', 'c']);
  assert.deepEqual(keepNewest(['a', 'b', 'c', 'd'], limits), ['b', 'c', 'd']);
  assert.deepEqual(keepNewest(['aaaaaa', 'bbbbbb', 'cccc'], limits), ['bbbbbb', 'cccc']);
});

test('the newest entry is kept, however large it is', () => {
  assert.deepEqual(keepNewest(['a', 'b'.repeat(11)], limits), ['b'.repeat(11)]);
  assert.deepEqual(keepNewest(['a'.repeat(11), 'b'], limits), ['b']);
});
