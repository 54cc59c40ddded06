// The rate limit: which requests are counted together, and how much memory counting may take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options } from '../config.js';
import { HttpError } from './problem.js';
import { addressKey, RateLimit } from './rate-limit.js';

function isRefused(count: () => void): boolean {
  return refusalOf(count) !== undefined;
}

function refusalOf(count: () => void): HttpError | undefined {
  try {
    count();
    return undefined;
  } catch (error) {
    assert(error instanceof HttpError);
    assert.equal(error.status, 429);
    return error;
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

test('what a request costs beyond its second is taken from the next ones', () => {
  const limit = new RateLimit(4);
  const large = { requests: 10, counted: 0 };
  limit.count('one', 0, large);
  assert.equal(refusalOf(() => limit.count('one', 999))?.headers['Retry-After'], '2');
  assert.match(
    refusalOf(() => limit.count('one', 1000, large))?.message ?? '',
    /^This organisation may make 4 requests a second; one with a body counts as one for each 4 KiB/,
  );
  // Refused requests add nothing, and neither does a clock that is set back.
  assert(!isRefused(() => limit.count('other', 1000)));
  assert(!isRefused(() => limit.count('one', 2000, large)));
  assert(isRefused(() => limit.count('one', 3000)));
  assert(isRefused(() => limit.count('one', 500)));
  assert(!isRefused(() => limit.count('one', 1500)));
});

test('a body that is counted as it arrives is refused for what others of its key have used, not for itself', () => {
  const limit = new RateLimit(2);
  limit.count('one', 0, { requests: 1, counted: 0 });
  for (let counted = 1; counted < 20; counted++) {
    assert(!isRefused(() => limit.count('one', 0, { requests: 1, counted })));
  }
  const busy = new RateLimit(2);
  for (let begun = 0; begun < 2; begun++) busy.count('one', 0, { requests: 1, counted: 0 });
  assert(!isRefused(() => busy.count('one', 0, { requests: 1, counted: 1 })));
  assert(isRefused(() => busy.count('one', 0, { requests: 1, counted: 1 })));
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
