// The rate limit: which requests are counted together, and how much memory counting may take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options } from '../config.js';
import { HttpError } from './problem.js';
import { addressKey, RateLimit } from './rate-limit.js';

function isRefused(count: () => void): boolean {
  try {
    count();
    return false;
  } catch (error) {
    assert(error instanceof HttpError);
    assert.equal(error.status, 429);
    return true;
  }
}

test('each key has its own rate in each second', () => {
  const limit = new RateLimit(2, 'client');
  const refusals = (key: string, now: number) =>
    Array.from({ length: 4 }, () => isRefused(() => limit.count(key, now)));
  assert.deepEqual(refusals('one', 1000), [false, false, true, true]);
  assert.deepEqual(refusals('other', 1999), [false, false, true, true]);
  assert.deepEqual(refusals('one', 2000), [false, false, true, true]);
});

test('keys above the maximum share one count, and earlier ones keep theirs', () => {
  const limit = new RateLimit(2, 'address', 3);
  for (const key of ['a', 'b', 'c']) assert(!isRefused(() => limit.count(key, 0)));
  assert(!isRefused(() => limit.count('d', 0)));
  assert(!isRefused(() => limit.count('e', 0)));
  assert(isRefused(() => limit.count('f', 0)));
  assert(!isRefused(() => limit.count('a', 0)));
  assert(!isRefused(() => limit.count('f', 1000)));
});

test('a server limits organisations by default', () => {
  assert(options.rateLimit.default > 0);
});

test('an IPv6 address counts as its network, an IPv4 address as itself', () => {
  const keys: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8:1::4:5:6', '2001:db8:1:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ];
  for (const [address, key] of keys) assert.equal(addressKey(address), key);
});
