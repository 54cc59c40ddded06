// The range of an address, in the time zone of the customs offices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, hoursOf, rangeBetween, readRange } from './status-range.js';

const ZONE = 'Europe/Oslo';
const now = Date.parse('2026-03-01T12:00:00Z');
const bounds = (query: string) => {
  const { from, to } = boundsOf(readRange(new URLSearchParams(query)), now, ZONE);
  return [new Date(from).toISOString().slice(11, 16), new Date(to).toISOString().slice(11, 16)];
};

test('an address has the last hours, or a range within what is kept', () => {
  assert.deepEqual(bounds(''), ['12:00', '12:00']);
  assert.deepEqual(bounds('hours=6'), ['06:00', '12:00']);
  assert.deepEqual(bounds('hours=7'), ['12:00', '12:00']);
  assert.deepEqual(bounds('from=2026-03-01T10:00&to=2026-03-01T11:30'), ['09:00', '10:30']);
  assert.deepEqual(bounds('from=2026-03-01T10:00'), ['09:00', '12:00']);
  assert.deepEqual(bounds('from=x&to=2030-01-01T00:00'), ['12:00', '12:00']);
  // The wrong way round it is the shortest range.
  assert.deepEqual(bounds('from=2026-03-01T11:30&to=2026-03-01T10:00'), ['10:30', '10:35']);
});

test('as many hours are read as the range needs', () => {
  for (const [query, hours] of [
    ['', 24],
    ['hours=1', 1],
    ['from=2026-03-01T12:59', 1],
    ['from=2026-03-01T10:59', 3],
    ['from=2020-01-01T00:00', 24],
  ] as const) {
    assert.equal(hoursOf(readRange(new URLSearchParams(query)), now, ZONE), hours, query);
  }
});

test('what was dragged is a range, whatever the direction; a click is none', () => {
  const earlier = Date.parse('2026-03-01T09:00:00Z');
  const expected = { from: '2026-03-01T10:00', to: '2026-03-01T13:00' };
  assert.deepEqual(rangeBetween(now, earlier, ZONE), expected);
  assert.deepEqual(rangeBetween(earlier, now, ZONE), expected);
  assert.equal(rangeBetween(now, now - 1000, ZONE), undefined);
});
