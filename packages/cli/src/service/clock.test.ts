// A clock that is off is reported with the difference.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeClock } from './clock.js';

const now = Date.parse('2026-01-01T12:00:00Z');

function responseAt(date: string | undefined): Response {
  const response = new Response('', { headers: date === undefined ? {} : { date } });
  return Object.defineProperty(response, 'url', { value: 'https://customs.example/token' });
}

it('a difference of more than 10 s is reported', () => {
  assert.match(
    describeClock(responseAt('Thu, 01 Jan 2026 11:55:00 GMT'), now) ?? '',
    /^the clock of this machine is 300 s ahead of that of https:\/\/customs\.example: set it/,
  );
  assert.match(
    describeClock(responseAt('Thu, 01 Jan 2026 12:01:00 GMT'), now) ?? '',
    /is 60 s behind/,
  );
});

it('a small difference, or none that is known, is not reported', () => {
  assert.equal(describeClock(responseAt('Thu, 01 Jan 2026 12:00:09 GMT'), now), undefined);
  assert.equal(describeClock(responseAt(undefined), now), undefined);
});
