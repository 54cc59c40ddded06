import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativeTime } from './relative-time.js';

const from = '2026-11-23T12:00:00Z';

test('a time is so far ahead or ago, in the largest unit of which it is at least two', () => {
  const cases: [string, string][] = [
    ['2026-11-23T12:00:58Z', 'in 58 seconds'],
    ['2026-11-23T12:01:30Z', 'in 90 seconds'],
    ['2026-11-23T11:57:00Z', '3 minutes ago'],
    ['2026-11-23T09:00:00Z', '3 hours ago'],
    ['2026-11-25T12:00:00Z', 'in 2 days'],
    ['1970-01-12T13:46:40Z', '56 years ago'],
    ['2026-11-23T12:00:00Z', 'in 0 seconds'],
  ];
  for (const [at, words] of cases) assert.equal(relativeTime(at, from, 'en'), words);
});

test('it is in the language of the page', () => {
  assert.equal(relativeTime('2026-11-23T11:57:00Z', from, 'nb'), 'for 3 minutter siden');
});
