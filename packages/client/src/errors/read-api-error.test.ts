// What an error response says is read by the clock of who sent it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readRetryAfter } from './read-api-error.js';

const at = (ms: number) => new Date(Date.now() + ms).toUTCString();

test('a date of Retry-After is measured by the Date of its response', () => {
  for (const aheadMs of [-3_600_000, 0, 3_600_000]) {
    const headers = { date: at(aheadMs), 'retry-after': at(aheadMs + 20_000) };
    assert.equal(readRetryAfter(new Response('', { headers })), 20_000);
    const past = { date: at(aheadMs), 'retry-after': at(aheadMs - 20_000) };
    assert.equal(readRetryAfter(new Response('', { headers: past })), 0);
  }
});

test('without a Date that can be read, it is measured by the clock of this machine', () => {
  for (const date of [undefined, 'today']) {
    const headers = { ...(date && { date }), 'retry-after': at(20_000) };
    const ms = readRetryAfter(new Response('', { headers })) ?? 0;
    assert(ms > 0 && ms <= 20_000, String(ms));
  }
});

test('seconds need no clock, and what is neither is none', () => {
  const read = (value: string) =>
    readRetryAfter(new Response('', { headers: { 'retry-after': value } }));
  assert.deepEqual(['3', 'soon', ''].map(read), [3000, undefined, undefined]);
});
