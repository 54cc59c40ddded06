import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromOfficeTime } from './office-date-time.js';

test('a time of the office is an instant, in summer and in winter', () => {
  assert.equal(fromOfficeTime('2026-01-15T12:00', 'Europe/Oslo'), '2026-01-15T11:00:00.000Z');
  assert.equal(fromOfficeTime('2026-07-15T12:00', 'Europe/Oslo'), '2026-07-15T10:00:00.000Z');
  assert.equal(fromOfficeTime('2026-07-15T12:00', 'UTC'), '2026-07-15T12:00:00.000Z');
});

test('around a change of clocks, a skipped time is an hour later, and a repeated one is the first', () => {
  assert.equal(fromOfficeTime('2026-03-29T01:30', 'Europe/Oslo'), '2026-03-29T00:30:00.000Z');
  assert.equal(fromOfficeTime('2026-03-29T02:30', 'Europe/Oslo'), '2026-03-29T01:30:00.000Z');
  assert.equal(fromOfficeTime('2026-03-29T03:30', 'Europe/Oslo'), '2026-03-29T01:30:00.000Z');
  assert.equal(fromOfficeTime('2026-10-25T02:30', 'Europe/Oslo'), '2026-10-25T00:30:00.000Z');
  assert.equal(fromOfficeTime('2026-10-25T03:30', 'Europe/Oslo'), '2026-10-25T02:30:00.000Z');
});

test('what is not a date with a time has no instant', () => {
  for (const text of ['', '2026', '2026-13-01T00:00', 'tomorrow']) {
    assert.equal(fromOfficeTime(text, 'Europe/Oslo'), undefined, text);
  }
});
